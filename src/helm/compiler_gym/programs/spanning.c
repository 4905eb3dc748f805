/* The lightest spanning tree after Kruskal with joined sets, and after Prim with a table; largest flow by shortest ways. */
int printf(const char *format, ...);

#define N 24

static int weight[N][N], parent[N], order[N * N], capacity[N][N];

int find_root(int node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];
    node = parent[node];
  }
  return node;
}

int weight_of(int edge) { return weight[edge / N][edge % N]; }

int kruskal(void) {
  int count = 0, total = 0;
  for (int i = 0; i < N; i++) {
    parent[i] = i;
    for (int k = i + 1; k < N; k++) {
      if (!weight[i][k])
        continue;
      int edge = i * N + k, place = count++;
      for (; place && weight_of(order[place - 1]) > weight_of(edge); place--)
        order[place] = order[place - 1];
      order[place] = edge;
    }
  }
  for (int i = 0; i < count; i++) {
    int a = find_root(order[i] / N), b = find_root(order[i] % N);
    if (a != b) {
      parent[a] = b;
      total += weight_of(order[i]);
    }
  }
  return total;
}

int prim(void) {
  int cheapest[N], is_in[N] = {0}, total = 0;
  for (int i = 0; i < N; i++)
    cheapest[i] = i ? 1000000 : 0;
  for (int round = 0; round < N; round++) {
    int best = -1;
    for (int i = 0; i < N; i++)
      if (!is_in[i] && (best < 0 || cheapest[i] < cheapest[best]))
        best = i;
    is_in[best] = 1;
    total += cheapest[best];
    for (int i = 0; i < N; i++)
      if (weight[best][i] && weight[best][i] < cheapest[i])
        cheapest[i] = weight[best][i];
  }
  return total;
}

int push_flow(int from, int to) {
  int before[N], queue[N], head = 0, tail = 0, amount = 1000000;
  for (int i = 0; i < N; i++)
    before[i] = -1;
  before[from] = from;
  queue[tail++] = from;
  while (head < tail && before[to] < 0) {
    int node = queue[head++];
    for (int i = 0; i < N; i++)
      if (capacity[node][i] > 0 && before[i] < 0) {
        before[i] = node;
        queue[tail++] = i;
      }
  }
  if (before[to] < 0)
    return 0;
  for (int node = to; node != from; node = before[node])
    if (capacity[before[node]][node] < amount)
      amount = capacity[before[node]][node];
  for (int node = to; node != from; node = before[node]) {
    capacity[before[node]][node] -= amount;
    capacity[node][before[node]] += amount;
  }
  return amount;
}

int cut_size(int from) {
  int is_reached[N] = {0}, stack[N], depth = 0, size = 0;
  is_reached[from] = 1;
  stack[depth++] = from;
  while (depth) {
    int node = stack[--depth];
    for (int i = 0; i < N; i++)
      if (capacity[node][i] > 0 && !is_reached[i]) {
        is_reached[i] = 1;
        stack[depth++] = i;
      }
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      if (is_reached[i] && !is_reached[k])
        size += weight[i][k];
  return size;
}

int main(void) {
  unsigned state = 8;
  int flow = 0, amount;
  for (int i = 0; i < N; i++)
    for (int k = i + 1; k < N; k++) {
      state = state * 1103515245u + 12345u;
      int value = (int)(state >> 16) % 100;
      weight[i][k] = weight[k][i] = k == i + 1 || value < 30 ? value + 1 : 0;
    }
  int first = kruskal(), second = prim();
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      capacity[i][k] = weight[i][k];
  while ((amount = push_flow(0, N - 1)) > 0)
    flow += amount;
  printf("%d %d %d %d\n", first, second, flow, cut_size(0));
  return first != second || flow != cut_size(0);
}

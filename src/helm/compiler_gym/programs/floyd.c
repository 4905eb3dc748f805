/* Shortest paths between all pairs after Floyd and Warshall, the transitive closure by bits, and both compared. */
int printf(const char *format, ...);

#define N 28
#define FAR 1000000

static int distance[N][N], next[N][N];
static unsigned reach[N];

void make_graph(void) {
  unsigned state = 42;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      state = state * 1103515245u + 12345u;
      int is_edge = i != j && (state >> 16) % 100 < 7;
      distance[i][j] = i == j ? 0 : is_edge ? (int)(state >> 24) % 50 + 1 : FAR;
      next[i][j] = is_edge || i == j ? j : -1;
      if (is_edge || i == j)
        reach[i] |= 1u << j;
    }
}

void find_paths(void) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (distance[i][k] + distance[k][j] < distance[i][j]) {
          distance[i][j] = distance[i][k] + distance[k][j];
          next[i][j] = next[i][k];
        }
}

void close_over(void) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      if (reach[i] >> k & 1)
        reach[i] |= reach[k];
}

int count_hops(int from, int to) {
  int hops = 0;
  for (; from != to && hops < N; from = next[from][to])
    hops++;
  return hops;
}

int main(void) {
  int wrong = 0, pairs = 0, total = 0, hops = 0;
  make_graph();
  find_paths();
  close_over();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int is_near = distance[i][j] < FAR;
      wrong += is_near != (int)(reach[i] >> j & 1);
      if (is_near) {
        pairs++;
        total += distance[i][j];
        hops += count_hops(i, j);
      }
    }
  printf("%d %d %d %d\n", pairs, total, hops, wrong);
  return wrong != 0;
}

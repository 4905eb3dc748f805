/* A directed graph: its strong components after Tarjan, and after Kosaraju; its order when the components are one. */
int printf(const char *format, ...);

#define NODES 60
#define EDGES 90

static int heads[NODES], back_heads[NODES], nexts[EDGES], back_nexts[EDGES], sources[EDGES], targets[EDGES];
static int numbers[NODES], lowest[NODES], stack[NODES], component[NODES], finished[NODES], second[NODES];
static int depth, counter, num_components, num_finished;

int min(int a, int b) { return a < b ? a : b; }

void tarjan(int node) {
  numbers[node] = lowest[node] = ++counter;
  stack[depth++] = node;
  for (int edge = heads[node]; edge >= 0; edge = nexts[edge]) {
    int target = targets[edge];
    if (!numbers[target]) {
      tarjan(target);
      lowest[node] = min(lowest[node], lowest[target]);
    } else if (component[target] < 0) {
      lowest[node] = min(lowest[node], numbers[target]);
    }
  }
  if (lowest[node] == numbers[node]) {
    int member;
    do {
      member = stack[--depth];
      component[member] = num_components;
    } while (member != node);
    num_components++;
  }
}

void finish(int node) {
  numbers[node] = 0;
  for (int edge = heads[node]; edge >= 0; edge = nexts[edge])
    if (numbers[targets[edge]])
      finish(targets[edge]);
  finished[num_finished++] = node;
}

void collect(int node, int label) {
  second[node] = label;
  for (int edge = back_heads[node]; edge >= 0; edge = back_nexts[edge])
    if (second[sources[edge]] < 0)
      collect(sources[edge], label);
}

int main(void) {
  unsigned state = 13;
  int wrong = 0, across = 0, labels = 0;
  for (int i = 0; i < NODES; i++)
    heads[i] = back_heads[i] = component[i] = second[i] = -1;
  for (int i = 0; i < EDGES; i++) {
    state = state * 1664525u + 1013904223u;
    sources[i] = (int)(state >> 16) % NODES;
    state = state * 1664525u + 1013904223u;
    targets[i] = (int)(state >> 16) % NODES;
    nexts[i] = heads[sources[i]];
    heads[sources[i]] = i;
    back_nexts[i] = back_heads[targets[i]];
    back_heads[targets[i]] = i;
  }
  for (int i = 0; i < NODES; i++)
    if (!numbers[i])
      tarjan(i);
  for (int i = 0; i < NODES; i++)
    if (numbers[i])
      finish(i);
  for (int i = NODES - 1; i >= 0; i--)
    if (second[finished[i]] < 0)
      collect(finished[i], labels++);
  for (int i = 0; i < NODES; i++)
    for (int k = 0; k < NODES; k++)
      wrong += (component[i] == component[k]) != (second[i] == second[k]);
  for (int i = 0; i < EDGES; i++) {
    wrong += component[sources[i]] < component[targets[i]];
    across += component[sources[i]] != component[targets[i]];
  }
  printf("%d %d %d %d\n", num_components, labels, across, wrong);
  return wrong != 0;
}

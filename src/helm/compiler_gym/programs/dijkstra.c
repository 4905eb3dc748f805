/* Shortest paths in a grid with weights, by Dijkstra with a binary heap; checked by Bellman and Ford. */
int printf(const char *format, ...);

#define SIDE 16
#define NODES (SIDE * SIDE)
#define FAR 1000000

typedef struct {
  int node, distance;
} entry;

static int weight[NODES], distance[NODES], check[NODES], previous[NODES];
static entry heap[8 * NODES];
static int heap_size;

void push(int node, int far) {
  int i = heap_size++;
  while (i > 0) {
    int parent = (i - 1) / 2;
    if (heap[parent].distance <= far)
      break;
    heap[i] = heap[parent];
    i = parent;
  }
  heap[i].node = node;
  heap[i].distance = far;
}

entry pop(void) {
  entry top = heap[0], last = heap[--heap_size];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= heap_size)
      break;
    if (child + 1 < heap_size && heap[child + 1].distance < heap[child].distance)
      child++;
    if (last.distance <= heap[child].distance)
      break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  return top;
}

int neighbour(int node, int side) {
  int x = node % SIDE, y = node / SIDE;
  switch (side) {
  case 0:
    return x + 1 < SIDE ? node + 1 : -1;
  case 1:
    return x > 0 ? node - 1 : -1;
  case 2:
    return y + 1 < SIDE ? node + SIDE : -1;
  default:
    return y > 0 ? node - SIDE : -1;
  }
}

void dijkstra(int source) {
  for (int i = 0; i < NODES; i++)
    distance[i] = FAR, previous[i] = -1;
  distance[source] = 0;
  push(source, 0);
  while (heap_size) {
    entry nearest = pop();
    if (nearest.distance > distance[nearest.node])
      continue;
    for (int side = 0; side < 4; side++) {
      int next = neighbour(nearest.node, side);
      if (next < 0)
        continue;
      int far = nearest.distance + weight[next];
      if (far < distance[next]) {
        distance[next] = far;
        previous[next] = nearest.node;
        push(next, far);
      }
    }
  }
}

int relax_all(void) {
  int changed = 0;
  for (int node = 0; node < NODES; node++)
    for (int side = 0; side < 4; side++) {
      int next = neighbour(node, side);
      if (next >= 0 && check[node] + weight[next] < check[next]) {
        check[next] = check[node] + weight[next];
        changed = 1;
      }
    }
  return changed;
}

int main(void) {
  unsigned state = 7;
  for (int i = 0; i < NODES; i++) {
    state = state * 69069u + 1u;
    weight[i] = 1 + (state >> 16) % 9;
    check[i] = FAR;
  }
  dijkstra(0);
  check[0] = 0;
  while (relax_all())
    ;
  int wrong = 0, hops = 0;
  for (int i = 0; i < NODES; i++)
    wrong += distance[i] != check[i];
  for (int node = NODES - 1; node != 0; node = previous[node])
    hops++;
  printf("%d %d %d\n", distance[NODES - 1], hops, wrong);
  return wrong;
}

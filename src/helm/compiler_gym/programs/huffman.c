/* Huffman coding of a text: counts, tree, codes, bits there and back. */
int printf(const char *format, ...);

#define SYMBOLS 32
#define SIZE 600

static int weights[2 * SYMBOLS], parents[2 * SYMBOLS], left[2 * SYMBOLS], right[2 * SYMBOLS];
static unsigned char text[SIZE], bits[SIZE * SYMBOLS], decoded[SIZE];

int take_lightest(int count, const unsigned char *taken) {
  int best = -1;
  for (int i = 0; i < count; i++)
    if (!taken[i] && weights[i] && (best < 0 || weights[i] < weights[best]))
      best = i;
  return best;
}

int build_tree(void) {
  unsigned char taken[2 * SYMBOLS] = {0};
  int count = SYMBOLS;
  for (;;) {
    int a = take_lightest(count, taken);
    taken[a] = 1;
    int b = take_lightest(count, taken);
    if (b < 0)
      return a;
    taken[b] = 1;
    weights[count] = weights[a] + weights[b];
    left[count] = a;
    right[count] = b;
    parents[a] = parents[b] = count;
    count++;
  }
}

int encode(int root) {
  int written = 0;
  for (int i = 0; i < SIZE; i++) {
    unsigned char path[2 * SYMBOLS];
    int depth = 0;
    for (int node = text[i]; node != root; node = parents[node])
      path[depth++] = right[parents[node]] == node;
    while (depth)
      bits[written++] = path[--depth];
  }
  return written;
}

int decode(int root, int size) {
  int count = 0, node = root;
  for (int i = 0; i < size; i++) {
    node = bits[i] ? right[node] : left[node];
    if (node < SYMBOLS) {
      decoded[count++] = (unsigned char)node;
      node = root;
    }
  }
  return count;
}

int main(void) {
  unsigned state = 11;
  for (int i = 0; i < SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    int a = state >> 27, b = state >> 22 & 31;
    text[i] = (unsigned char)(a < b ? a : b);
    weights[text[i]]++;
  }
  int root = build_tree(), size = encode(root), count = decode(root, size), wrong = count != SIZE, digest = 0;
  for (int i = 0; i < SIZE; i++)
    wrong += text[i] != decoded[i];
  for (int i = 0; i < size; i++)
    digest = (digest * 3 + bits[i]) & 0xFFFFFF;
  printf("%d %d %d %d\n", size, count, digest, wrong);
  return wrong != 0;
}

/* A hash table with linear probing: insert, find and remove with backward shift, checked against a plain array. */
int printf(const char *format, ...);

#define CAPACITY 256
#define KEYS 180

static int keys[CAPACITY], counts[CAPACITY], plain[KEYS];

unsigned hash_of(int key) {
  unsigned x = (unsigned)key;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  x = (x ^ x >> 16) * 0x45d9f3bu;
  return (x ^ x >> 16) % CAPACITY;
}

int find_slot(int key) {
  unsigned slot = hash_of(key);
  while (keys[slot] && keys[slot] != key)
    slot = (slot + 1) % CAPACITY;
  return (int)slot;
}

void add_to(int key, int count) {
  int slot = find_slot(key);
  keys[slot] = key;
  counts[slot] += count;
}

int remove_key(int key) {
  unsigned hole = (unsigned)find_slot(key);
  if (!keys[hole])
    return 0;
  keys[hole] = counts[hole] = 0;
  for (unsigned next = (hole + 1) % CAPACITY; keys[next]; next = (next + 1) % CAPACITY) {
    unsigned home = hash_of(keys[next]);
    if ((next - home) % CAPACITY >= (next - hole) % CAPACITY) {
      keys[hole] = keys[next];
      counts[hole] = counts[next];
      keys[next] = counts[next] = 0;
      hole = next;
    }
  }
  return 1;
}

int main(void) {
  unsigned state = 5;
  int removed = 0, wrong = 0, total = 0;
  for (int i = 0; i < 3000; i++) {
    state = state * 1103515245u + 12345u;
    int key = (int)(state >> 16) % KEYS;
    if (i % 5 == 4) {
      int was_there = plain[key] != 0;
      int found = remove_key(key + 1000);
      wrong += found != was_there;
      removed += found;
      plain[key] = 0;
    } else {
      add_to(key + 1000, i % 7 + 1);
      plain[key] += i % 7 + 1;
    }
  }
  for (int key = 0; key < KEYS; key++) {
    wrong += counts[find_slot(key + 1000)] != plain[key];
    total += plain[key];
  }
  printf("%d %d %d\n", removed, total, wrong);
  return wrong != 0;
}

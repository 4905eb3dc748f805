/* Merge sort of a linked list, from the bottom up, and of an array; both must keep equal keys in order. */
int printf(const char *format, ...);

#define SIZE 300

struct item {
  int key, place;
  struct item *next;
};

static struct item items[SIZE], copies[SIZE], buffer[SIZE];

struct item *merge(struct item *left, struct item *right) {
  struct item head, *tail = &head;
  while (left && right) {
    struct item **smaller = right->key < left->key ? &right : &left;
    tail->next = *smaller;
    tail = *smaller;
    *smaller = tail->next;
  }
  tail->next = left ? left : right;
  return head.next;
}

struct item *sort_list(struct item *list) {
  struct item *runs[16] = {0};
  while (list) {
    struct item *run = list;
    list = list->next;
    run->next = 0;
    int i = 0;
    for (; runs[i]; i++) {
      run = merge(runs[i], run);
      runs[i] = 0;
    }
    runs[i] = run;
  }
  struct item *all = 0;
  for (int i = 0; i < 16; i++)
    if (runs[i])
      all = all ? merge(runs[i], all) : runs[i];
  return all;
}

void sort_array(struct item *values, int size) {
  if (size < 2)
    return;
  int half = size / 2, i = 0, j = half, k = 0;
  sort_array(values, half);
  sort_array(values + half, size - half);
  while (i < half || j < size)
    buffer[k++] = j >= size || (i < half && values[i].key <= values[j].key) ? values[i++] : values[j++];
  for (k = 0; k < size; k++)
    values[k] = buffer[k];
}

int main(void) {
  unsigned state = 7;
  for (int i = 0; i < SIZE; i++) {
    state = state * 22695477u + 1u;
    items[i].key = state >> 16 & 63;
    items[i].place = i;
    copies[i] = items[i];
    items[i].next = i + 1 < SIZE ? &items[i + 1] : 0;
  }
  struct item *sorted = sort_list(items);
  sort_array(copies, SIZE);
  int wrong = 0, count = 0, digest = 0;
  for (; sorted; sorted = sorted->next, count++) {
    wrong += sorted->key != copies[count].key || sorted->place != copies[count].place;
    digest = (digest * 17 + sorted->key * SIZE + sorted->place) & 0xFFFFFF;
  }
  printf("%d %d %d\n", count, digest, wrong);
  return wrong || count != SIZE;
}

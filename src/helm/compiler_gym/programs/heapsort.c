/* Heap sort, insertion sort and comb sort of the same numbers; the three must agree. */
int printf(const char *format, ...);

#define SIZE 400

static int first[SIZE], second[SIZE], third[SIZE];

void sift_down(int *heap, int root, int size) {
  for (;;) {
    int child = 2 * root + 1;
    if (child >= size)
      return;
    if (child + 1 < size && heap[child + 1] > heap[child])
      child++;
    if (heap[root] >= heap[child])
      return;
    int moved = heap[root];
    heap[root] = heap[child];
    heap[child] = moved;
    root = child;
  }
}

void heap_sort(int *values, int size) {
  for (int i = size / 2 - 1; i >= 0; i--)
    sift_down(values, i, size);
  for (int i = size - 1; i > 0; i--) {
    int largest = values[0];
    values[0] = values[i];
    values[i] = largest;
    sift_down(values, 0, i);
  }
}

void insertion_sort(int *values, int size) {
  for (int i = 1; i < size; i++) {
    int value = values[i], k = i;
    for (; k > 0 && values[k - 1] > value; k--)
      values[k] = values[k - 1];
    values[k] = value;
  }
}

void comb_sort(int *values, int size) {
  int gap = size, swapped = 1;
  while (gap > 1 || swapped) {
    gap = gap * 10 / 13;
    if (gap < 1)
      gap = 1;
    swapped = 0;
    for (int i = 0; i + gap < size; i++)
      if (values[i] > values[i + gap]) {
        int moved = values[i];
        values[i] = values[i + gap];
        values[i + gap] = moved;
        swapped = 1;
      }
  }
}

int main(void) {
  unsigned state = 2024;
  for (int i = 0; i < SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    first[i] = second[i] = third[i] = (int)(state >> 20) - 2048;
  }
  heap_sort(first, SIZE);
  insertion_sort(second, SIZE);
  comb_sort(third, SIZE);
  int wrong = 0, digest = 0;
  for (int i = 0; i < SIZE; i++) {
    wrong += first[i] != second[i] || first[i] != third[i] || (i && first[i - 1] > first[i]);
    digest = (digest * 31 + first[i]) & 0xFFFFFF;
  }
  printf("%d %d %d %d\n", first[0], first[SIZE - 1], digest, wrong);
  return wrong != 0;
}

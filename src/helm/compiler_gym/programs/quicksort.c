/* Quicksort with the median of three and insertion sort for short runs, on integers and on records. */
int printf(const char *format, ...);

#define SIZE 500
#define SHORT 12

typedef struct {
  int key;
  short year;
  char initials[2];
} record;

static int numbers[SIZE];
static record records[SIZE];

void swap(int *x, int *y) {
  int kept = *x;
  *x = *y;
  *y = kept;
}

void insertion_sort(int *items, int low, int high) {
  for (int i = low + 1; i <= high; i++) {
    int item = items[i];
    int j = i - 1;
    while (j >= low && items[j] > item) {
      items[j + 1] = items[j];
      j--;
    }
    items[j + 1] = item;
  }
}

int partition(int *items, int low, int high) {
  int middle = low + (high - low) / 2;
  if (items[middle] < items[low])
    swap(&items[middle], &items[low]);
  if (items[high] < items[low])
    swap(&items[high], &items[low]);
  if (items[high] < items[middle])
    swap(&items[high], &items[middle]);
  int pivot = items[middle];
  int i = low, j = high;
  while (i <= j) {
    while (items[i] < pivot)
      i++;
    while (items[j] > pivot)
      j--;
    if (i <= j)
      swap(&items[i++], &items[j--]);
  }
  return i;
}

void quicksort(int *items, int low, int high) {
  if (high - low < SHORT) {
    insertion_sort(items, low, high);
    return;
  }
  int split = partition(items, low, high);
  quicksort(items, low, split - 1);
  quicksort(items, split, high);
}

int compare(const record *x, const record *y) {
  if (x->year != y->year)
    return x->year < y->year ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->initials[0] - y->initials[0];
}

void sort_records(record *items, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++) {
      record item = items[i];
      int j = i;
      for (; j >= gap && compare(&item, &items[j - gap]) < 0; j -= gap)
        items[j] = items[j - gap];
      items[j] = item;
    }
}

int main(void) {
  unsigned state = 42;
  for (int i = 0; i < SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    numbers[i] = (int)(state >> 8) % 10007;
    records[i].key = (int)(state >> 12) % 97;
    records[i].year = 1970 + (state >> 20) % 50;
    records[i].initials[0] = 'a' + (state >> 24) % 26;
    records[i].initials[1] = 0;
  }
  quicksort(numbers, 0, SIZE - 1);
  sort_records(records, SIZE);
  int wrong = 0;
  for (int i = 1; i < SIZE; i++)
    wrong += numbers[i - 1] > numbers[i] || compare(&records[i - 1], &records[i]) > 0;
  printf("%d %d %d %d\n", wrong, numbers[0], numbers[SIZE / 2], records[SIZE - 1].key);
  return wrong;
}

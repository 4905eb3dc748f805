/* Dynamic programming: knapsack, edit distance, longest common and longest rising subsequence, change in coins. */
int printf(const char *format, ...);

#define CAPACITY 200

static int best[CAPACITY + 1], table[40][40], ways[101];

int max(int a, int b) { return a > b ? a : b; }

int min(int a, int b) { return a < b ? a : b; }

int length_of(const char *text) {
  int length = 0;
  while (text[length])
    length++;
  return length;
}

int pack_knapsack(const int *weights, const int *values, int count) {
  for (int i = 0; i < count; i++)
    for (int room = CAPACITY; room >= weights[i]; room--)
      best[room] = max(best[room], best[room - weights[i]] + values[i]);
  return best[CAPACITY];
}

int edit_distance(const char *a, const char *b) {
  int n = length_of(a), m = length_of(b);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      if (!i || !j)
        table[i][j] = i + j;
      else
        table[i][j] = min(min(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
  return table[n][m];
}

int common_length(const char *a, const char *b) {
  int n = length_of(a), m = length_of(b);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      if (!i || !j)
        table[i][j] = 0;
      else
        table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : max(table[i - 1][j], table[i][j - 1]);
  return table[n][m];
}

int rising_length(const int *values, int count) {
  int tails[64], length = 0;
  for (int i = 0; i < count; i++) {
    int low = 0, high = length;
    while (low < high) {
      int middle = (low + high) / 2;
      if (tails[middle] < values[i])
        low = middle + 1;
      else
        high = middle;
    }
    tails[low] = values[i];
    length = max(length, low + 1);
  }
  return length;
}

int count_change(const int *coins, int count) {
  ways[0] = 1;
  for (int i = 0; i < count; i++)
    for (int amount = coins[i]; amount <= 100; amount++)
      ways[amount] += ways[amount - coins[i]];
  return ways[100];
}

int main(void) {
  static const int coins[] = {1, 5, 10, 25, 50};
  int weights[30], values[30], numbers[60];
  for (int i = 0; i < 30; i++) {
    weights[i] = i * 13 % 37 + 5;
    values[i] = i * 29 % 53 + 10;
  }
  for (int i = 0; i < 60; i++)
    numbers[i] = i * 41 % 61;
  int edits = edit_distance("kitten on the mat", "sitting in a hat"), coin_ways = count_change(coins, 5);
  int common = common_length("AGGTABTTGACA", "GXTXAYBGATTACA");
  printf("%d %d %d %d %d\n", pack_knapsack(weights, values, 30), edits, common, rising_length(numbers, 60), coin_ways);
  return coin_ways != 292 || edit_distance("kitten", "sitting") != 3 || common_length("AGGTAB", "GXTXAYB") != 4;
}

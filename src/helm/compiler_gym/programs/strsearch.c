/* Search for words in a text: naive, Knuth-Morris-Pratt and Boyer-Moore-Horspool; the counts must agree. */
int printf(const char *format, ...);

#define LONGEST 32

static const char text[] =
    "it was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was "
    "the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the season of darkness, it "
    "was the spring of hope, it was the winter of despair";

int length(const char *s) {
  int n = 0;
  while (s[n])
    n++;
  return n;
}

char fold(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

int count_naive(const char *where, const char *what) {
  int found = 0, n = length(where), m = length(what);
  for (int i = 0; i + m <= n; i++) {
    int j = 0;
    while (j < m && fold(where[i + j]) == fold(what[j]))
      j++;
    found += j == m;
  }
  return found;
}

int count_kmp(const char *where, const char *what) {
  int border[LONGEST + 1], m = length(what), found = 0;
  border[0] = -1;
  for (int i = 0, k = -1; i < m;) {
    while (k >= 0 && fold(what[i]) != fold(what[k]))
      k = border[k];
    border[++i] = ++k;
  }
  for (int i = 0, k = 0; where[i]; i++) {
    while (k >= 0 && (k == m || fold(where[i]) != fold(what[k])))
      k = border[k];
    if (++k == m)
      found++;
  }
  return found;
}

int count_horspool(const char *where, const char *what) {
  int skip[256], n = length(where), m = length(what), found = 0;
  for (int c = 0; c < 256; c++)
    skip[c] = m;
  for (int i = 0; i < m - 1; i++)
    skip[(unsigned char)fold(what[i])] = m - 1 - i;
  for (int i = 0; i + m <= n; i += skip[(unsigned char)fold(where[i + m - 1])]) {
    int j = m - 1;
    while (j >= 0 && fold(where[i + j]) == fold(what[j]))
      j--;
    found += j < 0;
  }
  return found;
}

int main(void) {
  static const char *const words[] = {"was", "the", "Season", "of ", "spring of hope", "e", "winter of discontent"};
  int wrong = 0, total = 0;
  for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
    int expected = count_naive(text, words[i]);
    wrong += count_kmp(text, words[i]) != expected;
    wrong += count_horspool(text, words[i]) != expected;
    total += expected;
  }
  printf("%d %d\n", total, wrong);
  return wrong;
}

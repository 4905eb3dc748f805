/* Patterns with . * + ? ^ $: a matcher by backtracking, and one that follows all states at once. */
int printf(const char *format, ...);

int match_here(const char *pattern, const char *text);

int fits(char wanted, char c) { return c && (wanted == '.' || wanted == c); }

int match_many(const char *pattern, const char *text, int least, int most) {
  int count = 0;
  while (count < most && fits(pattern[0], text[count]))
    count++;
  for (; count >= least; count--)
    if (match_here(pattern + 2, text + count))
      return 1;
  return 0;
}

int match_here(const char *pattern, const char *text) {
  if (!*pattern)
    return 1;
  switch (pattern[1]) {
  case '*':
    return match_many(pattern, text, 0, 1000);
  case '+':
    return match_many(pattern, text, 1, 1000);
  case '?':
    return match_many(pattern, text, 0, 1);
  default:
    break;
  }
  if (*pattern == '$' && !pattern[1])
    return !*text;
  return fits(*pattern, *text) && match_here(pattern + 1, text + 1);
}

int search(const char *pattern, const char *text) {
  if (*pattern == '^')
    return match_here(pattern + 1, text);
  do
    if (match_here(pattern, text))
      return 1;
  while (*text++);
  return 0;
}

int is_repeat(char c) { return c == '*' || c == '+' || c == '?'; }

/* States are places in the pattern, one bit each; a place that may be skipped leads on at once. */
unsigned add_state(const char *pattern, int place, unsigned states) {
  states |= 1u << place;
  if (pattern[place] && (pattern[place + 1] == '*' || pattern[place + 1] == '?'))
    return add_state(pattern, place + 2, states);
  return states;
}

int search_by_states(const char *pattern, const char *text) {
  int is_anchored = *pattern == '^';
  pattern += is_anchored;
  unsigned states = add_state(pattern, 0, 0);
  for (;; text++) {
    unsigned next = is_anchored ? 0 : add_state(pattern, 0, 0);
    for (int place = 0; states >> place; place++) {
      if (!(states >> place & 1))
        continue;
      char c = pattern[place], repeat = c ? pattern[place + 1] : 0;
      if (!c || (c == '$' && !repeat && !*text))
        return 1;
      if (!fits(c, *text))
        continue;
      if (repeat == '*' || repeat == '+')
        next = add_state(pattern, place, next);
      next = add_state(pattern, place + 1 + is_repeat(repeat), next);
    }
    if (!*text)
      return 0;
    states = next;
  }
}

int main(void) {
  static const char *const patterns[] = {"^ab*c$", "a.c", "x+y?z", "colou?r", "^$", "b$", "e.*e.*e", "a+a+a+b"};
  static const char *const texts[] = {"abbbc", "xxz",     "the colour of abc", "",
                                      "aaab",  "cheesee", "aaaaaaaaaaaac",     "color me xyz"};
  int wrong = 0;
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 8; k++) {
      int first = search(patterns[i], texts[k]);
      wrong += first != search_by_states(patterns[i], texts[k]);
      printf("%d", first);
    }
    printf(i < 7 ? " " : "\n");
  }
  printf("%d\n", wrong);
  return wrong;
}

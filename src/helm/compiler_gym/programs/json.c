/* A checker of JSON texts that counts values, depth and characters of strings. */
int printf(const char *format, ...);

struct figures {
  int values, deepest, characters, sum;
};

static const char *at;
static struct figures figures;

int parse_value(int depth);

void skip_blanks(void) {
  while (*at == ' ' || *at == '\n' || *at == '\t')
    at++;
}

int is_digit(char c) { return c >= '0' && c <= '9'; }

int parse_word(const char *word) {
  for (; *word; word++)
    if (*at++ != *word)
      return 0;
  return 1;
}

int parse_string(void) {
  for (at++; *at != '"'; at++) {
    if ((unsigned char)*at < ' ')
      return 0;
    if (*at == '\\') {
      at++;
      if (*at == 'u') {
        for (int i = 0; i < 4; i++) {
          at++;
          if (!is_digit(*at) && !(*at >= 'a' && *at <= 'f'))
            return 0;
        }
      } else if (*at != 'n' && *at != '"' && *at != '\\') {
        return 0;
      }
    }
    figures.characters++;
  }
  at++;
  return 1;
}

int parse_number(void) {
  int sign = 1, value = 0;
  if (*at == '-') {
    sign = -1;
    at++;
  }
  if (!is_digit(*at) || (*at == '0' && is_digit(at[1])))
    return 0;
  for (; is_digit(*at); at++)
    value = value * 10 + (*at - '0');
  figures.sum += sign * value;
  if (*at == '.')
    for (at++; is_digit(*at); at++)
      figures.characters++;
  return at[-1] != '.';
}

int parse_members(char end, int has_keys, int depth) {
  at++;
  skip_blanks();
  if (*at == end) {
    at++;
    return 1;
  }
  for (;;) {
    skip_blanks();
    if (has_keys) {
      if (*at != '"' || !parse_string())
        return 0;
      skip_blanks();
      if (*at++ != ':')
        return 0;
    }
    if (!parse_value(depth))
      return 0;
    skip_blanks();
    char next = *at++;
    if (next == end)
      return 1;
    if (next != ',')
      return 0;
  }
}

int parse_value(int depth) {
  skip_blanks();
  figures.values++;
  if (depth > figures.deepest)
    figures.deepest = depth;
  switch (*at) {
  case '{':
    return parse_members('}', 1, depth + 1);
  case '[':
    return parse_members(']', 0, depth + 1);
  case '"':
    return parse_string();
  case 't':
    return parse_word("true");
  case 'f':
    return parse_word("false");
  case 'n':
    return parse_word("null");
  default:
    return parse_number();
  }
}

int main(void) {
  static const char *const texts[] = {
      "{\"name\": \"crc\", \"sizes\": [1, 22, -333], \"nested\": {\"a\": [[], {}, [true, false, null]]}}",
      "[1, 2,, 3]", "\"\\u00e9t\\\"e\\n\"", "{\"a\" 1}", "[[[[[[0.25]]]]]]", "01", "[\"open", "tru", " [ -7 , 8.5 ] "};
  static const int expected[] = {1, 0, 1, 0, 1, 0, 0, 0, 1};
  int wrong = 0;
  for (int i = 0; i < 9; i++) {
    struct figures none = {0, 0, 0, 0};
    figures = none;
    at = texts[i];
    int is_valid = parse_value(0);
    if (is_valid) {
      skip_blanks();
      is_valid = !*at;
    }
    wrong += is_valid != expected[i];
    printf("%d %d %d %d %d\n", is_valid, figures.values, figures.deepest, figures.characters, figures.sum);
  }
  return wrong;
}

/* Arithmetic by recursive descent and by Dijkstra's two stacks; the two must agree. */
int printf(const char *format, ...);

static const char *at;

int parse_sum(void);

int parse_atom(void) {
  while (*at == ' ')
    at++;
  if (*at == '-') {
    at++;
    return -parse_atom();
  }
  if (*at == '(') {
    at++;
    int value = parse_sum();
    while (*at == ' ')
      at++;
    at++;
    return value;
  }
  int value = 0;
  for (; *at >= '0' && *at <= '9'; at++)
    value = value * 10 + (*at - '0');
  while (*at == ' ')
    at++;
  return value;
}

int apply_operator(char operation, int a, int b) {
  switch (operation) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return b ? a / b : 0;
  default:
    return b ? a % b : 0;
  }
}

int parse_product(void) {
  int value = parse_atom();
  for (;;) {
    while (*at == ' ')
      at++;
    if (*at != '*' && *at != '/' && *at != '%')
      return value;
    char operation = *at++;
    value = apply_operator(operation, value, parse_atom());
  }
}

int parse_sum(void) {
  int value = parse_product();
  while (*at == '+' || *at == '-') {
    char operation = *at++;
    value = apply_operator(operation, value, parse_product());
  }
  return value;
}

int rank_of(char operation) { return operation == '(' ? 0 : operation == '+' || operation == '-' ? 1 : 2; }

int evaluate_by_stacks(const char *text) {
  int values[32], num_values = 0, num_operators = 0, wants_value = 1;
  char operators[32];
  for (;; text++) {
    if (*text == ' ')
      continue;
    if (*text >= '0' && *text <= '9') {
      int value = 0;
      for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (*text - '0');
      text--;
      values[num_values++] = value;
      wants_value = 0;
      continue;
    }
    if (*text == '(') {
      operators[num_operators++] = '(';
      continue;
    }
    if (*text == '-' && wants_value) {
      values[num_values++] = -1;
      operators[num_operators++] = '*';
      continue;
    }
    int rank = *text && *text != ')' ? rank_of(*text) : 1;
    while (num_operators && operators[num_operators - 1] != '(' && rank_of(operators[num_operators - 1]) >= rank) {
      int b = values[--num_values], a = values[--num_values];
      values[num_values++] = apply_operator(operators[--num_operators], a, b);
    }
    if (!*text)
      return values[0];
    if (*text == ')') {
      num_operators--;
    } else {
      operators[num_operators++] = *text;
      wants_value = 1;
    }
  }
}

int main(void) {
  static const char *const texts[] = {"1 + 2 * 3", "(1 + 2) * 3", "100 / 7 % 5", "2 * (3 + 4) * (5 - 6)", "-(4 - 9) * 3",
                                      "((((7))))", "8 - 3 - 2", "60 / 5 / 4", "12 * 12 - 11 * 11 + 7 % 4"};
  int wrong = 0, total = 0;
  for (int i = 0; i < 9; i++) {
    at = texts[i];
    int first = parse_sum(), second = evaluate_by_stacks(texts[i]);
    wrong += first != second;
    total += first;
    printf("%d ", first);
  }
  printf("%d %d\n", total, wrong);
  return wrong;
}

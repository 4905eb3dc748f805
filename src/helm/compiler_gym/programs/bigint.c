/* Long numbers: 50! and the 300th Fibonacci number in base 10000, and 60 digits of pi by a spigot. */
int printf(const char *format, ...);

#define LIMBS 40
#define BASE 10000

struct number {
  int size;
  int limbs[LIMBS];
};

void set_small(struct number *x, int value) {
  x->size = 1;
  x->limbs[0] = value;
}

void multiply_small(struct number *x, int factor) {
  int carry = 0;
  for (int i = 0; i < x->size; i++) {
    int product = x->limbs[i] * factor + carry;
    x->limbs[i] = product % BASE;
    carry = product / BASE;
  }
  while (carry) {
    x->limbs[x->size++] = carry % BASE;
    carry /= BASE;
  }
}

void add_number(struct number *x, const struct number *y) {
  int carry = 0, size = x->size > y->size ? x->size : y->size;
  for (int i = 0; i < size || carry; i++) {
    int sum = carry + (i < x->size ? x->limbs[i] : 0) + (i < y->size ? y->limbs[i] : 0);
    if (i >= x->size)
      x->size = i + 1;
    x->limbs[i] = sum % BASE;
    carry = sum / BASE;
  }
}

int divide_small(struct number *x, int divisor) {
  int rest = 0;
  for (int i = x->size - 1; i >= 0; i--) {
    int part = rest * BASE + x->limbs[i];
    x->limbs[i] = part / divisor;
    rest = part % divisor;
  }
  while (x->size > 1 && !x->limbs[x->size - 1])
    x->size--;
  return rest;
}

void print_number(const struct number *x) {
  printf("%d", x->limbs[x->size - 1]);
  for (int i = x->size - 2; i >= 0; i--)
    printf("%04d", x->limbs[i]);
  printf("\n");
}

void print_pi(int digits) {
  int parts[211], held = 0, nines = 0, is_first = 1;
  for (int i = 0; i < 211; i++)
    parts[i] = 2;
  for (int n = 0; n <= digits; n++) {
    int carry = 0;
    for (int i = 210; i > 0; i--) {
      int value = parts[i] * 10 + carry;
      parts[i] = value % (2 * i + 1);
      carry = value / (2 * i + 1) * i;
    }
    int value = parts[0] * 10 + carry, digit = value / 10;
    parts[0] = value % 10;
    if (digit == 9) {
      nines++;
      continue;
    }
    if (!is_first)
      printf("%d", held + digit / 10);
    for (; nines; nines--)
      printf("%d", digit / 10 ? 0 : 9);
    held = digit % 10;
    is_first = 0;
  }
  printf("\n");
}

int main(void) {
  struct number factorial, a, b;
  int wrong = 0;
  set_small(&factorial, 1);
  for (int i = 2; i <= 50; i++)
    multiply_small(&factorial, i);
  print_number(&factorial);
  set_small(&a, 0);
  set_small(&b, 1);
  for (int i = 0; i < 150; i++) {
    add_number(&a, &b);
    add_number(&b, &a);
  }
  print_number(&a);
  for (int i = 50; i >= 2; i--)
    wrong += divide_small(&factorial, i) != 0;
  wrong += factorial.size != 1 || factorial.limbs[0] != 1;
  print_pi(60);
  return wrong;
}

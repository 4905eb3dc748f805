/* Primes by two sieves and by the test of Miller and Rabin; factors after Pollard; greatest common divisors. */
int printf(const char *format, ...);

typedef unsigned int u32;
typedef unsigned long long u64;

#define LIMIT 3000

static unsigned char composite[LIMIT], by_euler[LIMIT];
static int found[LIMIT];

int sieve(void) {
  int count = 0;
  for (int i = 2; i < LIMIT; i++) {
    if (composite[i])
      continue;
    count++;
    for (int k = i * i; k < LIMIT; k += i)
      composite[k] = 1;
  }
  return count;
}

int sieve_linear(void) {
  int count = 0;
  for (int i = 2; i < LIMIT; i++) {
    if (!by_euler[i])
      found[count++] = i;
    for (int k = 0; k < count && i * found[k] < LIMIT; k++) {
      by_euler[i * found[k]] = 1;
      if (i % found[k] == 0)
        break;
    }
  }
  return count;
}

u32 power(u32 base, u32 exponent, u32 modulus) {
  u64 result = 1, square = base % modulus;
  for (; exponent; exponent >>= 1, square = square * square % modulus)
    if (exponent & 1)
      result = result * square % modulus;
  return (u32)result;
}

int is_prime(u32 n) {
  static const u32 witnesses[] = {2, 7, 61};
  if (n < 2 || n % 2 == 0)
    return n == 2;
  u32 odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2)
    twos++;
  for (int i = 0; i < 3; i++) {
    if (witnesses[i] % n == 0)
      continue;
    u64 x = power(witnesses[i], odd, n);
    int passed = x == 1;
    for (int k = 0; k < twos; k++, x = x * x % n)
      passed |= x == n - 1;
    if (!passed)
      return 0;
  }
  return 1;
}

u32 gcd(u32 a, u32 b) {
  while (b) {
    u32 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

u32 find_factor(u32 n) {
  for (u32 add = 1;; add++) {
    u64 slow = 2, fast = 2;
    u32 divisor = 1;
    while (divisor == 1) {
      slow = (slow * slow + add) % n;
      fast = (fast * fast + add) % n;
      fast = (fast * fast + add) % n;
      divisor = gcd((u32)(slow > fast ? slow - fast : fast - slow), n);
    }
    if (divisor != n)
      return divisor;
  }
}

int main(void) {
  int first = sieve(), second = sieve_linear(), wrong = first != second;
  for (int i = 2; i < LIMIT; i++)
    wrong += composite[i] != by_euler[i] || is_prime((u32)i) == composite[i];
  u32 factor = find_factor(8051u * 3), other = find_factor(1000003u * 1009u);
  printf("%d %d %d %u %u %u\n", first, found[first - 1], is_prime(2147483647u), factor, other, gcd(461952, 116298));
  return wrong || 8051u * 3 % factor || 1000003u * 1009u % other || !is_prime(4294967291u) || is_prime(4294967295u);
}

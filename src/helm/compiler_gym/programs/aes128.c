/* AES with a key of 128 bits: the example of FIPS 197, appendix C.1, encrypted and decrypted. */
int printf(const char *format, ...);

typedef unsigned char u8;

static u8 box[256], inverse[256], round_keys[176];

u8 times_two(u8 x) { return (u8)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

u8 multiply(u8 x, u8 y) {
  u8 product = 0;
  for (; y; y >>= 1, x = times_two(x))
    if (y & 1)
      product ^= x;
  return product;
}

void make_boxes(void) {
  u8 p = 1, q = 1;
  do {
    p = (u8)(p ^ times_two(p)); /* times 3 */
    q ^= (u8)(q << 1);          /* divided by 3 */
    q ^= (u8)(q << 2);
    q ^= (u8)(q << 4);
    if (q & 0x80)
      q ^= 0x09;
    u8 x = q;
    for (int i = 1; i < 5; i++)
      x ^= (u8)(q << i | q >> (8 - i));
    box[p] = x ^ 0x63;
  } while (p != 1);
  box[0] = 0x63;
  for (int i = 0; i < 256; i++)
    inverse[box[i]] = (u8)i;
}

void expand_key(const u8 *key) {
  u8 constant = 1;
  for (int i = 0; i < 176; i++) {
    if (i < 16) {
      round_keys[i] = key[i];
      continue;
    }
    u8 previous = round_keys[i - 4];
    if (i % 16 < 4) {
      previous = box[round_keys[i % 4 == 3 ? i - 7 : i - 3]];
      if (i % 16 == 0) {
        previous ^= constant;
        constant = times_two(constant);
      }
    }
    round_keys[i] = round_keys[i - 16] ^ previous;
  }
}

void add_key(u8 *state, int round) {
  for (int i = 0; i < 16; i++)
    state[i] ^= round_keys[16 * round + i];
}

void substitute_and_shift(u8 *state, const u8 *table, int step) {
  u8 old[16];
  for (int i = 0; i < 16; i++)
    old[i] = state[i];
  for (int i = 0; i < 16; i++)
    state[i] = table[old[(i + step * (i % 4) + 64) % 16]];
}

void mix_columns(u8 *state, u8 a, u8 b, u8 c, u8 d) {
  for (int column = 0; column < 16; column += 4) {
    u8 old[4] = {state[column], state[column + 1], state[column + 2], state[column + 3]};
    for (int i = 0; i < 4; i++)
      state[column + i] = multiply(old[i], a) ^ multiply(old[(i + 1) % 4], b) ^ multiply(old[(i + 2) % 4], c) ^
                          multiply(old[(i + 3) % 4], d);
  }
}

void encrypt(u8 *state) {
  add_key(state, 0);
  for (int round = 1; round <= 10; round++) {
    substitute_and_shift(state, box, 4);
    if (round < 10)
      mix_columns(state, 2, 3, 1, 1);
    add_key(state, round);
  }
}

void decrypt(u8 *state) {
  for (int round = 10; round >= 1; round--) {
    add_key(state, round);
    if (round < 10)
      mix_columns(state, 14, 11, 13, 9);
    substitute_and_shift(state, inverse, -4);
  }
  add_key(state, 0);
}

int main(void) {
  static const u8 expected[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                  0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  u8 key[16], state[16];
  int wrong = 0;
  for (int i = 0; i < 16; i++) {
    key[i] = (u8)i;
    state[i] = (u8)(i * 0x11);
  }
  make_boxes();
  expand_key(key);
  encrypt(state);
  for (int i = 0; i < 16; i++) {
    printf("%02x", state[i]);
    wrong += state[i] != expected[i];
  }
  decrypt(state);
  for (int i = 0; i < 16; i++)
    wrong += state[i] != (u8)(i * 0x11);
  printf(" %d\n", wrong);
  return wrong != 0;
}

/* SipHash-2-4 of messages of 0 to 63 bytes under the key 00 01 ... 0f. */
int printf(const char *format, ...);

typedef unsigned long long u64;

u64 rotate_left(u64 x, int by) { return x << by | x >> (64 - by); }

void mix(u64 *v) {
  v[0] += v[1];
  v[1] = rotate_left(v[1], 13) ^ v[0];
  v[0] = rotate_left(v[0], 32);
  v[2] += v[3];
  v[3] = rotate_left(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = rotate_left(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = rotate_left(v[1], 17) ^ v[2];
  v[2] = rotate_left(v[2], 32);
}

u64 read_word(const unsigned char *bytes, int count) {
  u64 word = 0;
  for (int i = 0; i < count; i++)
    word |= (u64)bytes[i] << 8 * i;
  return word;
}

u64 siphash(const unsigned char *key, const unsigned char *message, int length) {
  u64 k0 = read_word(key, 8), k1 = read_word(key + 8, 8);
  u64 v[4] = {k0 ^ 0x736f6d6570736575ull, k1 ^ 0x646f72616e646f6dull, k0 ^ 0x6c7967656e657261ull,
              k1 ^ 0x7465646279746573ull};
  for (int at = 0; at <= length; at += 8) {
    int left = length - at;
    u64 word = left >= 8 ? read_word(message + at, 8) : read_word(message + at, left) | (u64)length << 56;
    v[3] ^= word;
    mix(v);
    mix(v);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  for (int i = 0; i < 4; i++)
    mix(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

int main(void) {
  unsigned char key[16], message[64];
  u64 all = 0;
  for (int i = 0; i < 64; i++) {
    message[i] = (unsigned char)i;
    if (i < 16)
      key[i] = (unsigned char)i;
  }
  for (int length = 0; length < 64; length++)
    all = rotate_left(all, 1) ^ siphash(key, message, length);
  printf("%016llx %016llx %016llx\n", siphash(key, message, 0), siphash(key, message, 15), all);
  return siphash(key, message, 0) != 0x726fdb47dd0e0e31ull || siphash(key, message, 15) != 0xa129ca6149be45e5ull;
}

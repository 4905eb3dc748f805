/* SHA-256 of a message of several blocks, with padding. */
int printf(const char *format, ...);

typedef unsigned int word;

typedef struct {
  word state[8];
  unsigned char block[64];
  unsigned used;
  unsigned long long length;
} hasher;

static const word constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

word rotate_right(word value, int count) { return (value >> count) | (value << (32 - count)); }

void start(hasher *h) {
  static const word initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 8; i++)
    h->state[i] = initial[i];
  h->used = 0;
  h->length = 0;
}

void compress(hasher *h) {
  word w[64];
  for (int i = 0; i < 16; i++)
    w[i] = (word)h->block[4 * i] << 24 | (word)h->block[4 * i + 1] << 16 | (word)h->block[4 * i + 2] << 8 | h->block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    word low = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
    word high = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + low + w[i - 7] + high;
  }
  word a = h->state[0], b = h->state[1], c = h->state[2], d = h->state[3];
  word e = h->state[4], f = h->state[5], g = h->state[6], k = h->state[7];
  for (int i = 0; i < 64; i++) {
    word t1 = k + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    word t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    k = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  h->state[0] += a, h->state[1] += b, h->state[2] += c, h->state[3] += d;
  h->state[4] += e, h->state[5] += f, h->state[6] += g, h->state[7] += k;
  h->used = 0;
}

void add_byte(hasher *h, unsigned char byte) {
  h->block[h->used++] = byte;
  if (h->used == 64)
    compress(h);
}

void add(hasher *h, const char *text) {
  for (; *text; text++) {
    add_byte(h, *text);
    h->length += 8;
  }
}

void finish(hasher *h) {
  unsigned long long length = h->length;
  add_byte(h, 0x80);
  while (h->used != 56)
    add_byte(h, 0);
  for (int shift = 56; shift >= 0; shift -= 8)
    add_byte(h, length >> shift);
}

int main(void) {
  hasher h;
  start(&h);
  for (int i = 0; i < 20; i++)
    add(&h, "the quick brown fox jumps over the lazy dog; ");
  finish(&h);
  for (int i = 0; i < 8; i++)
    printf("%08x", h.state[i]);
  printf("\n");
  return 0;
}

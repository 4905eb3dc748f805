/* The ChaCha20 stream cipher: the block of RFC 8439, section 2.3.2, and a message there and back. */
int printf(const char *format, ...);

typedef unsigned int u32;

void quarter_round(u32 *x, int a, int b, int c, int d) {
  x[a] += x[b];
  x[d] ^= x[a];
  x[d] = x[d] << 16 | x[d] >> 16;
  x[c] += x[d];
  x[b] ^= x[c];
  x[b] = x[b] << 12 | x[b] >> 20;
  x[a] += x[b];
  x[d] ^= x[a];
  x[d] = x[d] << 8 | x[d] >> 24;
  x[c] += x[d];
  x[b] ^= x[c];
  x[b] = x[b] << 7 | x[b] >> 25;
}

void make_block(const u32 *key, u32 counter, const u32 *nonce, u32 *out) {
  u32 start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; i++)
    start[4 + i] = key[i];
  start[12] = counter;
  for (int i = 0; i < 3; i++)
    start[13 + i] = nonce[i];
  for (int i = 0; i < 16; i++)
    out[i] = start[i];
  for (int i = 0; i < 10; i++) {
    quarter_round(out, 0, 4, 8, 12);
    quarter_round(out, 1, 5, 9, 13);
    quarter_round(out, 2, 6, 10, 14);
    quarter_round(out, 3, 7, 11, 15);
    quarter_round(out, 0, 5, 10, 15);
    quarter_round(out, 1, 6, 11, 12);
    quarter_round(out, 2, 7, 8, 13);
    quarter_round(out, 3, 4, 9, 14);
  }
  for (int i = 0; i < 16; i++)
    out[i] += start[i];
}

void crypt(unsigned char *data, int size, const u32 *key, const u32 *nonce) {
  u32 block[16];
  for (int i = 0; i < size; i++) {
    if (i % 64 == 0)
      make_block(key, 1 + (u32)i / 64, nonce, block);
    data[i] ^= (unsigned char)(block[i % 64 / 4] >> i % 4 * 8);
  }
}

int main(void) {
  static unsigned char text[200];
  u32 key[8], nonce[3] = {0x09000000, 0x4a000000, 0}, block[16], digest = 0;
  for (u32 i = 0; i < 8; i++)
    key[i] = 0x03020100u + i * 0x04040404u;
  make_block(key, 1, nonce, block);
  for (int i = 0; i < 16; i++)
    printf("%08x%s", block[i], i % 4 == 3 ? "\n" : " ");
  for (int i = 0; i < 200; i++)
    text[i] = (unsigned char)(i * 7);
  crypt(text, 200, key, nonce);
  for (int i = 0; i < 200; i++)
    digest = digest * 31 + text[i];
  crypt(text, 200, key, nonce);
  int wrong = block[0] != 0xe4e7f110 || block[15] != 0x4e3c50a2;
  for (int i = 0; i < 200; i++)
    wrong += text[i] != (unsigned char)(i * 7);
  printf("%08x %d\n", digest, wrong);
  return wrong != 0;
}

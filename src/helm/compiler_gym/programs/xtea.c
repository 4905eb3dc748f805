/* The block ciphers XTEA and RC4, there and back. */
int printf(const char *format, ...);

typedef unsigned int u32;

void xtea_encrypt(u32 *v, const u32 *key) {
  u32 sum = 0;
  for (int i = 0; i < 32; i++) {
    v[0] += ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + key[sum & 3]);
    sum += 0x9E3779B9u;
    v[1] += ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + key[sum >> 11 & 3]);
  }
}

void xtea_decrypt(u32 *v, const u32 *key) {
  u32 sum = 0x9E3779B9u * 32;
  for (int i = 0; i < 32; i++) {
    v[1] -= ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + key[sum >> 11 & 3]);
    sum -= 0x9E3779B9u;
    v[0] -= ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + key[sum & 3]);
  }
}

void rc4(const unsigned char *key, int key_length, unsigned char *data, int length) {
  unsigned char s[256];
  for (int i = 0; i < 256; i++)
    s[i] = (unsigned char)i;
  for (int i = 0, j = 0; i < 256; i++) {
    j = (j + s[i] + key[i % key_length]) & 255;
    unsigned char moved = s[i];
    s[i] = s[j];
    s[j] = moved;
  }
  for (int k = 0, i = 0, j = 0; k < length; k++) {
    i = (i + 1) & 255;
    j = (j + s[i]) & 255;
    unsigned char moved = s[i];
    s[i] = s[j];
    s[j] = moved;
    data[k] ^= s[(s[i] + s[j]) & 255];
  }
}

int main(void) {
  u32 key[4] = {0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f}, v[2] = {0x41424344, 0x45464748};
  xtea_encrypt(v, key);
  int wrong = v[0] != 0x497df3d0 || v[1] != 0x72612cb5;
  printf("%08x %08x\n", v[0], v[1]);
  for (int i = 0; i < 20; i++)
    xtea_encrypt(v, key);
  for (int i = 0; i < 21; i++)
    xtea_decrypt(v, key);
  wrong += v[0] != 0x41424344 || v[1] != 0x45464748;
  unsigned char text[] = "Plaintext";
  rc4((const unsigned char *)"Key", 3, text, 9);
  for (int i = 0; i < 9; i++)
    printf("%02X", text[i]);
  wrong += text[0] != 0xBB || text[8] != 0xD3;
  rc4((const unsigned char *)"Key", 3, text, 9);
  printf(" %s %d\n", (char *)text, wrong);
  return wrong != 0;
}

/* MD5 of messages of one and of several blocks. The table of sines is given as whole numbers. */
int printf(const char *format, ...);

typedef unsigned int u32;

static const u32 sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const unsigned char shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

void digest_block(u32 *state, const unsigned char *block) {
  u32 words[16], a = state[0], b = state[1], c = state[2], d = state[3];
  for (int i = 0; i < 16; i++)
    words[i] = block[4 * i] | block[4 * i + 1] << 8 | block[4 * i + 2] << 16 | (u32)block[4 * i + 3] << 24;
  for (int i = 0; i < 64; i++) {
    u32 f;
    int k;
    switch (i / 16) {
    case 0:
      f = (b & c) | (~b & d);
      k = i;
      break;
    case 1:
      f = (d & b) | (~d & c);
      k = (5 * i + 1) % 16;
      break;
    case 2:
      f = b ^ c ^ d;
      k = (3 * i + 5) % 16;
      break;
    default:
      f = c ^ (b | ~d);
      k = 7 * i % 16;
    }
    u32 sum = a + f + sines[i] + words[k];
    int shift = shifts[i / 16 * 4 + i % 4];
    a = d;
    d = c;
    c = b;
    b += sum << shift | sum >> (32 - shift);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void md5(const unsigned char *message, int length, u32 *state) {
  unsigned char block[64];
  state[0] = 0x67452301;
  state[1] = 0xefcdab89;
  state[2] = 0x98badcfe;
  state[3] = 0x10325476;
  int total = (length + 8) / 64 * 64 + 64;
  for (int start = 0; start < total; start += 64) {
    for (int i = 0; i < 64; i++) {
      int at = start + i, from_end = at - (total - 8);
      if (at < length)
        block[i] = message[at];
      else if (at == length)
        block[i] = 0x80;
      else
        block[i] = from_end >= 0 && from_end < 4 ? (unsigned char)((u32)length * 8 >> 8 * from_end) : 0;
    }
    digest_block(state, block);
  }
}

void print_digest(const u32 *state) {
  for (int i = 0; i < 16; i++)
    printf("%02x", state[i / 4] >> i % 4 * 8 & 255);
  printf("\n");
}

int main(void) {
  static unsigned char message[300];
  u32 state[4];
  md5(message, 0, state);
  print_digest(state);
  int wrong = state[0] != 0xd98c1dd4;
  for (int i = 0; i < 300; i++)
    message[i] = (unsigned char)("abcdefghij"[i % 10]);
  for (int length = 50; length <= 300; length += 50) {
    md5(message, length, state);
    print_digest(state);
  }
  return wrong;
}

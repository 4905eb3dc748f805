/* Compression in the manner of LZ77 with a hash of three bytes, and back again. */
int printf(const char *format, ...);

#define SIZE 2000

static unsigned char text[SIZE], packed[2 * SIZE], unpacked[SIZE];
static int last_seen[256];

int compress(const unsigned char *in, int size, unsigned char *out) {
  int at = 0, written = 0;
  for (int i = 0; i < 256; i++)
    last_seen[i] = -1;
  while (at < size) {
    int length = 0, distance = 0;
    if (at + 3 <= size) {
      int slot = (in[at] * 7 + in[at + 1] * 31 + in[at + 2] * 127) & 255, candidate = last_seen[slot];
      if (candidate >= 0 && at - candidate < 256) {
        distance = at - candidate;
        while (length < 255 && at + length < size && in[candidate + length] == in[at + length])
          length++;
      }
      last_seen[slot] = at;
    }
    if (length >= 4) {
      out[written++] = 0;
      out[written++] = (unsigned char)distance;
      out[written++] = (unsigned char)length;
      at += length;
    } else {
      if (in[at] == 0)
        out[written++] = 0;
      out[written++] = in[at];
      at++;
    }
  }
  return written;
}

int decompress(const unsigned char *in, int size, unsigned char *out) {
  int written = 0;
  for (int at = 0; at < size; at++) {
    if (in[at]) {
      out[written++] = in[at];
    } else if (in[++at] == 0) {
      out[written++] = 0;
    } else {
      int distance = in[at++];
      for (int length = in[at]; length > 0; length--, written++)
        out[written] = out[written - distance];
    }
  }
  return written;
}

int main(void) {
  static const char *const words[] = {"loop ", "pass ", "inline ", "vector ", "block\n", "unroll "};
  unsigned state = 3;
  int size = 0, wrong = 0, digest = 0;
  while (size < SIZE) {
    state = state * 1103515245u + 12345u;
    for (const char *word = words[(state >> 16) % 6]; *word && size < SIZE; word++)
      text[size++] = (unsigned char)*word;
    if (state >> 28 == 0 && size < SIZE)
      text[size++] = 0;
  }
  int packed_size = compress(text, size, packed);
  int unpacked_size = decompress(packed, packed_size, unpacked);
  for (int i = 0; i < size; i++)
    wrong += text[i] != unpacked[i];
  for (int i = 0; i < packed_size; i++)
    digest = (digest * 31 + packed[i]) & 0xFFFFFF;
  printf("%d %d %d %d\n", packed_size, unpacked_size, digest, wrong);
  return wrong || unpacked_size != size || packed_size >= size;
}

/* LZW compression with codes of up to 12 bits, and back again. */
int printf(const char *format, ...);

#define SIZE 1200
#define CODES 4096

static unsigned char text[SIZE], unpacked[SIZE + 16], last[CODES];
static short prefix[CODES], codes[SIZE];

int find_code(int from, int symbol, int count) {
  for (int code = 256; code < count; code++)
    if (prefix[code] == from && last[code] == symbol)
      return code;
  return -1;
}

int compress_text(void) {
  int count = 256, written = 0, current = text[0];
  for (int i = 1; i < SIZE; i++) {
    int longer = find_code(current, text[i], count);
    if (longer >= 0) {
      current = longer;
      continue;
    }
    codes[written++] = (short)current;
    if (count < CODES) {
      prefix[count] = (short)current;
      last[count++] = text[i];
    }
    current = text[i];
  }
  codes[written++] = (short)current;
  return written;
}

int expand(int code, unsigned char *out) {
  if (code < 256) {
    out[0] = (unsigned char)code;
    return 1;
  }
  int length = expand(prefix[code], out);
  out[length] = last[code];
  return length + 1;
}

int decompress_text(int size) {
  int count = 256, written = expand(codes[0], unpacked);
  for (int i = 1; i < size; i++) {
    int previous = codes[i - 1], code = codes[i];
    unsigned char scratch[SIZE];
    expand(code < count ? code : previous, scratch);
    prefix[count] = (short)previous;
    last[count++] = scratch[0];
    written += expand(code, unpacked + written);
  }
  return written;
}

int main(void) {
  unsigned state = 17;
  for (int i = 0; i < SIZE; i++) {
    state = state * 69069u + 1u;
    text[i] = (unsigned char)("abracadabra simsalabim "[(i + (state >> 29 == 0 ? 3 : 0)) % 23]);
  }
  int size = compress_text(), unpacked_size = decompress_text(size), wrong = unpacked_size != SIZE, digest = 0;
  for (int i = 0; i < SIZE; i++)
    wrong += text[i] != unpacked[i];
  for (int i = 0; i < size; i++)
    digest = (digest * 31 + codes[i]) & 0xFFFFFF;
  printf("%d %d %d\n", size, digest, wrong);
  return wrong != 0;
}

/* Base64, UTF-8, numbers of variable length (LEB128) and run lengths: each there and back. */
int printf(const char *format, ...);

typedef unsigned char u8;

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int encode_base64(const u8 *in, int size, char *out) {
  int written = 0;
  for (int i = 0; i < size; i += 3) {
    int left = size - i, word = in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) | (left > 2 ? in[i + 2] : 0);
    for (int k = 0; k < 4; k++)
      out[written++] = k <= left ? letters[word >> (18 - 6 * k) & 63] : '=';
  }
  out[written] = 0;
  return written;
}

int letter_value(char c) {
  for (int i = 0; i < 64; i++)
    if (letters[i] == c)
      return i;
  return -1;
}

int decode_base64(const char *in, u8 *out) {
  int written = 0, word = 0, bits = 0;
  for (; *in && *in != '='; in++) {
    word = (word << 6 | letter_value(*in)) & 0xFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[written++] = (u8)(word >> bits);
    }
  }
  return written;
}

int put_utf8(int code, u8 *out) {
  if (code < 0x80) {
    out[0] = (u8)code;
    return 1;
  }
  int count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = count - 1; i > 0; i--, code >>= 6)
    out[i] = (u8)(0x80 | (code & 0x3F));
  out[0] = (u8)(0xF00 >> count | code);
  return count;
}

int get_utf8(const u8 *in, int *code) {
  int count = in[0] < 0x80 ? 1 : in[0] < 0xE0 ? 2 : in[0] < 0xF0 ? 3 : 4;
  *code = count == 1 ? in[0] : in[0] & (0x7F >> count);
  for (int i = 1; i < count; i++)
    *code = *code << 6 | (in[i] & 0x3F);
  return count;
}

int put_varint(unsigned value, u8 *out) {
  int count = 0;
  for (; value >= 0x80; value >>= 7)
    out[count++] = (u8)(value | 0x80);
  out[count++] = (u8)value;
  return count;
}

unsigned get_varint(const u8 *in) {
  unsigned value = 0;
  int shift = 0;
  for (; *in & 0x80; in++, shift += 7)
    value |= (unsigned)(*in & 0x7F) << shift;
  return value | (unsigned)*in << shift;
}

int pack_runs(const u8 *in, int size, u8 *out) {
  int written = 0;
  for (int i = 0; i < size;) {
    int run = 1;
    while (run < 255 && i + run < size && in[i + run] == in[i])
      run++;
    out[written++] = (u8)run;
    out[written++] = in[i];
    i += run;
  }
  return written;
}

int main(void) {
  static const int codes[] = {0x24, 0xA2, 0x20AC, 0x10348, 0x7FF, 0x800, 0xFFFD};
  static const unsigned numbers[] = {0, 127, 128, 300, 624485, 0xFFFFFFFFu};
  u8 bytes[64], back[128];
  char text[128];
  int wrong = 0, total = 0;
  for (int size = 0; size < 20; size++) {
    for (int i = 0; i < size; i++)
      bytes[i] = (u8)(i * 53 + size);
    encode_base64(bytes, size, text);
    wrong += decode_base64(text, back) != size;
    for (int i = 0; i < size; i++)
      wrong += bytes[i] != back[i];
  }
  encode_base64((const u8 *)"light work.", 11, text);
  printf("%s\n", text);
  wrong += text[15] != '=' || text[14] != '4';
  for (int i = 0; i < 7; i++) {
    int code, count = put_utf8(codes[i], bytes);
    wrong += get_utf8(bytes, &code) != count || code != codes[i];
    for (int k = 0; k < count; k++)
      total = total * 31 % 65521 + bytes[k];
  }
  for (int i = 0; i < 6; i++) {
    total += 100 * put_varint(numbers[i], bytes);
    wrong += get_varint(bytes) != numbers[i];
  }
  for (int i = 0; i < 64; i++)
    bytes[i] = (u8)(i * i / 300);
  int packed = pack_runs(bytes, 64, back), length = 0;
  for (int i = 0; i < packed; i += 2)
    length += back[i];
  printf("%d %d %d %d\n", total, packed, length, wrong);
  return wrong || length != 64;
}

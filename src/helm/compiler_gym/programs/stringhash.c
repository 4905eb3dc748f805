/* Hashes of words: FNV-1a, djb2, sdbm, Adler-32, Fletcher-16 and MurmurHash3 (32 bits). */
int printf(const char *format, ...);

typedef unsigned int u32;

int length_of(const char *text) {
  int length = 0;
  while (text[length])
    length++;
  return length;
}

u32 fnv1a(const char *text) {
  u32 hash = 2166136261u;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

u32 djb2(const char *text) {
  u32 hash = 5381;
  for (; *text; text++)
    hash = hash * 33 + (unsigned char)*text;
  return hash;
}

u32 sdbm(const char *text) {
  u32 hash = 0;
  for (; *text; text++)
    hash = (unsigned char)*text + (hash << 6) + (hash << 16) - hash;
  return hash;
}

u32 adler32(const char *text) {
  u32 a = 1, b = 0;
  for (; *text; text++) {
    a = (a + (unsigned char)*text) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

u32 fletcher16(const char *text) {
  u32 a = 0, b = 0;
  for (; *text; text++) {
    a = (a + (unsigned char)*text) % 255;
    b = (b + a) % 255;
  }
  return b << 8 | a;
}

u32 rotate(u32 x, int by) { return x << by | x >> (32 - by); }

u32 scramble(u32 k) { return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u; }

u32 murmur3(const char *text, u32 seed) {
  const unsigned char *data = (const unsigned char *)text;
  int length = length_of(text), whole = length & ~3;
  u32 hash = seed, rest = 0;
  for (int i = 0; i < whole; i += 4) {
    u32 word = data[i] | data[i + 1] << 8 | data[i + 2] << 16 | (u32)data[i + 3] << 24;
    hash = rotate(hash ^ scramble(word), 13) * 5 + 0xe6546b64u;
  }
  for (int i = length - 1; i >= whole; i--)
    rest = rest << 8 | data[i];
  hash ^= scramble(rest);
  hash ^= (u32)length;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

int main(void) {
  static const char *const words[] = {"", "a", "abc", "Wikipedia", "The quick brown fox jumps over the lazy dog"};
  for (int i = 0; i < 5; i++)
    printf("%08x %08x %08x %08x %04x %08x\n", fnv1a(words[i]), djb2(words[i]), sdbm(words[i]), adler32(words[i]),
           fletcher16(words[i]), murmur3(words[i], 0x9747b28cu));
  return fnv1a("a") != 0xe40c292cu || adler32("Wikipedia") != 0x11E60398u || fletcher16("abcde") != 0xC8F0u ||
         murmur3("", 1) != 0x514E28B7u;
}

/* CRC-32 (polynomial 0xEDB88320) of a generated message, by table, by bits and by nibbles; the three must agree. */
int printf(const char *format, ...);

#define SIZE 1024

static unsigned table[256];
static unsigned char message[SIZE];

void make_table(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned value = i;
    for (int bit = 0; bit < 8; bit++)
      value = value & 1 ? (value >> 1) ^ 0xEDB88320u : value >> 1;
    table[i] = value;
  }
}

unsigned crc_by_table(const unsigned char *data, int size) {
  unsigned crc = 0xFFFFFFFFu;
  for (int i = 0; i < size; i++)
    crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
  return crc ^ 0xFFFFFFFFu;
}

unsigned crc_by_bits(const unsigned char *data, int size) {
  unsigned crc = 0xFFFFFFFFu;
  for (int i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      unsigned mask = -(crc & 1);
      crc = (crc >> 1) ^ (0xEDB88320u & mask);
    }
  }
  return ~crc;
}

unsigned crc_by_nibbles(const unsigned char *data, int size) {
  static const unsigned half[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                    0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                    0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
  unsigned crc = 0xFFFFFFFFu;
  for (int i = 0; i < size; i++) {
    crc = half[(crc ^ data[i]) & 0x0F] ^ (crc >> 4);
    crc = half[(crc ^ (data[i] >> 4)) & 0x0F] ^ (crc >> 4);
  }
  return ~crc;
}

int main(void) {
  unsigned state = 12345;
  make_table();
  for (int i = 0; i < SIZE; i++) {
    state = state * 1103515245u + 12345u;
    message[i] = state >> 16;
  }
  unsigned first = crc_by_table(message, SIZE);
  unsigned second = crc_by_bits(message, SIZE);
  unsigned third = crc_by_nibbles(message, SIZE);
  printf("%08x %d\n", first, first == second && second == third);
  return first == second && second == third ? 0 : 1;
}

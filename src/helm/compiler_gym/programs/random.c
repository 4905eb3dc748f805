/* Generators of random numbers: Mersenne twister, xorshift128+, PCG32 and Park-Miller; pi and a shuffle from them. */
int printf(const char *format, ...);

typedef unsigned int u32;
typedef unsigned long long u64;

static u32 twister[624];
static int twister_at = 624;

void seed_twister(u32 seed) {
  twister[0] = seed;
  for (u32 i = 1; i < 624; i++)
    twister[i] = 1812433253u * (twister[i - 1] ^ twister[i - 1] >> 30) + i;
  twister_at = 624;
}

u32 next_twister(void) {
  if (twister_at == 624) {
    for (int i = 0; i < 624; i++) {
      u32 y = (twister[i] & 0x80000000u) | (twister[(i + 1) % 624] & 0x7FFFFFFFu);
      twister[i] = twister[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908B0DFu : 0);
    }
    twister_at = 0;
  }
  u32 y = twister[twister_at++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9D2C5680u;
  y ^= y << 15 & 0xEFC60000u;
  return y ^ y >> 18;
}

u64 next_xorshift(u64 *state) {
  u64 a = state[0], b = state[1];
  state[0] = b;
  a ^= a << 23;
  state[1] = a ^ b ^ a >> 18 ^ b >> 5;
  return state[1] + b;
}

u32 next_pcg(u64 *state, u64 stream) {
  u64 old = *state;
  *state = old * 6364136223846793005ull + (stream | 1);
  u32 mixed = (u32)((old >> 18 ^ old) >> 27), turn = (u32)(old >> 59);
  return mixed >> turn | mixed << ((32 - turn) & 31);
}

u32 next_park_miller(u32 state) { return (u32)((u64)state * 48271 % 2147483647); }

int main(void) {
  u64 xorshift[2] = {1, 2}, pcg = 0, last = 0;
  u32 park = 1, digest = 0;
  int cards[52], inside = 0;
  seed_twister(5489);
  u32 first = next_twister();
  for (int i = 1; i < 9999; i++)
    next_twister();
  u32 ten_thousandth = next_twister();
  for (int i = 0; i < 1000; i++)
    last = next_xorshift(xorshift);
  next_pcg(&pcg, 109);
  pcg += 42;
  next_pcg(&pcg, 109);
  for (int i = 0; i < 10000; i++)
    park = next_park_miller(park);
  for (int i = 0; i < 2000; i++) {
    u32 x = next_pcg(&pcg, 109) >> 17, y = next_pcg(&pcg, 109) >> 17;
    inside += x * x + y * y < 1u << 30;
  }
  for (int i = 0; i < 52; i++)
    cards[i] = i;
  for (int i = 51; i > 0; i--) {
    int k = (int)(next_twister() % (u32)(i + 1)), moved = cards[i];
    cards[i] = cards[k];
    cards[k] = moved;
  }
  for (int i = 0; i < 52; i++)
    digest = digest * 31 + (u32)cards[i];
  printf("%u %u %016llx %u %d %08x\n", first, ten_thousandth, last, park, inside, digest);
  return first != 3499211612u || ten_thousandth != 4123659995u || park != 399268537u;
}

/* Sound in four bits a sample (ADPCM after IMA), there and back, with the error that remains; and a moving average. */
int printf(const char *format, ...);

#define SIZE 500

static const int index_steps[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
static int steps[89], samples[SIZE], decoded[SIZE], smooth[SIZE];
static unsigned char codes[SIZE];

struct state {
  int value, index;
};

int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

void make_steps(void) {
  int step = 7000;
  for (int i = 0; i < 89; i++) {
    steps[i] = step / 1000;
    step += step / 10;
    if (step > 32767000)
      step = 32767000;
  }
}

void advance(struct state *state, int code) {
  int step = steps[state->index], change = step >> 3;
  if (code & 4)
    change += step;
  if (code & 2)
    change += step >> 1;
  if (code & 1)
    change += step >> 2;
  state->value = clamp(state->value + (code & 8 ? -change : change), -32768, 32767);
  state->index = clamp(state->index + index_steps[code & 7], 0, 88);
}

int encode_sample(struct state *state, int sample) {
  int step = steps[state->index], change = sample - state->value, code = 0;
  if (change < 0) {
    code = 8;
    change = -change;
  }
  for (int bit = 4; bit; bit >>= 1, step >>= 1)
    if (change >= step) {
      code |= bit;
      change -= step;
    }
  advance(state, code);
  return code;
}

int main(void) {
  struct state encoder = {0, 0}, decoder = {0, 0};
  int a = 0, b = 9000, digest = 0, worst = 0, wrong = 0;
  make_steps();
  for (int i = 0; i < SIZE; i++) { /* two coupled numbers that swing */
    a += b / 16;
    b -= a / 16;
    samples[i] = a + i % 5 * 100;
    codes[i] = (unsigned char)encode_sample(&encoder, samples[i]);
  }
  for (int i = 0; i < SIZE; i++) {
    advance(&decoder, codes[i]);
    decoded[i] = decoder.value;
    int error = decoded[i] - samples[i];
    error = error < 0 ? -error : error;
    if (i >= 60 && error > worst)
      worst = error;
    digest = (digest * 17 + codes[i]) & 0xFFFFFF;
  }
  int sum = 0;
  for (int i = 0; i < SIZE; i++) {
    sum += decoded[i] - (i >= 8 ? decoded[i - 8] : 0);
    smooth[i] = sum / 8;
  }
  for (int i = 7; i < SIZE; i++) {
    int again = 0;
    for (int k = 0; k < 8; k++)
      again += decoded[i - k];
    wrong += again / 8 != smooth[i];
  }
  wrong += decoder.value != encoder.value || decoder.index != encoder.index;
  printf("%d %d %d %d\n", digest, worst, smooth[SIZE - 1], wrong);
  return wrong || worst > 3000;
}

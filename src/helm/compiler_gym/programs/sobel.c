/* A generated picture: blur by box and by Gauss, edges after Sobel, dithering after Floyd and Steinberg. */
int printf(const char *format, ...);

#define WIDTH 40
#define HEIGHT 30

typedef unsigned char u8;

static u8 picture[HEIGHT][WIDTH], blurred[HEIGHT][WIDTH], edges[HEIGHT][WIDTH];
static int levels[HEIGHT + 1][WIDTH + 2];

void draw(void) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int dx = x - 18, dy = y - 14;
      picture[y][x] = (u8)(dx * dx + dy * dy < 90 ? 220 - 3 * dy : (x * 5 + y * 3) % 120);
    }
}

int filter(int y, int x, const int *kernel) {
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += kernel[i] * picture[y + i / 3 - 1][x + i % 3 - 1];
  return sum;
}

int clamp(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

int distance(int x) { return x < 0 ? -x : x; }

void dither(void) {
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      levels[y][x + 1] = picture[y][x];
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++) {
      int old = levels[y][x], error;
      levels[y][x] = old > 127 ? 255 : 0;
      error = old - levels[y][x];
      levels[y][x + 1] += error * 7 / 16;
      levels[y + 1][x - 1] += error * 3 / 16;
      levels[y + 1][x] += error * 5 / 16;
      levels[y + 1][x + 1] += error / 16;
    }
}

int main(void) {
  static const int gauss[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1}, box[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  static const int across[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1}, down[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
  int digest = 0, white = 0, strongest = 0, boxed = 0;
  draw();
  for (int y = 1; y < HEIGHT - 1; y++)
    for (int x = 1; x < WIDTH - 1; x++) {
      blurred[y][x] = (u8)(filter(y, x, gauss) / 16);
      boxed += filter(y, x, box) / 9;
      edges[y][x] = (u8)clamp(distance(filter(y, x, across)) + distance(filter(y, x, down)));
      strongest = edges[y][x] > strongest ? edges[y][x] : strongest;
      digest = (digest * 31 + blurred[y][x] * 256 + edges[y][x]) & 0xFFFFFF;
    }
  dither();
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++)
      white += levels[y][x] == 255;
  printf("%d %d %d %d\n", digest, boxed, strongest, white);
  return white == 0 || strongest != 255;
}

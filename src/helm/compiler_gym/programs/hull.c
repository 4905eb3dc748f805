/* Points of the plane: their convex hull by Andrew's chains and by gift wrapping, area after Pick, nearest pair. */
int printf(const char *format, ...);

#define SIZE 80

struct point {
  int x, y;
};

static struct point points[SIZE], hull[SIZE + 1], wrapped[SIZE + 1];

int turn(struct point a, struct point b, struct point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

int is_before(struct point a, struct point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

int squared(struct point a, struct point b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

void sort_points(void) {
  for (int i = 1; i < SIZE; i++) {
    struct point moved = points[i];
    int k = i;
    for (; k && is_before(moved, points[k - 1]); k--)
      points[k] = points[k - 1];
    points[k] = moved;
  }
}

int make_hull(void) {
  int count = 0;
  for (int i = 0; i < SIZE; i++) {
    while (count >= 2 && turn(hull[count - 2], hull[count - 1], points[i]) <= 0)
      count--;
    hull[count++] = points[i];
  }
  int lower = count + 1;
  for (int i = SIZE - 2; i >= 0; i--) {
    while (count >= lower && turn(hull[count - 2], hull[count - 1], points[i]) <= 0)
      count--;
    hull[count++] = points[i];
  }
  return count - 1;
}

int wrap(void) {
  int count = 0, current = 0;
  do {
    wrapped[count++] = points[current];
    int best = current ? 0 : 1;
    for (int i = 0; i < SIZE; i++) {
      int side = turn(points[current], points[best], points[i]);
      if (side < 0 || (side == 0 && squared(points[current], points[i]) > squared(points[current], points[best])))
        best = i;
    }
    current = best;
  } while (squared(points[current], wrapped[0]) && count < SIZE);
  return count;
}

int twice_area(const struct point *corners, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    struct point a = corners[i], b = corners[(i + 1) % count];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int count_inside(const struct point *corners, int count) {
  int edge = 0;
  for (int i = 0; i < count; i++) {
    struct point a = corners[i], b = corners[(i + 1) % count];
    int dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
    edge += gcd(dx, dy);
  }
  return (twice_area(corners, count) - edge) / 2 + 1;
}

int nearest(void) {
  int best = 1 << 30;
  for (int i = 0; i < SIZE; i++)
    for (int k = i + 1; k < SIZE && (points[k].x - points[i].x) * (points[k].x - points[i].x) < best; k++)
      if (squared(points[i], points[k]) < best)
        best = squared(points[i], points[k]);
  return best;
}

int main(void) {
  unsigned state = 21;
  for (int i = 0; i < SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    points[i].x = (int)(state >> 22);
    state = state * 1664525u + 1013904223u;
    points[i].y = (int)(state >> 22);
  }
  sort_points();
  int count = make_hull(), other = wrap();
  int area = twice_area(hull, count);
  printf("%d %d %d %d %d\n", count, other, area, count_inside(hull, count), nearest());
  return count != other || area != twice_area(wrapped, other);
}

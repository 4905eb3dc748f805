/* Sets of numbers: a treap and an AVL tree with insertion, removal and walk, and a trie of words. */
int printf(const char *format, ...);

#define SIZE 256

struct node {
  int key, rank, left, right;
};

static struct node treap[SIZE], avl[SIZE];
static int children[400][26], ends[400], num_trie = 1, num_treap, num_avl;

int rotate_treap(int root, int is_left) {
  int child = is_left ? treap[root].left : treap[root].right;
  if (is_left) {
    treap[root].left = treap[child].right;
    treap[child].right = root;
  } else {
    treap[root].right = treap[child].left;
    treap[child].left = root;
  }
  return child;
}

int insert_treap(int root, int key, int rank) {
  if (!root) {
    struct node made = {key, rank, 0, 0};
    treap[++num_treap] = made;
    return num_treap;
  }
  if (key == treap[root].key)
    return root;
  int is_left = key < treap[root].key;
  int child = insert_treap(is_left ? treap[root].left : treap[root].right, key, rank);
  if (is_left)
    treap[root].left = child;
  else
    treap[root].right = child;
  return treap[child].rank > treap[root].rank ? rotate_treap(root, is_left) : root;
}

int remove_treap(int root, int key) {
  if (!root)
    return 0;
  struct node *here = &treap[root];
  if (key < here->key) {
    here->left = remove_treap(here->left, key);
    return root;
  }
  if (key > here->key) {
    here->right = remove_treap(here->right, key);
    return root;
  }
  if (!here->left || !here->right)
    return here->left ? here->left : here->right;
  int is_left = treap[here->left].rank > treap[here->right].rank;
  int top = rotate_treap(root, is_left);
  if (is_left)
    treap[top].right = remove_treap(treap[top].right, key);
  else
    treap[top].left = remove_treap(treap[top].left, key);
  return top;
}

int height(int root) { return root ? avl[root].rank : 0; }

void update(int root) {
  int left = height(avl[root].left), right = height(avl[root].right);
  avl[root].rank = 1 + (left > right ? left : right);
}

int lift_left(int root) {
  int child = avl[root].left;
  avl[root].left = avl[child].right;
  avl[child].right = root;
  update(root);
  update(child);
  return child;
}

int lift_right(int root) {
  int child = avl[root].right;
  avl[root].right = avl[child].left;
  avl[child].left = root;
  update(root);
  update(child);
  return child;
}

int insert_avl(int root, int key) {
  if (!root) {
    struct node made = {key, 1, 0, 0};
    avl[++num_avl] = made;
    return num_avl;
  }
  if (key < avl[root].key)
    avl[root].left = insert_avl(avl[root].left, key);
  else if (key > avl[root].key)
    avl[root].right = insert_avl(avl[root].right, key);
  update(root);
  int balance = height(avl[root].left) - height(avl[root].right);
  if (balance > 1) {
    int child = avl[root].left;
    if (height(avl[child].right) > height(avl[child].left))
      avl[root].left = lift_right(child);
    return lift_left(root);
  }
  if (balance < -1) {
    int child = avl[root].right;
    if (height(avl[child].left) > height(avl[child].right))
      avl[root].right = lift_left(child);
    return lift_right(root);
  }
  return root;
}

int walk(const struct node *nodes, int root, int *keys, int count) {
  if (!root)
    return count;
  count = walk(nodes, nodes[root].left, keys, count);
  keys[count++] = nodes[root].key;
  return walk(nodes, nodes[root].right, keys, count);
}

void add_word(const char *word) {
  int node = 0;
  for (; *word; word++) {
    if (!children[node][*word - 'a'])
      children[node][*word - 'a'] = num_trie++;
    node = children[node][*word - 'a'];
  }
  ends[node]++;
}

int count_words(int node) {
  int count = ends[node] > 0;
  for (int i = 0; i < 26; i++)
    if (children[node][i])
      count += count_words(children[node][i]);
  return count;
}

int main(void) {
  static const char *const words[] = {"inline", "in", "instruction", "loop", "loops", "lower", "in", "sink", "sccp"};
  static int first[SIZE], second[SIZE];
  int treap_root = 0, avl_root = 0, wrong = 0, digest = 0;
  unsigned state = 4;
  for (int i = 0; i < 200; i++) {
    state = state * 1103515245u + 12345u;
    int key = (int)(state >> 16) % 500;
    treap_root = insert_treap(treap_root, key, (int)(state >> 8 & 0xFFFF));
    if (key % 3)
      avl_root = insert_avl(avl_root, key);
  }
  for (int key = 0; key < 500; key += 3)
    treap_root = remove_treap(treap_root, key);
  int count = walk(treap, treap_root, first, 0), other = walk(avl, avl_root, second, 0);
  for (int i = 0; i < count; i++) {
    wrong += first[i] != second[i] || (i && first[i - 1] >= first[i]);
    digest = (digest * 31 + first[i]) & 0xFFFFFF;
  }
  for (int i = 0; i < 9; i++)
    add_word(words[i]);
  printf("%d %d %d %d %d %d\n", count, height(avl_root), digest, num_trie, count_words(0), wrong);
  return wrong || count != other || count_words(0) != 8 || height(avl_root) > 10;
}

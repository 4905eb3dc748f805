/* A machine with a stack that runs three small programs: Fibonacci, greatest common divisor, and a sum of squares. */
int printf(const char *format, ...);

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, MOD, LESS, JUMP, JUMP_IF_ZERO, PRINT, HALT };

struct machine {
  int stack[32], variables[8], depth, at, steps, printed;
};

void push(struct machine *vm, int value) { vm->stack[vm->depth++] = value; }

int pop(struct machine *vm) { return vm->stack[--vm->depth]; }

void binary(struct machine *vm, int operation) {
  int b = pop(vm), a = pop(vm);
  switch (operation) {
  case ADD:
    push(vm, (int)((unsigned)a + (unsigned)b));
    break;
  case SUB:
    push(vm, (int)((unsigned)a - (unsigned)b));
    break;
  case MUL:
    push(vm, (int)((unsigned)a * (unsigned)b));
    break;
  case MOD:
    push(vm, b ? a % b : 0);
    break;
  default:
    push(vm, a < b);
  }
}

int run(struct machine *vm, const signed char *code) {
  for (vm->steps = 0; vm->steps < 10000; vm->steps++) {
    int operation = code[vm->at++];
    switch (operation) {
    case PUSH:
      push(vm, code[vm->at++]);
      break;
    case LOAD:
      push(vm, vm->variables[code[vm->at++]]);
      break;
    case STORE:
      vm->variables[code[vm->at++]] = pop(vm);
      break;
    case JUMP:
      vm->at = code[vm->at];
      break;
    case JUMP_IF_ZERO:
      vm->at = pop(vm) ? vm->at + 1 : code[vm->at];
      break;
    case PRINT:
      vm->printed = pop(vm);
      printf("%d ", vm->printed);
      break;
    case HALT:
      return 1;
    default:
      binary(vm, operation);
    }
  }
  return 0;
}

int main(void) {
  static const signed char fibonacci[] = {PUSH, 0,     STORE, 0,    PUSH, 1,     STORE, 1,    PUSH,  30, STORE,
                                          2,    LOAD,  2,     JUMP_IF_ZERO,      36,    LOAD, 0,     LOAD, 1,
                                          ADD,  LOAD,  1,     STORE, 0,   STORE, 1,     LOAD, 2,     PUSH, 1,
                                          SUB,  STORE, 2,     JUMP,  12,  LOAD,  0,     PRINT, HALT};
  static const signed char divisor[] = {PUSH, 126, STORE, 0, PUSH, 98, STORE, 1,     LOAD, 1,     JUMP_IF_ZERO, 25, LOAD,
                                        0,    LOAD, 1,   MOD, LOAD, 1, STORE, 0, STORE, 1,    JUMP, 8,     LOAD, 0,
                                        PRINT, HALT};
  static const signed char squares[] = {PUSH, 0, STORE, 0, PUSH, 0,    STORE, 1, LOAD, 1,     PUSH, 100, LESS, JUMP_IF_ZERO,
                                        34,   LOAD, 0,  LOAD, 1, LOAD, 1,    MUL, ADD, STORE, 0,    LOAD, 1, PUSH, 1,
                                        ADD,  STORE, 1, JUMP, 8, LOAD, 0,    PRINT, HALT};
  static const signed char *const programs[] = {fibonacci, divisor, squares};
  static const int expected[] = {832040, 14, 328350};
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    struct machine vm = {{0}, {0}, 0, 0, 0, 0};
    int ended = run(&vm, programs[i]);
    wrong += !ended || vm.printed != expected[i] || vm.depth;
    printf("(%d) ", vm.steps);
  }
  printf("%d\n", wrong);
  return wrong;
}

/* What kernels in OpenCL C need to be translated as C, by any clang. */
#define __kernel
#define kernel
#define __global
#define global
#define __local
#define local
#define __constant const
#define constant const
#define __private
#define __read_only
#define __write_only
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Bool bool;
typedef __SIZE_TYPE__ size_t;
#define VECTORS(type)                                                                                                  \
  typedef type type##2 __attribute__((ext_vector_type(2)));                                                            \
  typedef type type##3 __attribute__((ext_vector_type(3)));                                                            \
  typedef type type##4 __attribute__((ext_vector_type(4)));                                                            \
  typedef type type##8 __attribute__((ext_vector_type(8)));                                                            \
  typedef type type##16 __attribute__((ext_vector_type(16)));
VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint) VECTORS(long) VECTORS(ulong)
VECTORS(float) VECTORS(double)
#undef VECTORS
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
size_t get_global_id(uint), get_local_id(uint), get_group_id(uint), get_global_size(uint), get_local_size(uint);
size_t get_num_groups(uint), get_global_offset(uint);
uint get_work_dim(void);
void barrier(uint), mem_fence(uint);
float sqrt(float), rsqrt(float), exp(float), log(float), pow(float, float), fabs(float), floor(float), ceil(float);
float sin(float), cos(float), tan(float), fmin(float, float), fmax(float, float), mad(float, float, float);

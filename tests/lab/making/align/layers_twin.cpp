// The kernels of layers.cu on a processor: one thread, and one block after the other.
#define HOST
#define KERNEL static void
#define DEVICE static inline
#define SHARED static
#define BLOCK block
#define THREAD 0
#define THREADS 1
#define TOGETHER
#define COUNT(word) __builtin_popcount(word)
#define INDEX(word) __builtin_ctz(word)

static unsigned long long block;

#include "layers.cu"

extern "C" void run_fill(Word blocks, Value *values, const unsigned *highs,
                         const unsigned short *lows) {
    for (block = 0; block < blocks; block++) fill(values, highs, lows);
}

extern "C" void run_look_up(Word blocks, const Value *values, const Word *sets, Value *found,
                            Word count) {
    for (block = 0; block < count; block++) look_up(values, sets, found, count);
}

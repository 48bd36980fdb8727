// The search of gpu.cu on a processor: reads "own mask" lines, prints scores.
#include <algorithm>
#include <cstdio>
#include <vector>

using std::max;
using std::min;

#define HOST
#define DEVICE static inline
#define COUNT(word) __builtin_popcountll(word)
#define INDEX(word) __builtin_ctzll(word)
#define BUCKET_BITS 20
#include "gpu.cu"

int main() {
    std::vector<Word> table(2ull << BUCKET_BITS);
    std::vector<Frame> frames(CELLS + 1);
    Word own, mask;
    while (std::scanf("%llu %llu", &own, &mask) == 2)
        std::printf("%d\n", solve(table.data(), frames.data(), own, mask));
}

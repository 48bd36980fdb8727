// Every set of filled cells of an Align board, and what the mover still gains from there.
//
//   value(S) = the greatest points(S, c) - value(S + c) over the cells c that may be filled,
//   value(full board) = 0
//
// A set is a word with a bit for each cell, and its value a byte of one array. The two lowest rows
// of the board are the low part of a set, the others the high part: a block of threads works out
// all sets of one high part. It reads what they become by a cell of the high part from the array,
// where 2^LOW values lie together, and keeps those of its own in shared memory. High parts go in
// layers, those with the most cells first.
//
// SIZE (3 to 6) and CHECKERBOARD (0 or 1) are given to the compiler.

typedef unsigned long long Word;
typedef signed char Value;

#define CELLS (SIZE * SIZE)
#define LOW (2 * SIZE)
#define HIGH (CELLS - LOW)
#define LOWS (1 << LOW)
#define FULL_LINE ((1u << SIZE) - 1)
#define NONE (-128)  // less than any value: there was no cell to fill

#ifndef HOST
#define KERNEL extern "C" __global__ void
#define DEVICE __device__ __forceinline__
#define SHARED __shared__
#define BLOCK blockIdx.x
#define THREAD threadIdx.x
#define THREADS blockDim.x
#define TOGETHER __syncthreads()
#define COUNT(word) __popc(word)
#define INDEX(word) (__ffs(word) - 1)
#endif

// What a line pays for a new cell: its run of exactly three, or of the whole line.
DEVICE int line_pays(unsigned line, int place) {
    int first = place, last = place;
    while (first > 0 && line >> (first - 1) & 1) first--;
    while (line >> (last + 1) & 1) last++;
    int length = last - first + 1;
    return length == 3 || length == SIZE ? length : 0;
}

// A column, from what the two lowest rows have of it and from the high part.
DEVICE unsigned column_of(unsigned high, int col, unsigned two_lowest) {
    unsigned line = two_lowest;
    for (int row = 2; row < SIZE; row++) line |= (high >> ((row - 2) * SIZE + col) & 1) << row;
    return line;
}

// May the cell be filled next? On a checkerboard the one who has a1 moves on even numbers.
DEVICE bool allowed(int row, int col, int filled) {
    return !CHECKERBOARD || !((row + col + filled) & 1);
}

// One layer: `highs` are the high parts with equally many cells, one for each block; `lows` are
// all low parts, those with the most cells first.
KERNEL fill(Value *values, const unsigned *highs, const unsigned short *lows) {
    SHARED unsigned packed[LOWS / 4];  // the values of this high part, four to a word
    SHARED signed char row_pays[SIZE][1 << SIZE];  // for [column of the cell][row before]
    SHARED signed char high_pays[HIGH][4];  // for [cell][what the two lowest rows have above it]
    SHARED signed char low_pays[LOW][2];  // of the column alone, for [cell][the other low cell]
    Value *best = (Value *)packed;
    const unsigned *array = (const unsigned *)values;
    const unsigned high = highs[BLOCK];
    const int high_count = COUNT(high);

    // Step 1: what each cell pays, for all that it depends on besides the high part.
    for (int entry = THREAD; entry < SIZE << SIZE; entry += THREADS) {
        int col = entry >> SIZE;
        row_pays[col][entry & FULL_LINE] = line_pays(entry & FULL_LINE, col);
    }
    for (int entry = THREAD; entry < 4 * HIGH; entry += THREADS) {
        int cell = entry >> 2, row = cell / SIZE, col = cell % SIZE;
        unsigned across = high >> (row * SIZE) & FULL_LINE;
        unsigned upright = column_of(high, col, entry & 3);
        high_pays[cell][entry & 3] = line_pays(across, col) + line_pays(upright, row + 2);
    }
    for (int entry = THREAD; entry < 2 * LOW; entry += THREADS) {
        int cell = entry >> 1, row = cell / SIZE, col = cell % SIZE;
        unsigned other = (entry & 1) << (1 - row);
        low_pays[cell][entry & 1] = line_pays(column_of(high, col, other), row);
    }
    TOGETHER;

    // Step 2: the best cell of the high part, for every low part.
    for (int word = THREAD; word < LOWS / 4; word += THREADS) {
        int found[4] = {NONE, NONE, NONE, NONE};
        for (unsigned left = ~high & ((1u << HIGH) - 1); left; left &= left - 1) {
            int cell = INDEX(left), row = cell / SIZE, col = cell % SIZE;
            unsigned after = array[(Word)(high | 1u << cell) * (LOWS / 4) + word];
#pragma unroll
            for (int lane = 0; lane < 4; lane++) {
                unsigned low = 4 * word + lane;
                unsigned two_lowest = (low >> col & 1) | (low >> (col + SIZE) & 1) << 1;
                int worth = high_pays[cell][two_lowest] - (Value)(after >> 8 * lane);
                if (allowed(row, col, high_count + COUNT(low)) && worth > found[lane])
                    found[lane] = worth;
            }
        }
        packed[word] = (found[0] & 255u) | (found[1] & 255u) << 8 | (found[2] & 255u) << 16 |
                       (unsigned)found[3] << 24;
    }
    TOGETHER;

    // Step 3: the best cell of the low part, those sets first that have the most cells.
    int start = 0, length = 1;
    for (int count = LOW; count >= 0; count--) {
        for (int entry = THREAD; entry < length; entry += THREADS) {
            unsigned low = lows[start + entry];
            int found = best[low];
            for (unsigned left = ~low & (LOWS - 1); left; left &= left - 1) {
                int cell = INDEX(left), row = cell / SIZE, col = cell - row * SIZE;
                unsigned across = low >> (row * SIZE) & FULL_LINE;
                unsigned other = low >> ((1 - row) * SIZE + col) & 1;
                int worth = row_pays[col][across] + low_pays[cell][other] - best[low | 1u << cell];
                if (allowed(row, col, high_count + count) && worth > found) found = worth;
            }
            best[low] = found == NONE ? 0 : found;
        }
        start += length;
        length = length * count / (LOW - count + 1);
        TOGETHER;
    }

    // Step 4: into the array.
    for (int word = THREAD; word < LOWS / 4; word += THREADS)
        ((unsigned *)values)[(Word)high * (LOWS / 4) + word] = packed[word];
}

// The values of some sets.
KERNEL look_up(const Value *values, const Word *sets, Value *found, Word count) {
    Word number = (Word)BLOCK * THREADS + THREAD;
    if (number < count) found[number] = values[sets[number]];
}

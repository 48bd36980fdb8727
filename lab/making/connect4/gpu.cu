// The Connect-4 solver for many positions at once: every thread solves one after the other, and
// all share one table. The bounds are those of bounds.py, the steps those of
// solver/kernel.py; what differs is that a frame is small and that there is no clock.
//
// ROWS, COLS and BUCKET_BITS are given to the compiler. A key has COLS * (ROWS + 1) bits.

typedef unsigned long long Word;

#define HEIGHT (ROWS + 1)
#define CELLS (ROWS * COLS)
#define KEY_BITS (COLS * HEIGHT)
#define NO_BOUND 99
#define NO_MOVE 7
#define STEP 8
#define QUIET 3
#define MUCH 64

#ifndef DEVICE
#define DEVICE __device__ __forceinline__
#define COUNT(word) __popcll(word)
#define INDEX(word) (__ffsll(word) - 1)
#endif

struct Frame {
    Word own, mask;
    unsigned order;  // the columns still to search, three bits each, the next one lowest
    unsigned nodes;
    signed char left_to_try, alpha, low, high, best, sign, column;
};

DEVICE Word strip() { return (1ull << ROWS) - 1; }

DEVICE Word floor_cells() {
    Word cells = 0;
    for (int column = 0; column < COLS; column++) cells |= 1ull << (column * HEIGHT);
    return cells;
}

DEVICE Word board() { return floor_cells() * strip(); }

DEVICE Word upper() {
    Word cells = 0;
    for (int row = ROWS - 1; row >= 0; row -= 2) cells |= floor_cells() << row;
    return cells;
}

DEVICE Word lower() { return board() ^ upper(); }

DEVICE Word lowest(Word cells) { return cells & (0 - cells); }

// ---- what can be said without searching --------------------------------------------------------

DEVICE Word completing_in(Word discs, int one) {
    Word before = discs << one, after = discs >> one;
    Word left = before & (discs << (2 * one)), right = after & (discs >> (2 * one));
    return (left & ((discs << (3 * one)) | after)) | (right & ((discs >> (3 * one)) | before));
}

DEVICE Word completing(Word discs) {
    return ((discs << 1) & (discs << 2) & (discs << 3)) | completing_in(discs, HEIGHT) |
           completing_in(discs, HEIGHT - 1) | completing_in(discs, HEIGHT + 1);
}

DEVICE Word lines_in(Word discs, int one) {
    Word pairs = discs & (discs >> one);
    return pairs & (pairs >> (2 * one));
}

DEVICE bool lines(Word discs) {
    return (lines_in(discs, 1) | lines_in(discs, HEIGHT) | lines_in(discs, HEIGHT - 1) |
            lines_in(discs, HEIGHT + 1)) != 0;
}

DEVICE Word from_here_up(Word cells) {
    return (((floor_cells() << ROWS) - cells) | cells) & board();
}

DEVICE Word reach_against_answers(Word own, Word empty, Word playable, Word theirs) {
    Word closed = from_here_up(theirs & upper() & ~playable);
    return own | (empty & (lower() | playable) & ~closed);
}

DEVICE int answered_score(Word other, Word empty, Word playable, Word theirs) {
    Word threats = theirs & upper() & ~playable;
    if (threats) {
        Word closed = from_here_up(threats);
        return -((COUNT(closed) + COUNT(closed & ~(closed << 1))) / 2);
    }
    Word claimed = empty & upper() & ~playable, rows = board();
    int score = 0;
    while (lines(other | (claimed & rows))) {
        score--;
        rows &= rows >> 1;
        rows &= rows >> 1;
    }
    return score;
}

DEVICE int claim_bound(Word own, Word other, Word empty, Word playable, Word theirs) {
    Word reach = reach_against_answers(own, empty, playable, theirs);
    if (lines(reach)) {
        Word free = playable & upper() & reach;
        if (COUNT(free) != 2) return NO_BOUND;
        Word one = lowest(free);
        if (lines(reach ^ one) || lines(reach ^ free ^ one)) return NO_BOUND;
    }
    return answered_score(other, empty, playable, theirs);
}

DEVICE int threat_bound(Word own, Word empty, Word playable, Word theirs) {
    Word threats = theirs & lower() & ~playable;
    int best = NO_BOUND;
    if (!threats) return best;
    Word closed = from_here_up(theirs & upper() & ~playable);
    Word reach = own | (empty & (lower() | playable) & ~closed);
    threats &= ~closed;
    while (threats) {
        Word threat = lowest(threats);
        threats ^= threat;
        Word above = from_here_up(threat);
        Word column = strip() << (INDEX(threat) / HEIGHT * HEIGHT);
        Word below = column & empty & ~above;
        Word mine = (reach & ~(column & empty)) | (below & (upper() | playable));
        if (!lines(mine)) {
            Word elsewhere = closed & ~column;
            int left = COUNT(elsewhere) + COUNT(elsewhere & ~(elsewhere << 1));
            best = min(best, -((COUNT(above) - 1) / 2 + 1 + left / 2));
        }
    }
    return best;
}

// ---- the table: two words to a bucket, each with the rest of its key --------------------------
//
//   rest of the key | work (1) | column (3) | high (7) | low (7)

#define REST 18
#define BIAS 32

DEVICE Word image_of(Word key) {
    Word image = 0;
    for (int column = 0; column < COLS; column++) {
        image = (image << HEIGHT) | (key & ((1ull << HEIGHT) - 1));
        key >>= HEIGHT;
    }
    return image;
}

DEVICE Word spread(Word key) { return (key * 0x9E3779B97F4A7C15ull) & ((1ull << KEY_BITS) - 1); }

DEVICE Word find(const Word *table, Word place) {
    const Word *bucket = table + 2 * (place >> (KEY_BITS - BUCKET_BITS));
    Word rest = place & ((1ull << (KEY_BITS - BUCKET_BITS)) - 1);
    Word first = bucket[0], second = bucket[1];
    if (first && first >> REST == rest) return first;
    return second && second >> REST == rest ? second : 0;
}

DEVICE void keep(Word *table, Word place, int low, int high, int column, unsigned nodes) {
    Word *bucket = table + 2 * (place >> (KEY_BITS - BUCKET_BITS));
    Word rest = place & ((1ull << (KEY_BITS - BUCKET_BITS)) - 1);
    Word work = nodes >= MUCH;
    Word word = rest << REST | work << 17 | (Word)column << 14 | (Word)(high + BIAS) << 7 |
                (Word)(low + BIAS);
    Word first = bucket[0];
    if (first >> REST != rest) {
        if (work < (first >> 17 & 1)) bucket++;
        else bucket[1] = first;
    }
    bucket[0] = word;
}

DEVICE int low_in(Word word) { return (int)(word & 127) - BIAS; }
DEVICE int high_in(Word word) { return (int)(word >> 7 & 127) - BIAS; }

// ---- the search ---------------------------------------------------------------------------------

DEVICE int halve(int low, int high) {
    int middle = low + ((high - low) >> 1);
    if (middle <= 0 && -(-low >> 1) < middle) return -(-low >> 1);
    if (middle >= 0 && (high >> 1) > middle) return high >> 1;
    return middle;
}

DEVICE int next_question(int low, int high) {
    if (low >= -STEP && high <= STEP) return low <= 0 && 0 < high ? 0 : low > 0 ? low : high - 1;
    return halve(low, high);
}

// Enter a position: 1 and its value if the question is answered, 0 if moves have to be searched.
DEVICE int enter(Word *table, Frame *frame, int *value, unsigned nodes) {
    Word mine = frame->own, discs = frame->mask, other, empty, playable, theirs, forced;
    int bar = frame->alpha, flip = 1, left = CELLS - COUNT(discs);
    bool lost = false;
    for (;;) {
        other = mine ^ discs;
        empty = board() ^ discs;
        playable = (discs + floor_cells()) & board();
        theirs = completing(other) & empty;
        forced = theirs & playable;
        if (!forced) break;
        lost = (forced & (forced - 1)) != 0 || ((forced << 1) & theirs) != 0;
        if (lost) break;
        mine = other;
        discs |= forced;
        bar = -bar - 1;
        flip = -flip;
        left--;
    }
    Word safe = playable & ~(theirs >> 1);
    if (forced) safe &= forced;
#define ANSWER(score) { *value = flip * (score); return 1; }
    if (left <= 1) ANSWER(0)
    if (lost || !safe) ANSWER(-(left / 2))
    if (left == 2) ANSWER(0)
    int least = -((left - 2) / 2), most = (left - 1) / 2;
    if (least > bar) ANSWER(least)
    if (most <= bar) ANSWER(most)
    if (bar >= 0) {
        if (!lines(mine | empty)) ANSWER(0)
    } else if (!lines(other | empty)) ANSWER(0)
    int bound = left & 1 ? threat_bound(mine, empty, playable, theirs)
                         : claim_bound(mine, other, empty, playable, theirs);
    most = min(most, bound);
    if (most <= bar) ANSWER(most)

    Word key = mine + discs, image = image_of(key);
    bool flipped = image < key;
    Word word = find(table, spread(flipped ? image : key));
    int hint = NO_MOVE;
    if (word) {
        most = min(most, high_in(word));
        least = max(least, low_in(word));
        if (least > bar) ANSWER(least)
        if (most <= bar) ANSWER(most)
        hint = word >> 14 & 7;
        if (flipped && hint != NO_MOVE) hint = COLS - 1 - hint;
    }

    int ranks[COLS];
    Word wins = 0, near = playable << 1;
    int urge = -QUIET <= bar && bar <= QUIET ? -1 : 1;
#pragma unroll
    for (int column = 0; column < COLS; column++) {
        Word move = safe & (strip() << (column * HEIGHT));
        Word threats = completing(mine | move) & (empty ^ move);
        Word open = ((playable ^ move) | (move << 1)) & board();
        Word now = threats & open;
        bool twice = (now & (now - 1)) != 0 || ((now << 1) & threats) != 0;
        bool stuck = (open & ~(threats >> 1)) == 0;
        if (move && (twice || stuck)) wins |= move;
        int rank = 2 * COUNT(threats) + COUNT(threats & near & ~move) + urge * COUNT(now);
        int far = 2 * column - (COLS - 1);
        rank = (rank + 64) * 16 + COLS - (far < 0 ? -far : far);
        if (column == hint) rank += 1 << 14;
        ranks[column] = move ? rank : -1;
    }
    if (wins) ANSWER((left - 1) / 2)
    most = min(most, (left - 3) / 2);
    if (most <= bar) ANSWER(most)

    // What the moves lead to, as far as it is known at once.
    int refuted = -NO_BOUND;
    Word after_key = other + discs;
#pragma unroll
    for (int column = 0; column < COLS; column++) {
        Word move = safe & (strip() << (column * HEIGHT));
        if (!move) continue;
        Word there = after_key + move, mirrored = image_of(there);
        Word found = find(table, spread(mirrored < there ? mirrored : there));
        if (found) {
            least = max(least, -high_in(found));
            if (-low_in(found) <= bar) {
                refuted = max(refuted, -low_in(found));
                ranks[column] = -1;
            }
        }
    }
    if (least > bar) ANSWER(least)
    if (bar < ROWS / 2) {
        for (Word rest = safe; rest;) {
            Word move = lowest(rest);
            rest ^= move;
            Word threats = completing(mine | move) & (empty ^ move);
            Word open = ((playable ^ move) | (move << 1)) & board();
            if (threats & open) continue;
            int bound = NO_BOUND;
            if (left & 1) {
                if (!lines(reach_against_answers(other, empty ^ move, open, threats)))
                    bound = answered_score(mine | move, empty ^ move, open, threats);
            } else if (threats & lower() & ~open) {
                bound = threat_bound(other, empty ^ move, open, threats);
            }
            least = max(least, -bound);
        }
        if (least > bar) ANSWER(least)
    }
#undef ANSWER

    unsigned order = 0;
    int count = 0;
    for (;;) {  // the worst first, so that the best comes to lie lowest
        int worst = 1 << 30, which = -1;
#pragma unroll
        for (int column = 0; column < COLS; column++)
            if (ranks[column] >= 0 && ranks[column] <= worst) {
                worst = ranks[column];
                which = column;
            }
        if (which < 0) break;
#pragma unroll
        for (int column = 0; column < COLS; column++)
            if (column == which) ranks[column] = -1;
        order = order << 3 | which;
        count++;
    }
    frame->own = mine;
    frame->mask = discs;
    frame->order = order;
    frame->left_to_try = count;
    frame->alpha = bar;
    frame->sign = flip;
    frame->low = least;
    frame->high = most;
    frame->best = refuted;
    frame->nodes = nodes;
    return 0;
}

// The exact score of a quiet position.
DEVICE int solve(Word *table, Frame *frames, Word own, Word mask) {
    int left = CELLS - COUNT(mask);
    int low = -(left / 2), high = (left - 1) / 2;
    unsigned nodes = 0;
    while (low < high) {
        int alpha = next_question(low, high), depth = 0, value = 0;
        frames[0].own = own;
        frames[0].mask = mask;
        frames[0].alpha = alpha;
        bool entering = true;
        while (depth >= 0) {
            Frame *frame = frames + depth;
            if (entering) {
                nodes++;
                entering = false;
                if (enter(table, frame, &value, nodes)) {
                    depth--;
                    continue;
                }
            } else {
                frame->best = max((int)frame->best, -value);
            }
            if (frame->best <= frame->alpha && frame->left_to_try) {
                int column = frame->order & 7;
                frame->order >>= 3;
                frame->left_to_try--;
                frame->column = column;
                Word mine = frame->own, discs = frame->mask;
                Frame *child = frame + 1;
                child->own = mine ^ discs;
                child->mask = discs | ((discs + (1ull << (column * HEIGHT))) &
                                       (strip() << (column * HEIGHT)));
                child->alpha = -frame->alpha - 1;
                depth++;
                entering = true;
                continue;
            }
            Word key = frame->own + frame->mask, image = image_of(key);
            int column = NO_MOVE;
            if (frame->best > frame->alpha) {
                frame->low = max((int)frame->low, (int)frame->best);
                value = frame->sign * frame->low;
                column = frame->column;
                if (image < key) column = COLS - 1 - column;
            } else {
                frame->high = min((int)frame->high, (int)frame->best);
                value = frame->sign * frame->high;
            }
            keep(table, spread(image < key ? image : key), frame->low, frame->high, column,
                 nodes - frame->nodes);
            depth--;
        }
        if (value > alpha) low = value;
        else high = value;
    }
    return low;
}

#ifndef HOST
extern "C" __global__ void solve_all(Word *table, const Word *own, const Word *mask,
                                     signed char *scores, unsigned count, unsigned *next) {
    Frame frames[CELLS + 1];
    for (;;) {
        unsigned number = atomicAdd(next, 1u);
        if (number >= count) break;
        scores[number] = solve(table, frames, own[number], mask[number]);
    }
}
#endif

#include "engine/draft.h"

#define ONE_COLOR              UINT64_C(0xff)
#define ALL_COLORS             UINT64_C(0x3f)
#define AT_SOURCE(set, source) ((set) << (GAME_COLORS * (source)))

#define DRAFT(from, color)                                                                         \
    {                                                                                              \
        .word = (uint64_t)(uint8_t)((from) + GAME_SOURCE_CENTER) << 8 | (uint64_t)(color) << 16 |  \
                (uint64_t)ACTION_DRAFT,                                                            \
        .tiles = ONE_COLOR << (8 * (color)),                                                       \
        .others = ~(AT_SOURCE(ALL_COLORS, from) | AT_SOURCE(ALL_COLORS, 0)), .source = (from),     \
    }
#define DRAFTS(from)                                                                               \
    DRAFT(from, 0), DRAFT(from, 1), DRAFT(from, 2), DRAFT(from, 3), DRAFT(from, 4), DRAFT(from, 5)

const struct draft drafts[GAME_COLORS * (1 + GAME_DISPLAYS_MAX)] = {
    DRAFTS(0), DRAFTS(1), DRAFTS(2), DRAFTS(3), DRAFTS(4),
    DRAFTS(5), DRAFTS(6), DRAFTS(7), DRAFTS(8), DRAFTS(9),
};

#include "arena/site/course.h"

#include <stdbool.h>
#include <string.h>

#include "engine/board.h"

enum {
    BASE = 36,
};

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

static char *put_digit(char *text, int number)
{
    *text++ = number < 0 ? '-' : digits[number % BASE];
    return text;
}

static char *put_two(char *text, int number)
{
    return put_digit(put_digit(text, number / BASE), number % BASE);
}

static char *put_tiles(char *text, const uint8_t tiles[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        text = put_digit(text, tiles[color]);
    return text;
}

static char *put_seat(char *text, const struct position_seat *seat)
{
    text = put_digit(put_two(text, seat->score), seat->passed);
    text = put_tiles(put_tiles(text, seat->hand), seat->corners);
    for (int star = 0; star < GAME_STARS; star++)
        for (int space = 0; space < GAME_SPACES; space++)
            if (seat->stars[star][space] == GAME_EMPTY)
                *text++ = '.';
            else
                text = put_digit(text, seat->stars[star][space]);
    return text;
}

size_t course_position(const struct position *position, char text[static COURSE_POSITION_CHARS + 1])
{
    char *next = text;

    next = put_digit(put_digit(next, position->round), position->phase);
    next = put_digit(put_digit(next, position->player), position->start);
    next = put_digit(put_digit(next, position->token), position->bonus);
    for (int display = 0; display < 2 * position->player_count + 1; display++)
        next = put_tiles(next, position->displays[display]);
    next = put_tiles(put_tiles(next, position->center), position->supply);
    next = put_tiles(put_tiles(next, position->bag), position->tower);
    for (int seat = 0; seat < position->player_count; seat++)
        next = put_seat(next, &position->seats[seat]);
    *next = '\0';
    return (size_t)(next - text);
}

json_t *course_changes(const char *before, const char *after)
{
    char changes[3 * COURSE_POSITION_CHARS];
    char *next = changes;

    for (int i = 0; before[i] && after[i]; i++) {
        if (before[i] == after[i])
            continue;
        next = put_two(next, i);
        *next++ = after[i];
    }
    return json_stringn(changes, (size_t)(next - changes));
}

static char *put_drafts(char *text, const struct game *game, const struct action *actions,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct effect effect;
        int source = actions[i].number[0];
        int color = actions[i].number[1];

        if (!effect_of(game, actions[i], &effect))
            continue;
        *text++ = source == GAME_SOURCE_CENTER ? 'c' : digits[source];
        text = put_digit(put_digit(text, color), effect.moved[color]);
        text = put_digit(text, color == effect.wild ? 0 : effect.moved[effect.wild]);
    }
    return text;
}

/* Possible placements: spaces, their points, colors and payments. */
struct placing {
    char spaces[GAME_STARS * GAME_SPACES];
    int colors[GAME_STARS];
    int fewest[GAME_COLORS][GAME_SPACES + 1], most[GAME_COLORS][GAME_SPACES + 1]; /* wild tiles */
    bool paid[GAME_COLORS][GAME_SPACES + 1];
    int passes;
};

static void add_placement(struct placing *placing, const struct effect *effect)
{
    const int8_t *number = effect->action.number;
    int star = number[0], color = number[2], wilds = number[3], cost = effect->cost;

    placing->spaces[star * GAME_SPACES + number[1]] = digits[effect->run * 4 + effect->granted];
    placing->colors[star] |= 1 << color;
    if (!placing->paid[color][cost] || wilds < placing->fewest[color][cost])
        placing->fewest[color][cost] = wilds;
    if (!placing->paid[color][cost] || wilds > placing->most[color][cost])
        placing->most[color][cost] = wilds;
    placing->paid[color][cost] = true;
}

static char *put_placing(char *text, const struct game *game, const struct action *actions,
                         size_t count)
{
    struct placing placing = {0};

    memset(placing.spaces, '-', sizeof placing.spaces);
    for (size_t i = 0; i < count; i++) {
        struct effect effect;

        if (actions[i].kind == ACTION_PASS)
            placing.passes++;
        else if (effect_of(game, actions[i], &effect))
            add_placement(&placing, &effect);
    }
    memcpy(text, placing.spaces, sizeof placing.spaces);
    text += sizeof placing.spaces;
    for (int star = 0; star < GAME_STARS; star++)
        text = put_two(text, placing.colors[star]);
    text = put_two(text, placing.passes);
    for (int color = 0; color < GAME_COLORS; color++)
        for (int cost = 1; cost <= GAME_SPACES; cost++) {
            if (!placing.paid[color][cost])
                continue;
            text = put_digit(put_digit(text, color), cost);
            text = put_digit(text, placing.fewest[color][cost]);
            text = put_digit(text, placing.most[color][cost]);
        }
    return text;
}

void course_legal(const struct game *game, char text[static COURSE_LEGAL_CHARS])
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);
    char *next = text;

    switch (game_phase(game)) {
    case PHASE_DRAFT:
        *next++ = 'D';
        next = put_drafts(next, game, actions, count);
        break;
    case PHASE_PLACE:
        *next++ = 'P';
        next = put_placing(next, game, actions, count);
        break;
    case PHASE_BONUS:
        *next++ = 'B';
        next = put_two(put_digit(next, game->bonus), (int)count);
        break;
    case PHASE_OVER:
        break;
    }
    *next = '\0';
}

/*
 * What bots did in their games, read from the replays: see season_story in season_data.h. A
 * process that writes the site reads each replay at most once, and only for a page that is written.
 */
#include <math.h>
#include <stdlib.h>

#include "arena/replay/effect.h"
#include "arena/replay/replay.h"
#include "arena/site/season_data.h"

static int count_tiles(const uint8_t tiles[static GAME_COLORS])
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += tiles[color];
    return count;
}

/* Stores the scores at the beginning of a round. */
static void tell_scores(struct game_story *story, const struct position *state)
{
    if (story->round == state->round)
        return;
    story->round = state->round;
    for (int seat = 0; seat < state->player_count; seat++)
        story->seats[seat][STORY_SCORES + state->round - 1] = state->seats[seat].score;
}

static void tell_final(struct game_story *story, const struct effect_final *finals, int seats)
{
    for (int seat = 0; seat < seats; seat++) {
        int *numbers = story->seats[seat];

        numbers[STORY_SCORES + GAME_ROUNDS] = finals[seat].before;
        numbers[STORY_SCORES + GAME_ROUNDS + 1] = finals[seat].after;
        numbers[STORY_CORNERS] = -finals[seat].corners;
        for (int star = 0; star < GAME_STARS; star++) {
            numbers[STORY_STARS] += finals[seat].stars[star];
            numbers[STORY_FULL + star] = finals[seat].stars[star] > 0;
        }
        for (int cost = 0; cost < BOARD_REWARDED_COSTS; cost++)
            numbers[STORY_COSTS] += finals[seat].costs[cost];
    }
}

/* A replay_step_fn. */
static void tell_step(void *context, struct match *match, const struct replay_decision *decision)
{
    struct game_story *story = context;
    struct effect effect;
    struct position state;
    int *numbers;

    if (!decision || !effect_of(&match->game, decision->action, &effect))
        return;
    game_view(&match->game, &state);
    tell_scores(story, &state);
    numbers = story->seats[effect.seat];
    if (effect.action.kind == ACTION_PLACE) {
        if (numbers[STORY_RUNS] == 0)
            numbers[STORY_FIRST + effect.action.number[0]] = 1;
        numbers[STORY_RUNS] += effect.points;
    } else if (effect.action.kind == ACTION_BONUS) {
        numbers[STORY_BONUS_TILES] += count_tiles(effect.moved);
    } else if (effect.action.kind == ACTION_PASS) {
        numbers[STORY_LOST] += effect.points;
        numbers[STORY_LOST_TILES] += count_tiles(effect.lost);
    } else if (effect.token) {
        numbers[STORY_TOKEN] += effect.points;
        numbers[STORY_TOKENS]++;
    }
    if (effect.game_ended) {
        struct effect_final finals[GAME_PLAYERS_MAX];

        effect_final(&match->game, decision->action, finals);
        tell_final(story, finals, state.player_count);
        story->is_whole = true;
    }
}

const struct game_story *season_story(const struct season_data *data, int at)
{
    const struct data_game *game = &data->games[at];
    struct game_story *story = data->stories[at];
    char error[REPLAY_ERROR_BYTES];
    struct replay replay;
    uint8_t *bytes;
    size_t size;

    if (story)
        return story;
    story = data->stories[at] = calloc(1, sizeof *story);
    if (!story || game->is_pruned ||
        store_replay_read(data->store, data->standings.season.id, game->group, game->rotation,
                          &bytes, &size) < 0)
        return story;
    if (replay_unpack(&replay, bytes, size, error) == 0) {
        story->board = replay.terms.board;
        if (replay.terms.player_count != game->player_count ||
            replay_verify(&replay, tell_step, story, error) < 0)
            story->is_whole = false; /* the game's own page says that the replay is damaged */
        replay_finish(&replay);
    }
    free(bytes);
    return story;
}

/*
 * Adds a seat's numbers. Counts which stars were full and which star came first on the colored side
 * only, because stars have no color of their own on the gray side.
 */
static void add_seat(struct habits *habits, const struct game_story *story, int seat)
{
    bool is_colored = story->board == BOARD_COLORED;

    habits->seat_count++;
    habits->colored_count += is_colored;
    for (int i = 0; i < (is_colored ? STORY_NUMBERS : STORY_FULL); i++)
        habits->means[i] += story->seats[seat][i];
}

static void divide(struct habits *habits)
{
    for (int i = 0; i < STORY_NUMBERS; i++)
        habits->means[i] /= fmax(1, i < STORY_FULL ? habits->seat_count : habits->colored_count);
}

/*
 * True if the game counts, nobody forfeited, and the name `other` played (LADDER_NOBODY: any name).
 */
static bool is_usual(const struct season_data *data, const struct data_game *game, int other)
{
    bool plays = other == LADDER_NOBODY;

    for (int seat = 0; seat < game->player_count; seat++)
        plays = plays || data_name(data, game->entries[seat]) == other;
    return plays && !game->is_void && !data_has_forfeit(game);
}

int season_habits(const struct season_data *data, int name, int other, int most,
                  struct habits *mine, struct habits *theirs)
{
    int count;
    const int *games = season_index_games(data, name, &count);
    int read = 0;

    *mine = *theirs = (struct habits){0};
    for (int i = count; i-- > 0 && read < most;) {
        const struct data_game *game = &data->games[games[i]];
        const struct game_story *story;

        if (!is_usual(data, game, other) || !(story = season_story(data, games[i])) ||
            !story->is_whole)
            continue;
        read++;
        for (int seat = 0; seat < game->player_count; seat++) {
            int of = data_name(data, game->entries[seat]);

            if (of == name)
                add_seat(mine, story, seat);
            else if (other == LADDER_NOBODY || of == other)
                add_seat(theirs, story, seat);
        }
    }
    divide(mine);
    divide(theirs);
    return read;
}

/*
 * What bots did in their games, read from the replays, and what decided a game. See season_story in
 * season_data.h: a process that writes the site reads each replay at most once, and only for a page
 * that is written.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/json.h"
#include "arena/base/array.h"
#include "arena/replay/forfeit_text.h"
#include "arena/report/columns.h"
#include "arena/site/page.h"
#include "arena/site/season_data.h"
#include "engine/notation.h"

static int count_tiles(const uint8_t tiles[static GAME_COLORS])
{
    int count = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        count += tiles[color];
    return count;
}

/* Stores the scores at the beginning of a round. */
static void tell_scores(struct game_story *story, const struct game *game)
{
    if (story->round == game->round)
        return;
    story->round = game->round;
    for (int seat = 0; seat < game->player_count; seat++)
        story->seats[seat][STORY_SCORES + game->round - 1] = game_score(game, seat);
}

static void tell_final(struct game_story *story, int seats)
{
    for (int seat = 0; seat < seats; seat++) {
        const struct effect_final *final = &story->finals[seat];
        int *numbers = story->seats[seat];

        numbers[STORY_SCORES + GAME_ROUNDS] = final->before;
        numbers[STORY_SCORES + GAME_ROUNDS + 1] = final->after;
        numbers[STORY_CORNERS] = -final->corners;
        for (int star = 0; star < GAME_STARS; star++) {
            numbers[STORY_STARS] += final->stars[star];
            numbers[STORY_FULL + star] = final->stars[star] > 0;
        }
        for (int cost = 0; cost < BOARD_REWARDED_COSTS; cost++)
            numbers[STORY_COSTS] += final->costs[cost];
    }
}

void story_step(void *context, struct match *match, const struct replay_decision *decision)
{
    struct game_story *story = context;
    struct effect effect;
    int *numbers;

    if (!decision || !effect_of(&match->game, decision->action, &effect))
        return;
    story->decision_count++;
    tell_scores(story, &match->game);
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
        effect_final(&match->game, decision->action, story->finals);
        tell_final(story, match->game.player_count);
        story->is_whole = true;
    }
}

/* ---- why a seat won or lost ---- */

/* Writes what separates item i of count items: "A, B and C". */
static void write_comma(FILE *words, int i, int count)
{
    fputs(i == 0 ? "" : i == count - 1 ? " and " : ", ", words);
}

static bool is_loss(int number)
{
    return number >= STORY_TOKEN;
}

/*
 * Writes at most `most`, one or two, of the largest differences over the whole game for (sign 1) or
 * against (-1) a seat, with the points of both: "got 12 points for full stars (magpie: 32) and lost
 * 11 points to discarded tiles (magpie: 1)". Returns false if there are none.
 */
static bool write_gaps(FILE *words, const struct game_story *story,
                       const char *const names[static 1], int seat, int other, int sign, int most)
{
    static const char *const sources[] = {"for runs of tiles",   "for full stars",
                                          "for numbers covered", "to the start token",
                                          "to discarded tiles",  "to tiles left on corners"};
    int gaps[STORY_CORNERS + 1], order[2] = {0}, count = 0;

    for (int i = 0; i <= STORY_CORNERS; i++)
        gaps[i] = sign * (story->seats[seat][i] - story->seats[other][i]);
    for (; count < most; count++) {
        int best = 0;

        for (int i = 1; i <= STORY_CORNERS; i++)
            if (gaps[i] > gaps[best])
                best = i;
        /* a second difference of less than a third explains nothing */
        if (gaps[best] <= 0 || (count > 0 && 3 * gaps[best] < -gaps[order[0]]))
            break;
        order[count] = best;
        gaps[best] = -gaps[best];
    }
    for (int i = 0; i < count; i++) {
        int number = order[i], points = abs(story->seats[seat][number]);

        write_comma(words, i, count);
        if (i == 0 || is_loss(number) != is_loss(order[0]))
            fputs(is_loss(number) ? "lost " : "got ", words);
        fprintf(words, "%d point%s %s (%s: %d)", points, points == 1 ? "" : "s", sources[number],
                names[other], abs(story->seats[other][number]));
    }
    return count > 0;
}

/*
 * Writes what two seats scored differently in the final scoring: "+14 to 0 for full stars and +8 to
 * +4 for every 2".
 */
static void write_finals(FILE *words, const struct game_story *story, int winner, int other)
{
    const int *mine = story->seats[winner], *theirs = story->seats[other];
    int pairs[BOARD_REWARDED_COSTS + 2][2] = {{mine[STORY_STARS], theirs[STORY_STARS]}};
    int count = 0, written = 0;

    for (int i = 0; i < BOARD_REWARDED_COSTS; i++) {
        pairs[i + 1][0] = story->finals[winner].costs[i];
        pairs[i + 1][1] = story->finals[other].costs[i];
    }
    pairs[BOARD_REWARDED_COSTS + 1][0] = mine[STORY_CORNERS];
    pairs[BOARD_REWARDED_COSTS + 1][1] = theirs[STORY_CORNERS];
    for (int i = 0; i < BOARD_REWARDED_COSTS + 2; i++)
        count += pairs[i][0] != pairs[i][1];
    for (int i = 0; i < BOARD_REWARDED_COSTS + 2; i++) {
        if (pairs[i][0] == pairs[i][1])
            continue;
        write_comma(words, written++, count);
        fprintf(words, pairs[i][0] ? "%+d to " : "%d to ", pairs[i][0]);
        fprintf(words, pairs[i][1] ? "%+d for " : "%d for ", pairs[i][1]);
        if (i == 0)
            fputs("full stars", words);
        else if (i <= BOARD_REWARDED_COSTS)
            fprintf(words, "every %d", i);
        else
            fputs("tiles left on corners", words);
    }
}

/* Returns why a seat forfeited; "" if that is unknown. A new reference. */
static json_t *cause_of(const struct replay *replay, int seat)
{
    struct json_words cause;
    json_t *json;
    size_t size;

    json_words_begin(&cause);
    if (replay->forfeits[seat])
        forfeit_text_cause(cause.stream, replay->forfeits[seat]);
    json = json_words_end(&cause);
    size = json_string_length(json);
    if (size > 0 && json_string_value(json)[size - 1] == '.')
        json_string_setn(json, json_string_value(json), size - 1);
    return json;
}

/* Returns the round since which the winner was ahead of another seat at the end of every round. */
static int round_of_lead(const struct game_story *story, int winner, int other)
{
    int round = GAME_ROUNDS;

    while (round > 0 &&
           story->seats[winner][STORY_SCORES + round] > story->seats[other][STORY_SCORES + round])
        round--;
    return round + 1;
}

/*
 * Writes how the winner's lead over another seat came about; seat is one of the two. Begins with
 * the words in_rounds or in_final: the lead came in the rounds or in the final scoring.
 */
static void write_lead(FILE *words, const struct game_story *story,
                       const char *const names[static 1], int winner, int other, int seat,
                       const char *in_rounds, const char *in_final)
{
    int round = round_of_lead(story, winner, other);
    int had = story->finals[winner].before, other_had = story->finals[other].before;

    if (round <= GAME_ROUNDS) {
        fputs(in_rounds, words);
        write_gaps(words, story, names, seat, seat == winner ? other : winner,
                   seat == winner ? 1 : -1, 2);
        fprintf(words, ", and was %s from round %d on", seat == winner ? "ahead" : "behind", round);
        return;
    }
    fputs(in_final, words);
    if (had == other_had)
        fprintf(words, "both had %d before; then ", had);
    else
        fprintf(words, "%s led %d : %d before; then ", names[other], other_had, had);
    fprintf(words, "%s scored ", names[winner]);
    write_finals(words, story, winner, other);
}

json_t *story_why(const struct replay *replay, const struct game_story *story,
                  const char *const names[static GAME_PLAYERS_MAX], int seat)
{
    const struct wire_end *end = &replay->result;
    int other = -1, out = -1;
    struct json_words words;
    json_t *why;

    for (int i = 0; i < end->player_count; i++)
        if (i != seat && (other < 0 || end->ranks[i] < end->ranks[other]))
            other = i;
    json_words_begin(&words);
    if (replay->out_turns[seat] != REPLAY_STAYED) {
        out = seat;
    } else if (replay->out_turns[other] != REPLAY_STAYED) {
        out = other;
    } else if (end->ranks[seat] == end->ranks[other]) {
        fprintf(words.stream, "tied with %s at %d: it ", names[other], end->scores[seat]);
        if (write_gaps(words.stream, story, names, seat, other, 1, 1))
            fputs(" but ", words.stream);
        if (!write_gaps(words.stream, story, names, seat, other, -1, 1))
            fputs("got the same points from every source", words.stream);
    } else {
        int winner = end->ranks[seat] == 1 ? seat : other;

        fprintf(words.stream, "%s %s by %d", seat == winner ? "beat" : "lost to", names[other],
                abs(end->scores[seat] - end->scores[other]));
        write_lead(words.stream, story, names, winner, seat == winner ? other : seat, seat, ": it ",
                   " in the final scoring: ");
    }
    why = json_pack("{s:s, s:o}", "name", names[seat], "words", json_words_end(&words));
    if (out >= 0)
        json_object_set_new(
            why, "forfeit",
            json_pack("{s:s*, s:o*, s:o}", "by", out == seat ? NULL : names[out], "turn",
                      replay->out_turns[out] < 0 ? NULL
                                                 : json_sprintf("%d", (int)replay->out_turns[out]),
                      "cause", cause_of(replay, out)));
    return why;
}

int season_replay(const struct season_data *data, const struct data_game *game,
                  struct replay *replay, uint8_t **bytes, char error[static REPLAY_ERROR_BYTES])
{
    size_t size;
    int result = store_replay_read(data->store, data->standings.season.id, game->group,
                                   game->rotation, bytes, &size);

    if (result < 0)
        snprintf(error, REPLAY_ERROR_BYTES, "%s", store_failure(data->store));
    if (result < 0 || replay_unpack(replay, *bytes, size, error) == 0)
        return result;
    free(*bytes);
    return -EBADMSG;
}

/*
 * Plays a game again; calls step_fn as replay_verify does. Returns the bytes of the replay, which
 * the caller frees after replay_finish; NULL if the replay was pruned or is damaged.
 */
static uint8_t *play_again(const struct season_data *data, const struct data_game *game,
                           struct replay *replay, replay_step_fn *step_fn, void *context)
{
    char error[REPLAY_ERROR_BYTES];
    uint8_t *bytes;

    if (game->is_pruned || season_replay(data, game, replay, &bytes, error) < 0)
        return NULL;
    if (replay->terms.player_count == game->player_count &&
        replay_verify(replay, step_fn, context, error) == 0)
        return bytes;
    replay_finish(replay);
    free(bytes);
    return NULL;
}

const struct game_story *season_story(const struct season_data *data, int at)
{
    struct game_story *story = data->stories[at];
    struct replay replay;
    uint8_t *bytes;

    if (story || !(story = data->stories[at] = calloc(1, sizeof *story)))
        return story;
    bytes = play_again(data, &data->games[at], &replay, story_step, story);
    if (!bytes) {
        *story = (struct game_story){0};
        return story;
    }
    story->board = replay.terms.board;
    replay_finish(&replay);
    free(bytes);
    return story;
}

/* A game that is played again for the decisions of a name that its analysis calls mistakes. */
struct mistakes_context {
    const struct season_data *data;
    const struct data_game *game;
    const json_t *decisions; /* of the analysis */
    int name;
    struct mistake **mistakes;
    int *count;
};

static int64_t centipoints(const json_t *judged, const char *key)
{
    return llround(json_number_value(json_object_get(judged, key)) * 100);
}

/* A replay_step_fn. */
static void add_mistake(void *self, struct match *match, const struct replay_decision *decision)
{
    struct mistakes_context *context = self;
    struct mistake mistake = {.game = context->game,
                              .judgement.turn = (int64_t)match->decision_count};
    struct judgement *judgement = &mistake.judgement;
    struct action better;
    const json_t *judged;
    size_t at;

    json_array_foreach(context->decisions, at, judged)
    {
        const char *best = json_string_value(json_object_get(judged, "best"));

        if (!decision || json_integer_value(json_object_get(judged, "seq")) != judgement->turn ||
            !best || notation_read_action(&better, best) ||
            !effect_of(&match->game, decision->action, &judgement->done) ||
            !effect_of(&match->game, better, &judgement->better) ||
            data_name(context->data, context->game->entries[judgement->done.seat]) != context->name)
            continue;
        judgement->expected = centipoints(judged, "expected");
        judgement->best_expected = centipoints(judged, "best_expected");
        if (judgement_lost(judgement) > 0)
            array_add(context->mistakes, context->count, &mistake, sizeof mistake);
    }
}

bool season_mistakes(const struct season_data *data, const struct data_game *game, int name,
                     struct mistake **mistakes, int *count,
                     char analyst[static STORE_NAME_BYTES_MAX + 1])
{
    json_t *analysis = data_analysis(data, game);
    const char *said = json_string_value(json_object_get(analysis, "analyst"));
    struct mistakes_context context = {data, game,     json_object_get(analysis, "decisions"),
                                       name, mistakes, count};
    struct replay replay;
    uint8_t *bytes = said ? play_again(data, game, &replay, add_mistake, &context) : NULL;
    bool is_read = bytes != NULL;

    if (is_read) {
        snprintf(analyst, STORE_NAME_BYTES_MAX + 1, "%s", said);
        replay_finish(&replay);
    }
    free(bytes);
    json_decref(analysis);
    return is_read;
}

json_t *season_why_lost(const struct season_data *data, const struct data_game *game, int seat)
{
    const struct game_story *story = season_story(data, (int)(game - data->games));
    const char *names[GAME_PLAYERS_MAX];
    struct json_words words;
    int winner = 0;

    if (!story || !story->is_whole)
        return json_string("");
    json_words_begin(&words);
    for (int i = 0; i < game->player_count; i++)
        names[i] = data_bot(data, game->entries[i])->name;
    while (game->ranks[winner] != 1)
        winner++;
    write_lead(words.stream, story, names, winner, seat, seat, "It ",
               "The final scoring decided: ");
    fputs(".", words.stream);
    return json_words_end(&words);
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

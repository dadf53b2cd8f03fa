/* SPDX-License-Identifier: MIT */
#include "arena/site/story.h"

#include <stdlib.h>

#include "arena/base/json.h"
#include "arena/replay/forfeit_text.h"
#include "arena/site/page.h"

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
 * Writes what two seats scored differently in the final scoring: "+14 : 0 for full stars and +8 :
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
        fprintf(words, pairs[i][0] ? "%+d : " : "%d : ", pairs[i][0]);
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

json_t *story_why_lost(const struct game_story *story,
                       const char *const names[static GAME_PLAYERS_MAX], int winner, int seat)
{
    struct json_words words;

    if (!story->is_whole)
        return json_string("");
    json_words_begin(&words);
    write_lead(words.stream, story, names, winner, seat, seat, "It ",
               "The final scoring decided: ");
    fputs(".", words.stream);
    return json_words_end(&words);
}

/* SPDX-License-Identifier: MIT */
/*
 * Measures the strength of one learned bot against another in this process: thousands of games in
 * the time in which the arena plays hundreds. Times are processor times, so that load on the
 * machine has little effect. `arena sprt` has the last word.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bots/search/mind.h"
#include "sdk/steady/tables.h"
#include "engine/draw.h"
#include "tests/bench/bench.h"

/* How a player decides. */
enum how {
    HOW_STEADY,  /* like steady */
    HOW_MAESTRO, /* like maestro, with a time for each draft */
    HOW_SEARCH,  /* the same, without rollouts */
    HOW_DEPTH,   /* the same to a fixed depth */
};

enum {
    STEADY_WIDTH = 4, /* of steady's plans */
};

struct player {
    enum how how;
    long limit; /* microseconds, or depth */
    struct mind *mind;
    int64_t deadline_us;
    long decision_count;
    int64_t taken_us, longest_us;
    long draft_count, depth_sum, exact_count, rollout_count;
};

struct strength {
    long group_count; /* seeds, each played with the first player in every seat */
    int player_count;
    enum board_side board;
    uint64_t seed;
    int round; /* first round of the players; before it steady plays for both */
    struct player players[2];
    double wins, win_squares, margins, margin_squares, points[2];
};

static int64_t processor_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool is_enough(void *context)
{
    return processor_us() >= ((struct player *)context)->deadline_us;
}

static struct action choose_steadily(const struct mind *mind, const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    int32_t best_value = INT32_MIN;
    size_t count, best = 0;

    if (game_phase(game) != PHASE_DRAFT)
        return plan_make(&mind->set, game, game->player, game->bonus, STEADY_WIDTH, true).first;
    count = game_legal_actions(game, actions);
    for (size_t i = 0; i < count; i++) {
        int32_t value = value_of_action(&mind->set, game, actions[i], MIND_LAMBDA);

        if (value > best_value) {
            best_value = value;
            best = i;
        }
    }
    return actions[best];
}

static struct action choose(struct player *player, const struct game *game)
{
    int64_t start_us = processor_us(), taken_us;
    struct search *search = &player->mind->search;
    bool is_searching = player->how == HOW_SEARCH && game_phase(game) == PHASE_DRAFT;
    struct action action;

    if (player->how == HOW_STEADY) {
        action = choose_steadily(player->mind, game);
    } else {
        if (player->how == HOW_DEPTH)
            search->depth_max = (int)player->limit;
        player->deadline_us = start_us + player->limit;
        action = player->how == HOW_DEPTH
                     ? mind_choose(player->mind, game, INT64_MAX, NULL, NULL)
                     : mind_choose(player->mind, game, is_searching ? 0 : player->limit, is_enough,
                                   player);
        if (game_phase(game) == PHASE_DRAFT) {
            player->draft_count++;
            player->depth_sum += search->depth;
            player->exact_count += search->is_exact;
            player->rollout_count += player->mind->rollout.count;
        }
    }
    taken_us = processor_us() - start_us;
    player->decision_count++;
    player->taken_us += taken_us;
    if (taken_us > player->longest_us)
        player->longest_us = taken_us;
    return action;
}

/* Plays one seed, with the first player in each seat once. */
static void play_group(struct strength *strength, long number)
{
    int seats = strength->player_count;
    double win = 0, margin = 0;
    uint8_t seed[GAME_SEED_BYTES] = {0};

    memcpy(seed, &number, sizeof number);
    memcpy(seed + 8, &strength->seed, sizeof strength->seed);
    for (int own = 0; own < seats; own++) {
        struct game game;
        int winners = 0, best_other = 0;

        game_init(&game, seats, strength->board, seed);
        for (int i = 0; i < 2; i++)
            memset(strength->players[i].mind->foretold, 0,
                   sizeof strength->players[i].mind->foretold);
        while (game.round < strength->round)
            game_play(&game, choose_steadily(strength->players[0].mind, &game));
        while (!game_is_over(&game)) {
            struct action action = choose(&strength->players[game.player != own], &game);

            for (int i = 0; i < 2 && action.kind == ACTION_DRAFT; i++)
                if (strength->players[i].how != HOW_STEADY)
                    mind_watch(strength->players[i].mind, &game, action);
            game_play(&game, action);
        }
        for (int i = 0; i < seats; i++) {
            winners += game_rank(&game, i) == 1;
            strength->points[i != own] += (double)game_score(&game, i) / (i == own ? 1 : seats - 1);
            if (i != own && game_score(&game, i) > best_other)
                best_other = game_score(&game, i);
        }
        win += game_rank(&game, own) == 1 ? 1.0 / winners : 0;
        margin += game_score(&game, own) - best_other;
    }
    win /= seats;
    margin /= seats;
    strength->wins += win;
    strength->win_squares += win * win;
    strength->margins += margin;
    strength->margin_squares += margin * margin;
}

/* Returns half of the 95 % interval of a mean. */
static double interval(double sum, double squares, double count)
{
    double mean = sum / count;

    return count < 2 ? 0 : 1.96 * sqrt(fmax(0, squares / count - mean * mean) / (count - 1));
}

static void print_player(const struct player *player)
{
    double drafts = player->draft_count > 0 ? (double)player->draft_count : 1;

    printf("{\"mean_us\":%.1f,\"longest_us\":%lld,\"depth\":%.2f,\"exact\":%.3f,"
           "\"rollouts\":%.1f}",
           (double)player->taken_us / (double)player->decision_count, (long long)player->longest_us,
           (double)player->depth_sum / drafts, (double)player->exact_count / drafts,
           (double)player->rollout_count / drafts);
}

static void print(const struct strength *strength)
{
    double groups = (double)strength->group_count;

    printf("{\"games\":%ld,\"first\":%.4f,\"first_error\":%.4f,\"margin\":%.2f,"
           "\"margin_error\":%.2f,\"points\":[%.2f,%.2f],\"players\":[",
           strength->group_count * strength->player_count, strength->wins / groups,
           interval(strength->wins, strength->win_squares, groups), strength->margins / groups,
           interval(strength->margins, strength->margin_squares, groups),
           strength->points[0] / groups / strength->player_count,
           strength->points[1] / groups / strength->player_count);
    print_player(&strength->players[0]);
    putchar(',');
    print_player(&strength->players[1]);
    puts("]}");
}

static void load_file(struct mind *mind, const char *path)
{
    static uint8_t bytes[TABLES_BYTES_MAX];
    struct tables_header header;
    FILE *file = fopen(path, "rb");
    const char *fault;
    size_t size;

    if (!file)
        bench_refuse("strength: %s cannot be read", path);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fault = tables_unpack(bytes, size, &header, &mind->set);
    if (fault)
        bench_refuse("strength: %s: %s", path, fault);
}

/* steady, maestro:MS, search:MS, depth:N; then, if told, @FILE with its weights instead of
 * the built-in ones, and without networks. */
static void set_player(struct strength *strength, struct player *player, const char *text)
{
    const char *file = strchr(text, '@'), *number = strchr(text, ':');

    player->mind = calloc(1, sizeof *player->mind);
    mind_init(player->mind);
    if (file)
        load_file(player->mind, file + 1);
    else
        mind_begin(player->mind, strength->player_count, strength->board);
    if (strncmp(text, "steady", 6) == 0)
        player->how = HOW_STEADY;
    else if (strncmp(text, "maestro:", 8) == 0)
        player->how = HOW_MAESTRO;
    else if (strncmp(text, "search:", 7) == 0)
        player->how = HOW_SEARCH;
    else if (strncmp(text, "depth:", 6) == 0)
        player->how = HOW_DEPTH;
    else
        bench_refuse("strength: a player is steady, maestro:MS, search:MS or depth:N, not '%s'",
                     text);
    if (number && (!file || number < file))
        player->limit = (long)(strtod(number + 1, NULL) * (player->how == HOW_DEPTH ? 1 : 1000));
}

int bench_strength(char **argv, bool few)
{
    struct strength strength = {.group_count = 200};
    const char *names[2] = {NULL, NULL};
    long players = 2, seed = 1, gray = 0, round = 0;

    (void)few;
    bench_read_options(argv, (const struct bench_option[]){
                                 {"", .text = &names[0]},
                                 {"", .text = &names[1]},
                                 {"--groups", &strength.group_count, 1, 1000000000},
                                 {"--seed", &seed, 0, 1000000000},
                                 {"--round", &round, 1, GAME_ROUNDS},
                                 {"--players", &players, GAME_PLAYERS_MIN, GAME_PLAYERS_MAX},
                                 {"--gray", &gray},
                                 {NULL}});
    if (!names[1])
        bench_refuse("strength: two players are needed: steady, maestro:MS, search:MS or depth:N");
    strength.player_count = (int)players;
    strength.board = gray ? BOARD_GRAY : BOARD_COLORED;
    strength.seed = (uint64_t)seed;
    strength.round = (int)round;
    for (int i = 0; i < 2; i++)
        set_player(&strength, &strength.players[i], names[i]);
    for (long i = 0; i < strength.group_count; i++)
        play_group(&strength, i);
    print(&strength);
    for (int i = 0; i < 2; i++)
        free(strength.players[i].mind);
    return 0;
}

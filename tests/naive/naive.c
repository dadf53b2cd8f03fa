/* SPDX-License-Identifier: MIT */
#include "tests/naive/naive.h"

#include <string.h>

static int total(const uint8_t counts[static GAME_COLORS])
{
    int sum = 0;

    for (int color = 0; color < GAME_COLORS; color++)
        sum += counts[color];
    return sum;
}

static void move(uint8_t *from, uint8_t *to, int color, int count)
{
    from[color] = (uint8_t)(from[color] - count);
    to[color] = (uint8_t)(to[color] + count);
}

static void move_all(uint8_t from[static GAME_COLORS], uint8_t to[static GAME_COLORS])
{
    for (int color = 0; color < GAME_COLORS; color++)
        move(from, to, color, from[color]);
}

static int display_count(const struct position *table)
{
    return 2 * table->player_count + 1;
}

static void lose(struct position_seat *seat, int points)
{
    seat->score = seat->score - points < 1 ? 1 : seat->score - points;
}

/* ---- the draw ---- */

static uint64_t rotated(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static void sip_round(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d)
{
    *a += *b;
    *b = rotated(*b, 13) ^ *a;
    *a = rotated(*a, 32);
    *c += *d;
    *d = rotated(*d, 16) ^ *c;
    *a += *d;
    *d = rotated(*d, 21) ^ *a;
    *c += *b;
    *b = rotated(*b, 17) ^ *c;
    *c = rotated(*c, 32);
}

/* SipHash-2-4 of the eight bytes of stream << 32 | index, as published by its authors. */
static uint64_t random_number(const uint8_t seed[static 16], uint64_t stream, uint64_t index)
{
    uint64_t keys[2] = {0, 0};
    uint64_t words[2] = {stream << 32 | index, UINT64_C(8) << 56};
    uint64_t a, b, c, d;

    for (int byte = 0; byte < 16; byte++)
        keys[byte / 8] |= (uint64_t)seed[byte] << (byte % 8 * 8);
    a = keys[0] ^ UINT64_C(0x736f6d6570736575);
    b = keys[1] ^ UINT64_C(0x646f72616e646f6d);
    c = keys[0] ^ UINT64_C(0x6c7967656e657261);
    d = keys[1] ^ UINT64_C(0x7465646279746573);
    for (int word = 0; word < 2; word++) {
        d ^= words[word];
        sip_round(&a, &b, &c, &d);
        sip_round(&a, &b, &c, &d);
        a ^= words[word];
    }
    c ^= 0xff;
    for (int i = 0; i < 4; i++)
        sip_round(&a, &b, &c, &d);
    return a ^ b ^ c ^ d;
}

/* Draws a tile to its place. Returns false if bag and tower are empty. */
static bool draw_one(struct naive_game *game, uint32_t stream, uint32_t index,
                     uint8_t to[static GAME_COLORS])
{
    struct position *table = &game->table;
    uint64_t number;
    int wanted, color = 0;

    if (total(table->bag) == 0)
        move_all(table->tower, table->bag);
    if (total(table->bag) == 0)
        return false;
    number = random_number(game->seed, stream, index) >> 32;
    wanted = (int)(number * (uint64_t)total(table->bag) >> 32);
    for (int passed = table->bag[0]; passed <= wanted; passed += table->bag[color])
        color++;
    move(table->bag, to, color, 1);
    return true;
}

static void fill_supply(struct naive_game *game)
{
    while (total(game->table.supply) < 10 &&
           draw_one(game, 0, game->supply_draw_count, game->table.supply))
        game->supply_draw_count++;
}

static void fill_displays(struct naive_game *game)
{
    for (int display = 0; display < display_count(&game->table); display++)
        for (int place = 0; place < 4; place++)
            draw_one(game, game->table.round, (uint32_t)(4 * display + place),
                     game->table.displays[display]);
}

void naive_init(struct naive_game *game, int player_count, enum board_side side,
                const uint8_t seed[static GAME_SEED_BYTES])
{
    struct position *table = &game->table;

    memset(game, 0, sizeof *game);
    memcpy(game->seed, seed, 16);
    table->board = (uint8_t)side;
    table->player_count = (uint8_t)player_count;
    table->round = 1;
    table->phase = PHASE_DRAFT;
    table->token = GAME_NOBODY;
    for (int color = 0; color < GAME_COLORS; color++)
        table->bag[color] = 22;
    for (int seat = 0; seat < player_count; seat++) {
        table->seats[seat].score = 5;
        memset(table->seats[seat].stars, GAME_EMPTY, sizeof table->seats[seat].stars);
    }
    fill_supply(game);
    fill_displays(game);
}

/* ---- the board ---- */

static int cost_of(int side, int star, int position)
{
    static const int outer_gray[6] = {3, 2, 1, 4, 5, 6};

    if (side == BOARD_COLORED)
        return position + 1;
    return star == 6 ? 3 : outer_gray[position];
}

static bool star_takes(const struct position *table, const struct position_seat *seat, int star,
                       int color)
{
    static const int printed[6] = {2, 5, 4, 3, 1, 0};
    int tiles = 0, first = GAME_EMPTY;
    bool holds = false, equal = true;

    if (table->board == BOARD_COLORED && star != 6)
        return printed[star] == color;
    for (int position = 0; position < 6; position++) {
        int there = seat->stars[star][position];

        if (there == GAME_EMPTY)
            continue;
        if (tiles++ == 0)
            first = there;
        equal = equal && there == first;
        holds = holds || there == color;
    }
    if (table->board == BOARD_COLORED)
        return !holds;
    if (tiles < 2)
        return true;
    return equal ? color == first : !holds;
}

static int run_of(const struct position_seat *seat, int star, int position)
{
    int run = 1;

    for (int step = 1; step < 6 && seat->stars[star][(position + step) % 6] != GAME_EMPTY; step++)
        run++;
    for (int step = 1; step < 6 && seat->stars[star][(position + 6 - step) % 6] != GAME_EMPTY;
         step++)
        run++;
    return run > 6 ? 6 : run;
}

static int bonus_of_all_features(const struct position_seat *seat)
{
#define FILLED(star, position) (seat->stars[star][position] != GAME_EMPTY)
    int bonus = 0;

    for (int i = 0; i < 6; i++) {
        int j = (i + 1) % 6;

        if (FILLED(i, 1) && FILLED(i, 2) && FILLED(6, (i + 5) % 6) && FILLED(6, i))
            bonus += 1;
        if (FILLED(i, 0) && FILLED(i, 1) && FILLED(j, 2) && FILLED(j, 3))
            bonus += 2;
        if (FILLED(i, 4) && FILLED(i, 5))
            bonus += 3;
    }
    return bonus;
}

static int final_points(const struct position *table, const struct position_seat *seat)
{
    static const int one_color[6] = {20, 18, 17, 16, 15, 14};
    int points = 0;

    for (int star = 0; star < 7; star++) {
        const int8_t *colors = seat->stars[star];
        bool full = true, single = true;

        for (int position = 0; position < 6; position++) {
            full = full && colors[position] != GAME_EMPTY;
            single = single && colors[position] == colors[0];
        }
        if (full)
            points += single ? one_color[colors[0]] : 12;
    }
    for (int cost = 1; cost <= 4; cost++) {
        bool covered = true;

        for (int star = 0; star < 7; star++)
            for (int position = 0; position < 6; position++)
                if (cost_of(table->board, star, position) == cost && !FILLED(star, position))
                    covered = false;
        if (covered)
            points += 4 * cost;
    }
    return points;
}

/* ---- legal actions ---- */

static struct action *add(struct action *next, int kind, int a, int b, int c, int d)
{
    *next = (struct action){(uint8_t)kind, {(int8_t)a, (int8_t)b, (int8_t)c, (int8_t)d}};
    return next + 1;
}

static struct action *add_drafts(const struct position *table, struct action *next)
{
    for (int source = -1; source < display_count(table); source++) {
        const uint8_t *tiles = source < 0 ? table->center : table->displays[source];
        bool only_wild = total(tiles) == tiles[table->wild];

        for (int color = 0; color < 6; color++)
            if (tiles[color] > 0 && (color != table->wild || only_wild))
                next = add(next, ACTION_DRAFT, source, color, 0, 0);
    }
    return next;
}

static struct action *add_placements(const struct position *table, struct action *next)
{
    const struct position_seat *seat = &table->seats[table->player];

    for (int star = 0; star < 7; star++)
        for (int position = 0; position < 6; position++)
            for (int color = 0; color < 6; color++) {
                if (FILLED(star, position) || !star_takes(table, seat, star, color))
                    continue;
                for (int wilds = 0; wilds < 6; wilds++) {
                    int own = cost_of(table->board, star, position) - wilds;

                    if (own < 1 || own > seat->hand[color] || wilds > seat->hand[table->wild])
                        continue;
                    if (color == table->wild && wilds > 0)
                        continue;
                    next = add(next, ACTION_PLACE, star, position, color, wilds);
                }
            }
    return next;
}

static struct action *add_counts(const uint8_t tiles[static 6], int kind, int least, int most,
                                 struct action *next)
{
    int8_t n[6];

    for (n[0] = 0; n[0] <= tiles[0] && n[0] <= 4; n[0]++)
        for (n[1] = 0; n[1] <= tiles[1] && n[1] <= 4; n[1]++)
            for (n[2] = 0; n[2] <= tiles[2] && n[2] <= 4; n[2]++)
                for (n[3] = 0; n[3] <= tiles[3] && n[3] <= 4; n[3]++)
                    for (n[4] = 0; n[4] <= tiles[4] && n[4] <= 4; n[4]++)
                        for (n[5] = 0; n[5] <= tiles[5] && n[5] <= 4; n[5]++) {
                            int sum = n[0] + n[1] + n[2] + n[3] + n[4] + n[5];

                            if (sum < least || sum > most)
                                continue;
                            *next = (struct action){.kind = (uint8_t)kind};
                            memcpy(next->number, n, sizeof n);
                            next++;
                        }
    return next;
}

size_t naive_legal_actions(const struct naive_game *game,
                           struct action actions[static GAME_ACTIONS_MAX])
{
    const struct position *table = &game->table;
    struct action *next = actions;

    if (table->phase == PHASE_DRAFT)
        next = add_drafts(table, next);
    if (table->phase == PHASE_PLACE) {
        next = add_placements(table, next);
        next = add_counts(table->seats[table->player].hand, ACTION_PASS, 0, 4, next);
    }
    if (table->phase == PHASE_BONUS)
        next = add_counts(table->supply, ACTION_BONUS, table->bonus, table->bonus, next);
    return (size_t)(next - actions);
}

/* ---- effects of actions ---- */

static bool anything_to_draft(const struct position *table)
{
    int tiles = total(table->center);

    for (int display = 0; display < display_count(table); display++)
        tiles += total(table->displays[display]);
    return tiles > 0;
}

static void start_placing(struct position *table)
{
    table->phase = PHASE_PLACE;
    if (table->token != GAME_NOBODY)
        table->start = (uint8_t)table->token;
    table->player = (int8_t)table->start;
}

static void end_game(struct position *table)
{
    for (int i = 0; i < table->player_count; i++) {
        struct position_seat *seat = &table->seats[i];

        seat->score += final_points(table, seat);
        lose(seat, total(seat->corners));
        move_all(seat->corners, table->tower);
    }
    table->phase = PHASE_OVER;
    table->player = GAME_NOBODY;
}

static void end_round(struct naive_game *game)
{
    struct position *table = &game->table;

    if (table->round == 6) {
        end_game(table);
        return;
    }
    table->round++;
    table->wild++;
    table->token = GAME_NOBODY;
    table->phase = PHASE_DRAFT;
    table->player = (int8_t)table->start;
    for (int seat = 0; seat < table->player_count; seat++) {
        table->seats[seat].passed = false;
        move_all(table->seats[seat].corners, table->seats[seat].hand);
    }
    fill_displays(game);
    if (!anything_to_draft(table))
        start_placing(table);
}

static void end_turn(struct naive_game *game)
{
    struct position *table = &game->table;

    fill_supply(game);
    table->phase = PHASE_PLACE;
    for (int step = 1; step <= table->player_count; step++) {
        int seat = (table->player + step) % table->player_count;

        if (!table->seats[seat].passed) {
            table->player = (int8_t)seat;
            return;
        }
    }
    end_round(game);
}

static void draft(struct position *table, int source, int color)
{
    struct position_seat *seat = &table->seats[table->player];
    uint8_t *tiles = source < 0 ? table->center : table->displays[source];
    int before = total(seat->hand);

    if (color != table->wild)
        move(tiles, seat->hand, color, tiles[color]);
    if (tiles[table->wild] > 0)
        move(tiles, seat->hand, table->wild, 1);
    if (source >= 0)
        move_all(tiles, table->center);
    if (source < 0 && table->token == GAME_NOBODY) {
        table->token = table->player;
        lose(seat, total(seat->hand) - before);
    }
    table->player = (int8_t)((table->player + 1) % table->player_count);
    if (!anything_to_draft(table))
        start_placing(table);
}

static void place(struct naive_game *game, int star, int position, int color, int wilds)
{
    struct position *table = &game->table;
    struct position_seat *seat = &table->seats[table->player];
    int own = cost_of(table->board, star, position) - wilds;
    int before = bonus_of_all_features(seat);
    int earned;

    move(seat->hand, table->tower, color, own);
    move(seat->hand, table->tower, table->wild, wilds);
    table->tower[color]--;
    seat->stars[star][position] = (int8_t)color;
    seat->score += run_of(seat, star, position);
    earned = bonus_of_all_features(seat) - before;
    if (earned > total(table->supply))
        earned = total(table->supply);
    table->bonus = (uint8_t)earned;
    if (earned > 0)
        table->phase = PHASE_BONUS;
    else
        end_turn(game);
}

static void take_bonus(struct naive_game *game, const int8_t counts[static 6])
{
    struct position *table = &game->table;

    for (int color = 0; color < 6; color++)
        move(table->supply, table->seats[table->player].hand, color, counts[color]);
    table->bonus = 0;
    end_turn(game);
}

static void pass(struct naive_game *game, const int8_t counts[static 6])
{
    struct position *table = &game->table;
    struct position_seat *seat = &table->seats[table->player];

    for (int color = 0; color < 6; color++)
        move(seat->hand, seat->corners, color, counts[color]);
    lose(seat, total(seat->hand));
    move_all(seat->hand, table->tower);
    seat->passed = true;
    end_turn(game);
}

void naive_play(struct naive_game *game, struct action action)
{
    const int8_t *n = action.number;

    if (action.kind == ACTION_DRAFT)
        draft(&game->table, n[0], n[1]);
    if (action.kind == ACTION_PLACE)
        place(game, n[0], n[1], n[2], n[3]);
    if (action.kind == ACTION_BONUS)
        take_bonus(game, n);
    if (action.kind == ACTION_PASS)
        pass(game, n);
}

int naive_rank(const struct naive_game *game, int seat)
{
    int better = 0;

    for (int other = 0; other < game->table.player_count; other++)
        better += game->table.seats[other].score > game->table.seats[seat].score;
    return better + 1;
}

/* Reads a state: tables of its keys and of each seat's keys. */
#include "sdk/wire_read.h"

#include <string.h>

#include "engine/notation.h"
#include "sdk/wire.h"

/* A position, and the number of displays received. */
struct state_room {
    struct position *state;
    uint32_t display_count;
};

static bool read_uint8(struct wire_reader *reader, int minimum, int maximum, uint8_t *value)
{
    int wide;

    if (!wire_read_int(reader, minimum, maximum, &wide))
        return false;
    *value = (uint8_t)wide;
    return true;
}

static bool read_seat_or_nobody(struct wire_reader *reader, int8_t *seat)
{
    int wide;

    if (!wire_read_int(reader, GAME_NOBODY, GAME_PLAYERS_MAX - 1, &wide))
        return false;
    *seat = (int8_t)wide;
    return true;
}

/* ---- one seat ---- */

static bool read_score(struct wire_reader *reader, void *target)
{
    struct position_seat *seat = target;
    int score;

    if (!wire_read_int(reader, INT32_MIN, INT32_MAX, &score))
        return false;
    seat->score = score;
    return true;
}

static bool read_hand(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct position_seat *)target)->hand);
}

static bool read_corners(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct position_seat *)target)->corners);
}

static bool read_passed(struct wire_reader *reader, void *target)
{
    return wire_read_bool(reader, &((struct position_seat *)target)->passed);
}

static bool read_stars(struct wire_reader *reader, void *target)
{
    struct position_seat *seat = target;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count != GAME_STARS)
        return false;
    for (int star = 0; star < GAME_STARS; star++)
        if (!wire_read_array_header(reader, &count) || count != GAME_SPACES ||
            !wire_read_int8s(reader, GAME_EMPTY, GAME_COLORS - 1, seat->stars[star], GAME_SPACES))
            return false;
    return true;
}

static bool read_seat(struct wire_reader *reader, struct position_seat *seat)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("score", read_score, "not an integer", true),
        WIRE_FIELD("hand", read_hand, "not an array of 6 counts", true),
        WIRE_FIELD("corners", read_corners, "not an array of 6 counts", true),
        WIRE_FIELD("passed", read_passed, "not a boolean", true),
        WIRE_FIELD("stars", read_stars, "no 7 arrays of 6 colors", true),
    };

    return wire_read_map(reader, fields, sizeof fields / sizeof *fields, seat);
}

/* ---- the table ---- */

static bool read_board(struct wire_reader *reader, void *target)
{
    int board = wire_read_name(reader, notation_boards, BOARD_GRAY + 1);

    ((struct state_room *)target)->state->board = (uint8_t)board;
    return board >= 0;
}

static bool read_round(struct wire_reader *reader, void *target)
{
    return read_uint8(reader, 1, GAME_ROUNDS, &((struct state_room *)target)->state->round);
}

static bool read_phase(struct wire_reader *reader, void *target)
{
    int phase = wire_read_name(reader, notation_phases, PHASE_OVER + 1);

    ((struct state_room *)target)->state->phase = (uint8_t)phase;
    return phase >= 0;
}

static bool read_player(struct wire_reader *reader, void *target)
{
    return read_seat_or_nobody(reader, &((struct state_room *)target)->state->player);
}

static bool read_wild(struct wire_reader *reader, void *target)
{
    return read_uint8(reader, 0, GAME_COLORS - 1, &((struct state_room *)target)->state->wild);
}

static bool read_start(struct wire_reader *reader, void *target)
{
    return read_uint8(reader, 0, GAME_PLAYERS_MAX - 1,
                      &((struct state_room *)target)->state->start);
}

static bool read_start_token(struct wire_reader *reader, void *target)
{
    return read_seat_or_nobody(reader, &((struct state_room *)target)->state->token);
}

static bool read_bonus(struct wire_reader *reader, void *target)
{
    return read_uint8(reader, 0, GAME_SUPPLY_TILES, &((struct state_room *)target)->state->bonus);
}

static bool read_displays(struct wire_reader *reader, void *target)
{
    struct state_room *room = target;

    if (!wire_read_array_header(reader, &room->display_count) ||
        room->display_count > GAME_DISPLAYS_MAX)
        return false;
    for (uint32_t display = 0; display < room->display_count; display++)
        if (!wire_read_counts(reader, room->state->displays[display]))
            return false;
    return true;
}

static bool read_center(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct state_room *)target)->state->center);
}

static bool read_supply(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct state_room *)target)->state->supply);
}

static bool read_bag(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct state_room *)target)->state->bag);
}

static bool read_tower(struct wire_reader *reader, void *target)
{
    return wire_read_counts(reader, ((struct state_room *)target)->state->tower);
}

static bool read_players(struct wire_reader *reader, void *target)
{
    struct position *state = ((struct state_room *)target)->state;
    uint32_t count;

    if (!wire_read_array_header(reader, &count) || count < GAME_PLAYERS_MIN ||
        count > GAME_PLAYERS_MAX)
        return false;
    for (uint32_t seat = 0; seat < count; seat++)
        if (!read_seat(reader, &state->seats[seat]))
            return false;
    state->player_count = (uint8_t)count;
    return true;
}

bool wire_read_state(struct wire_reader *reader, struct position *state)
{
    static const struct wire_field fields[] = {
        WIRE_FIELD("board", read_board, "neither colored nor gray", true),
        WIRE_FIELD("round", read_round, "not a round", true),
        WIRE_FIELD("phase", read_phase, "not a phase", true),
        WIRE_FIELD("player", read_player, "not a seat", true),
        WIRE_FIELD("wild", read_wild, "not a color", true),
        WIRE_FIELD("start", read_start, "not a seat", true),
        WIRE_FIELD("token", read_start_token, "not a seat", true),
        WIRE_FIELD("bonus", read_bonus, "not a count", true),
        WIRE_FIELD("displays", read_displays, "not an array of 6 counts each", true),
        WIRE_FIELD("center", read_center, "not an array of 6 counts", true),
        WIRE_FIELD("supply", read_supply, "not an array of 6 counts", true),
        WIRE_FIELD("bag", read_bag, "not an array of 6 counts", true),
        WIRE_FIELD("tower", read_tower, "not an array of 6 counts", true),
        WIRE_FIELD("players", read_players, "not an array of seats", true),
    };
    struct state_room room = {state, 0};

    memset(state, 0, sizeof *state);
    if (!wire_read_map(reader, fields, sizeof fields / sizeof *fields, &room))
        return false;
    if (room.display_count != 2u * state->player_count + 1) {
        reader->fault = "the number of displays does not fit the number of players";
        return false;
    }
    return true;
}

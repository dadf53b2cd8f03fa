/*
 * What the SDK refuses of the arena's messages: each row changes some bytes of a good
 * message and tells the fault that this must be.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "sdk/wire.h"

#define BYTES(text) text, sizeof(text) - 1
#define NO_TILES    "\x96\x00\x00\x00\x00\x00\x00"

struct edit {
    const char *rule;
    const char *from;
    size_t from_bytes;
    const char *to;
    size_t to_bytes;
    const char *fault; /* NULL: it stays good */
};

static struct action actions[GAME_ACTIONS_MAX + 1];
static struct wire_event events[WIRE_EVENTS_MAX + 1];

/* A position without tiles, of two players. */
static struct position make_position(void)
{
    struct position position;

    memset(&position, 0, sizeof position);
    position.player_count = 2;
    position.round = 1;
    position.token = GAME_NOBODY;
    position.seats[0].score = position.seats[1].score = GAME_SCORE_START;
    for (int seat = 0; seat < 2; seat++)
        memset(position.seats[seat].stars, GAME_EMPTY, sizeof position.seats[seat].stars);
    return position;
}

static size_t apply_edit(const struct edit *edit, uint8_t *message, size_t size)
{
    uint8_t *found = memmem(message, size, edit->from, edit->from_bytes);
    size_t behind;

    cr_assert_not_null(found, "%s: the bytes to change are not there", edit->rule);
    behind = size - (size_t)(found - message) - edit->from_bytes;
    memmove(found + edit->to_bytes, found + edit->from_bytes, behind);
    memcpy(found, edit->to, edit->to_bytes);
    return size - edit->from_bytes + edit->to_bytes;
}

static void check_fault(const struct edit *edit, const char *fault)
{
    if (!edit->fault)
        cr_expect_null(fault, "%s: %s", edit->rule, fault);
    else
        cr_expect(fault && strcmp(fault, edit->fault) == 0, "%s: %s", edit->rule, fault);
}

static const struct edit state_edits[] = {
    {"nothing changed", BYTES(""), BYTES(""), NULL},
    {"another board",
     BYTES("\xa7"
           "colored"),
     BYTES("\xa7"
           "marbled"),
     "board is neither colored nor gray"},
    {"round 6", BYTES("round\x01"), BYTES("round\x06"), NULL},
    {"round 0", BYTES("round\x01"), BYTES("round\x00"), "round is no round"},
    {"round 7", BYTES("round\x01"), BYTES("round\x07"), "round is no round"},
    {"another phase",
     BYTES("\xa5"
           "draft"),
     BYTES("\xa5"
           "drift"),
     "phase is no phase"},
    {"seat 4", BYTES("player\x00"), BYTES("player\x04"), "player is no seat"},
    {"nobody to act", BYTES("player\x00"), BYTES("player\xff"), NULL},
    {"seat -2", BYTES("player\x00"), BYTES("player\xfe"), "player is no seat"},
    {"color 6", BYTES("wild\x00"), BYTES("wild\x06"), "wild is no color"},
    {"nobody starts", BYTES("start\x00"), BYTES("start\xff"), "start is no seat"},
    {"the token with seat 4", BYTES("token\xff"), BYTES("token\x04"), "token is no seat"},
    {"11 bonus tiles",
     BYTES("\xa5"
           "bonus\x00"),
     BYTES("\xa5"
           "bonus\x0b"),
     "bonus is no count"},
    {"4 displays for two players", BYTES("displays\x95" NO_TILES), BYTES("displays\x94"),
     "the number of displays does not fit the number of players"},
    {"7 displays for two players", BYTES("displays\x95"), BYTES("displays\x97" NO_TILES NO_TILES),
     "the number of displays does not fit the number of players"},
    {"10 displays", BYTES("displays\x95"),
     BYTES("displays\x9a" NO_TILES NO_TILES NO_TILES NO_TILES NO_TILES),
     "displays is no array of 6 counts each"},
    {"a display of five colors", BYTES("displays\x95\x96\x00"), BYTES("displays\x95\x95"),
     "displays is no array of 6 counts each"},
    {"132 tiles", BYTES("tower\x96\x00"), BYTES("tower\x96\xcc\x84"), NULL},
    {"133 tiles", BYTES("tower\x96\x00"), BYTES("tower\x96\xcc\x85"),
     "tower is no array of 6 counts"},
    {"-1 tiles", BYTES("bag\x96\x00"), BYTES("bag\x96\xff"), "bag is no array of 6 counts"},
    {"no supply", BYTES("supply"), BYTES("sapply"), "the message has no supply"},
    {"the center twice",
     BYTES("\xa3"
           "bag"),
     BYTES("\xa6"
           "center"),
     "a key comes twice"},
    {"a seat without a score", BYTES("score"), BYTES("scare"), "the message has no score"},
    {"a seat that passed 1", BYTES("passed\xc2"), BYTES("passed\x01"), "passed is no boolean"},
    {"a space of color 5", BYTES("stars\x97\x96\xff"), BYTES("stars\x97\x96\x05"), NULL},
    {"a space of color 6", BYTES("stars\x97\x96\xff"), BYTES("stars\x97\x96\x06"),
     "stars is no 7 arrays of 6 colors"},
    {"six stars", BYTES("stars\x97\x96\xff\xff\xff\xff\xff\xff"), BYTES("stars\x96"),
     "stars is no 7 arrays of 6 colors"},
    {"one player", BYTES("players\x92"), BYTES("players\x91"), "players is no array of seats"},
    {"five players", BYTES("players\x92"), BYTES("players\x95"), "players is no array of seats"},
    {"an unknown key in a seat",
     BYTES("\x85\xa5"
           "score"),
     BYTES("\x86\xa1k\x90\xa5"
           "score"),
     NULL},
};

Test(wire_arena, states)
{
    struct position position = make_position();

    for (size_t i = 0; i < sizeof state_edits / sizeof *state_edits; i++) {
        uint8_t bytes[2048];
        struct position read;
        size_t size = wire_pack_state(bytes, 1024, &position);

        size = apply_edit(&state_edits[i], bytes, size);
        check_fault(&state_edits[i], wire_unpack_state(bytes, size, &read));
    }
}

static const struct edit hello_edits[] = {
    {"nothing changed", BYTES(""), BYTES(""), NULL},
    {"protocol 2", BYTES("protocol\x01"), BYTES("protocol\x02"), "protocol is not 1"},
    {"a protocol that is a string", BYTES("protocol\x01"), BYTES("protocol\xa0"),
     "protocol is no integer"},
    {"another game", BYTES("summer"), BYTES("winter"), "game is not summer-pavilion"},
    {"seat 2 of two", BYTES("seat\x01"), BYTES("seat\x02"), "seat is no seat of this table"},
    {"seat 4", BYTES("seat\x01"), BYTES("seat\x04"), "seat is no seat"},
    {"five players", BYTES("players\x02"), BYTES("players\x05"), "players is no number of players"},
    {"five names", BYTES("names\x92"), BYTES("names\x95\xa0\xa0\xa0"),
     "names is no array of strings by seat"},
    {"a clock that is nil",
     BYTES("clock\x84\xa7turn_ms\x00\xa7"
           "bank_ms\x00\xa7gain_ms\x00\xa8start_ms\x00"),
     BYTES("clock\xc0"), "clock is no map"},
    {"a bank of -1 ms", BYTES("bank_ms\x00"), BYTES("bank_ms\xff"),
     "bank_ms is no count of milliseconds"},
    {"a clock without gain", BYTES("gain_ms"), BYTES("gone_ms"), "the message has no gain_ms"},
    {"no seed", BYTES("seed"), BYTES("need"), "the message has no seed"},
    {"a negative seed", BYTES("seed\x07"), BYTES("seed\xf9"), "seed is no integer from 0"},
};

Test(wire_arena, hellos)
{
    static const struct wire_hello hello = {
        .match = "m", .seat = 1, .player_count = 2, .names = {"a", "b"}, .seed = 7};

    for (size_t i = 0; i < sizeof hello_edits / sizeof *hello_edits; i++) {
        uint8_t bytes[1024];
        struct wire_hello read;
        size_t size = wire_pack_hello(bytes, 512, &hello);

        size = apply_edit(&hello_edits[i], bytes, size);
        check_fault(&hello_edits[i], wire_unpack_hello(bytes, size, &read));
    }
}

static const struct edit end_edits[] = {
    {"nothing changed", BYTES(""), BYTES(""), NULL},
    {"three scores of two", BYTES("scores\x92"), BYTES("scores\x93\x05"),
     "scores, ranks, reason and state differ in their number of seats"},
    {"one rank of two", BYTES("ranks\x92\x01"), BYTES("ranks\x91"),
     "scores, ranks, reason and state differ in their number of seats"},
    {"five ranks", BYTES("ranks\x92"), BYTES("ranks\x95\x01\x01\x01"),
     "ranks is no array of ranks by seat"},
    {"rank 0", BYTES("ranks\x92\x01"), BYTES("ranks\x92\x00"),
     "ranks is no array of ranks by seat"},
    {"rank 5", BYTES("ranks\x92\x01"), BYTES("ranks\x92\x05"),
     "ranks is no array of ranks by seat"},
    {"another reason",
     BYTES("\xa6"
           "played"),
     BYTES("\xa6"
           "danced"),
     "reason is no array of reasons by seat"},
    {"no state", BYTES("state"), BYTES("stale"), "the message has no state"},
};

Test(wire_arena, ends)
{
    struct wire_end end = {.player_count = 2, .scores = {9, 8}, .ranks = {1, 2}};

    end.state = make_position();
    for (size_t i = 0; i < sizeof end_edits / sizeof *end_edits; i++) {
        uint8_t bytes[2048];
        struct wire_end read;
        size_t size = wire_pack_end(bytes, 1024, &end);

        size = apply_edit(&end_edits[i], bytes, size);
        check_fault(&end_edits[i], wire_unpack_end(bytes, size, &read));
    }
}

static const struct {
    const char *rule;
    size_t action_count;
    size_t event_count;
    const char *fault;
} fillings[] = {
    {"as many as there is room for", GAME_ACTIONS_MAX, WIRE_EVENTS_MAX, NULL},
    {"one action more", GAME_ACTIONS_MAX + 1, 0, "actions is no array of actions"},
    {"one event more", 1, WIRE_EVENTS_MAX + 1, "events is no array of [seat, action]"},
};

Test(wire_arena, no_more_than_there_is_room_for)
{
    static uint8_t bytes[WIRE_MESSAGE_BYTES_MAX];

    for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++) {
        struct wire_turn turn = {.state = make_position(), .actions = actions, .events = events};
        const char *fault;
        size_t size;

        turn.action_count = fillings[i].action_count;
        turn.event_count = fillings[i].event_count;
        size = wire_pack_turn(bytes, sizeof bytes, &turn);
        cr_assert_gt(size, 0, "the fullest turn fits a message");
        fault = wire_unpack_turn(bytes, size, &turn, actions, events);
        if (fillings[i].fault)
            cr_expect(fault && strcmp(fault, fillings[i].fault) == 0, "%s: %s", fillings[i].rule,
                      fault);
        else
            cr_expect_null(fault, "%s: %s", fillings[i].rule, fault);
    }
}

/* SPDX-License-Identifier: MIT */
/* How the arena reads the two messages that a bot sends, and what it refuses. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/sdk/sample.h"

#define BYTES(text) text, sizeof(text) - 1
#define ACT                                                                                        \
    "\xa4type\xa3"                                                                                 \
    "act" /* with its turn 7, the beginning of most rows */
#define TURN "\xa4turn\x07"
#define ACTION                                                                                     \
    "\xa6"                                                                                         \
    "action"

/* An act message with this action. */
#define ANSWER(action) BYTES("\x83" ACT TURN ACTION action)

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    const char *fault; /* NULL: it is well-formed */
    enum wire_act_kind kind;
    int64_t index;
    struct action action;
} acts[] = {
    {"an index", ANSWER("\x05"), .index = 5},
    {"keys in another order", BYTES("\x83" ACTION "\x05" TURN ACT), .index = 5},
    {"an index of 8 bits", ANSWER("\xcc\x05"), .index = 5},
    {"an index of 16 bits", ANSWER("\xcd\x00\x05"), .index = 5},
    {"an index of 32 bits", ANSWER("\xce\x00\x00\x00\x05"), .index = 5},
    {"an index of 64 bits", ANSWER("\xcf\x00\x00\x00\x00\x00\x00\x00\x05"), .index = 5},
    {"a signed index of 8 bits", ANSWER("\xd0\x05"), .index = 5},
    {"a signed index of 16 bits", ANSWER("\xd1\x00\x05"), .index = 5},
    {"a signed index of 32 bits", ANSWER("\xd2\x00\x00\x00\x05"), .index = 5},
    {"a signed index of 64 bits", ANSWER("\xd3\x00\x00\x00\x00\x00\x00\x00\x05"), .index = 5},
    {"a negative index is for the rules to refuse", ANSWER("\xff"), .index = -1},
    {"the least index", ANSWER("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), .index = INT64_MIN},
    {"the greatest index", ANSWER("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"), .index = INT64_MAX},
    {"an index past 63 bits is no legal action", ANSWER("\xcf\x80\x00\x00\x00\x00\x00\x00\x00"),
     .kind = WIRE_ACT_OTHER},
    {"nil is not a legal action", ANSWER("\xc0"), .kind = WIRE_ACT_OTHER},
    {"true is not a legal action", ANSWER("\xc3"), .kind = WIRE_ACT_OTHER},
    {"a float is no legal action", ANSWER("\xca\x00\x00\x00\x00"), .kind = WIRE_ACT_OTHER},
    {"a string is no legal action",
     ANSWER("\xa4"
            "pass"),
     .kind = WIRE_ACT_OTHER},
    {"a map is no legal action", ANSWER("\x81\xa1k\x01"), .kind = WIRE_ACT_OTHER},
    {"an empty array is no legal action", ANSWER("\x90"), .kind = WIRE_ACT_OTHER},
    {"an array without a kind", ANSWER("\x91\x05"), .kind = WIRE_ACT_OTHER},
    {"a kind that there is none of",
     ANSWER("\x93\xa5"
            "steal\x00\x01"),
     .kind = WIRE_ACT_OTHER},
    {"a draft",
     ANSWER("\x93\xa5"
            "draft\xff\x05"),
     .kind = WIRE_ACT_ACTION, .action = {ACTION_DRAFT, {-1, 5}}},
    {"a draft in wider integers",
     ANSWER("\x93\xa5"
            "draft\xd3\xff\xff\xff\xff\xff\xff\xff\xff\xcd\x00\x05"),
     .kind = WIRE_ACT_ACTION, .action = {ACTION_DRAFT, {-1, 5}}},
    {"a draft of too few numbers",
     ANSWER("\x92\xa5"
            "draft\x00"),
     .kind = WIRE_ACT_OTHER},
    {"a draft of too many numbers",
     ANSWER("\x94\xa5"
            "draft\x00\x01\x02"),
     .kind = WIRE_ACT_OTHER},
    {"a draft of a number past 8 bits",
     ANSWER("\x93\xa5"
            "draft\xcc\x80\x05"),
     .kind = WIRE_ACT_OTHER},
    {"a draft of a float",
     ANSWER("\x93\xa5"
            "draft\x00\xca\x00\x00\x00\x00"),
     .kind = WIRE_ACT_OTHER},
    {"a placement",
     ANSWER("\x95\xa5"
            "place\x06\x05\x04\x03"),
     .kind = WIRE_ACT_ACTION, .action = {ACTION_PLACE, {6, 5, 4, 3}}},
    {"bonus tiles",
     ANSWER("\x92\xa5"
            "bonus\x96\x00\x01\x02\x00\x00\x00"),
     .kind = WIRE_ACT_ACTION, .action = {ACTION_BONUS, {0, 1, 2}}},
    {"bonus tiles of five colors",
     ANSWER("\x92\xa5"
            "bonus\x95\x00\x01\x02\x00\x00"),
     .kind = WIRE_ACT_OTHER},
    {"bonus tiles not in an array",
     ANSWER("\x97\xa5"
            "bonus\x00\x01\x02\x00\x00\x00"),
     .kind = WIRE_ACT_OTHER},
    {"a pass",
     ANSWER("\x92\xa4"
            "pass\x96\x00\x00\x00\x00\x00\x04"),
     .kind = WIRE_ACT_ACTION, .action = {ACTION_PASS, {0, 0, 0, 0, 0, 4}}},
    {"an unknown key is passed over",
     BYTES("\x84" ACT TURN "\xa3key\x92\x81\xa1k\xc0\xc3" ACTION "\x05"), .index = 5},
    {"an unknown key may come twice", BYTES("\x85" ACT TURN "\xa3key\x01\xa3key\x02" ACTION "\x05"),
     .index = 5},
    {"an unknown key that is no UTF-8", BYTES("\x84" ACT TURN "\xa2\xff\xfe\x01" ACTION "\x05"),
     .index = 5},
    {"a known key inside another value is not that key",
     BYTES("\x84" ACT TURN "\xa3key\x81\xa4turn\xc0" ACTION "\x05"), .index = 5},
    {"a key that begins like a known one", BYTES("\x84" ACT TURN "\xa5turns\xc0" ACTION "\x05"),
     .index = 5},
    {"no action", BYTES("\x82" ACT TURN), "the message has no action"},
    {"no turn", BYTES("\x82" ACT ACTION "\x05"), "the message has no turn"},
    {"no type", BYTES("\x82" TURN ACTION "\x05"), "the message has no type"},
    {"nothing", BYTES("\x80"), "the message has no type"},
    {"an unknown type",
     BYTES("\x83\xa4type\xa5"
           "react" TURN ACTION "\x05"),
     "unknown type: this protocol has no such message"},
    {"a type that is not a string", BYTES("\x83\xa4type\x04" TURN ACTION "\x05"),
     "type is not a string"},
    {"a type that is binary",
     BYTES("\x83\xa4type\xc4\x03"
           "act" TURN ACTION "\x05"),
     "type is not a string"},
    {"another type",
     BYTES("\x81\xa4type\xa5"
           "ready"),
     "the message has a valid type, but another type was expected"},
    {"type twice", BYTES("\x84" ACT ACT TURN ACTION "\x05"), "a key comes twice"},
    {"turn twice", BYTES("\x84" ACT TURN TURN ACTION "\x05"), "a key comes twice"},
    {"action twice", BYTES("\x84" ACT TURN ACTION "\x05" ACTION "\x05"), "a key comes twice"},
    {"note twice", BYTES("\x85" ACT TURN ACTION "\x05\xa4note\xa0\xa4note\xa0"),
     "a key comes twice"},
    {"a turn that is nil", BYTES("\x83" ACT "\xa4turn\xc0" ACTION "\x05"),
     "turn is not an integer of 64 bits"},
    {"a turn that is a float", BYTES("\x83" ACT "\xa4turn\xca\x40\xe0\x00\x00" ACTION "\x05"),
     "turn is not an integer of 64 bits"},
    {"a turn that is a string", BYTES("\x83" ACT "\xa4turn\xa1\x37" ACTION "\x05"),
     "turn is not an integer of 64 bits"},
    {"a turn past 63 bits",
     BYTES("\x83" ACT "\xa4turn\xcf\x80\x00\x00\x00\x00\x00\x00\x00" ACTION "\x05"),
     "turn is not an integer of 64 bits"},
    {"a note that is nil", BYTES("\x84" ACT TURN ACTION "\x05\xa4note\xc0"),
     "note is not a string"},
    {"a note that is binary", BYTES("\x84" ACT TURN ACTION "\x05\xa4note\xc4\x01x"),
     "note is not a string"},
    {"a byte behind it", ANSWER("\x05\x00"), "bytes follow the message"},
};

Test(wire_unpack, acts)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        const uint8_t *bytes = (const uint8_t *)acts[i].bytes;
        struct wire_act act;
        const char *fault = wire_unpack_act(bytes, acts[i].size, &act);

        if (acts[i].fault) {
            cr_expect(fault && strcmp(fault, acts[i].fault) == 0, "%s: %s", acts[i].rule, fault);
            continue;
        }
        cr_expect_null(fault, "%s: %s", acts[i].rule, fault);
        cr_expect_eq(act.turn, 7, "%s", acts[i].rule);
        cr_expect_eq(act.kind, acts[i].kind, "%s: %d", acts[i].rule, act.kind);
        if (act.kind == WIRE_ACT_INDEX)
            cr_expect_eq(act.index, acts[i].index, "%s", acts[i].rule);
        if (act.kind == WIRE_ACT_ACTION)
            cr_expect_eq(memcmp(&act.action, &acts[i].action, sizeof act.action), 0, "%s",
                         acts[i].rule);
    }
}

static const struct {
    const char *rule;
    const char *bytes;
    size_t size;
    const char *fault;
    const char *name;
    bool actions;
} readies[] = {
    {"all left out", BYTES("\x81\xa4type\xa5ready"), NULL, "", true},
    {"a name",
     BYTES("\x82\xa4type\xa5ready\xa4name\xa3"
           "bot"),
     NULL, "bot", true},
    {"actions wanted",
     BYTES("\x82\xa4type\xa5ready\xa7"
           "actions\xc3"),
     NULL, "", true},
    {"actions not wanted",
     BYTES("\x82\xa4type\xa5ready\xa7"
           "actions\xc2"),
     NULL, "", false},
    {"a broken name is repaired", BYTES("\x82\xa4type\xa5ready\xa4name\xa3x\xffy"), NULL,
     "x\xef\xbf\xbdy", true},
    {"actions that are an integer",
     BYTES("\x82\xa4type\xa5ready\xa7"
           "actions\x00"),
     "actions is not a boolean", NULL, false},
    {"a name that is an integer", BYTES("\x82\xa4type\xa5ready\xa4name\x00"),
     "name is not a string", NULL, false},
    {"a version that is an integer", BYTES("\x82\xa4type\xa5ready\xa7version\x01"),
     "version is not a string", NULL, false},
    {"actions twice",
     BYTES("\x83\xa4type\xa5ready\xa7"
           "actions\xc3\xa7"
           "actions\xc3"),
     "a key comes twice", NULL, false},
};

Test(wire_unpack, readies)
{
    for (size_t i = 0; i < sizeof readies / sizeof *readies; i++) {
        const uint8_t *bytes = (const uint8_t *)readies[i].bytes;
        struct wire_ready ready;
        const char *fault = wire_unpack_ready(bytes, readies[i].size, &ready);

        if (readies[i].fault) {
            cr_expect(fault && strcmp(fault, readies[i].fault) == 0, "%s: %s", readies[i].rule,
                      fault);
            continue;
        }
        cr_expect_null(fault, "%s: %s", readies[i].rule, fault);
        cr_expect_str_eq(ready.name, readies[i].name, "%s", readies[i].rule);
        cr_expect_eq(ready.actions, readies[i].actions, "%s", readies[i].rule);
    }
}

Test(wire_unpack, a_name_is_cut_to_64_bytes)
{
    uint8_t message[256] = "\x82\xa4type\xa5ready\xa4name\xd9\x64";
    struct wire_ready ready;

    memset(message + 19, 'x', 100);
    cr_assert_null(wire_unpack_ready(message, 119, &ready));
    cr_assert_eq(strlen(ready.name), WIRE_NAME_BYTES_MAX);
}

static const struct {
    enum wire_type type;
    const char *bytes;
    size_t size;
} types[] = {
    {WIRE_HELLO, BYTES("\x81\xa4type\xa5hello")},
    {WIRE_READY, BYTES("\x81\xa4type\xa5ready")},
    {WIRE_TURN, BYTES("\x81\xa4type\xa4turn")},
    {WIRE_ACT, BYTES("\x81" ACT)},
    {WIRE_END, BYTES("\x82\xa1k\x90\xa4type\xa3"
                     "end")},
};

Test(wire_unpack, types)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        enum wire_type type;
        const char *fault = wire_unpack_type((const uint8_t *)types[i].bytes, types[i].size, &type);

        cr_expect_null(fault, "%s", fault);
        cr_expect_eq(type, types[i].type);
    }
}

/* Every prefix and every change of one byte is read without an access beyond the bytes. */
Test(wire_unpack, changed_messages_are_refused_or_read)
{
    static uint8_t message[WIRE_MESSAGE_BYTES_MAX];
    static struct action actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    struct sample sample = {21};

    for (int round = 0; round < 4000; round++) {
        size_t size = sample_message(&sample, message);
        struct wire_hello hello;
        struct wire_ready ready;
        struct wire_turn turn;
        struct wire_act act;
        struct wire_end end;
        enum wire_type type;

        for (int change = sample_number(&sample, 0, 3); change > 0; change--)
            message[sample_number(&sample, 0, (int)size - 1)] =
                (uint8_t)sample_number(&sample, 0, 255);
        if (sample_number(&sample, 0, 1) == 1)
            size = (size_t)sample_number(&sample, 0, (int)size);
        wire_unpack_type(message, size, &type);
        wire_unpack_hello(message, size, &hello);
        wire_unpack_ready(message, size, &ready);
        wire_unpack_act(message, size, &act);
        wire_unpack_end(message, size, &end);
        if (!wire_unpack_turn(message, size, &turn, actions, events))
            cr_assert_leq(turn.action_count, GAME_ACTIONS_MAX);
    }
}

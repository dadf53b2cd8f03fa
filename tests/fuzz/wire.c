/* SPDX-License-Identifier: MIT */
/* Bytes from a bot, or from a defective arena: scanned, also in pieces, unpacked, packed again. */
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"
#include "sdk/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static uint8_t packed[WIRE_MESSAGE_BYTES_MAX];

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A scan in pieces of any size has the same result. */
static void scan_in_pieces(const uint8_t *bytes, size_t size, enum wire_scan_result expected,
                           size_t expected_offset)
{
    struct wire_scan scan = {0};
    enum wire_scan_result result = WIRE_SCAN_PARTIAL;

    for (size_t used = 0; used <= size && result == WIRE_SCAN_PARTIAL; used++)
        result = wire_scan(&scan, bytes, used);
    require(result == expected);
    require(result != WIRE_SCAN_COMPLETE || scan.offset == expected_offset);
}

static void read_act(const uint8_t *bytes, size_t size)
{
    struct wire_act act, again;
    size_t packed_bytes;

    if (wire_unpack_act(bytes, size, &act))
        return;
    require(act.note_bytes < sizeof act.note && act.note[act.note_bytes] == '\0');
    packed_bytes = wire_pack_act(packed, sizeof packed, &act);
    require(packed_bytes > 0 && !wire_unpack_act(packed, packed_bytes, &again));
    require(again.turn == act.turn && again.kind == act.kind && again.index == act.index);
    require(memcmp(&again.action, &act.action, sizeof act.action) == 0);
}

static void read_ready(const uint8_t *bytes, size_t size)
{
    struct wire_ready ready, again;
    size_t packed_bytes;

    if (wire_unpack_ready(bytes, size, &ready))
        return;
    packed_bytes = wire_pack_ready(packed, sizeof packed, &ready);
    require(packed_bytes > 0 && !wire_unpack_ready(packed, packed_bytes, &again));
    require(again.actions == ready.actions);
}

/* A state that can be read is refused by the engine, or can be played to the end. */
static void play_on(const struct position *state)
{
    static struct action actions[GAME_ACTIONS_MAX];
    uint8_t seed[GAME_SEED_BYTES] = {1};
    struct game game;

    if (game_from_position(&game, state, seed))
        return;
    for (int decisions = 0; !game_is_over(&game) && decisions < 40; decisions++) {
        size_t count = game_legal_actions(&game, actions);

        require(count > 0 && count <= GAME_ACTIONS_MAX);
        require(game_apply(&game, actions[(size_t)decisions * 7 % count]));
    }
}

static void read_turn(const uint8_t *bytes, size_t size)
{
    static struct action actions[GAME_ACTIONS_MAX];
    static struct wire_event events[WIRE_EVENTS_MAX];
    static uint8_t once[2 * WIRE_MESSAGE_BYTES_MAX], twice[2 * WIRE_MESSAGE_BYTES_MAX];
    struct wire_turn turn;
    size_t once_bytes;

    if (wire_unpack_turn(bytes, size, &turn, actions, events))
        return;
    once_bytes = wire_pack_turn(once, sizeof once, &turn);
    require(once_bytes > 0 && !wire_unpack_turn(once, once_bytes, &turn, actions, events));
    require(wire_pack_turn(twice, sizeof twice, &turn) == once_bytes);
    require(memcmp(once, twice, once_bytes) == 0);
    play_on(&turn.state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct wire_scan scan = {0};
    enum wire_scan_result result = wire_scan(&scan, bytes, size);
    struct wire_hello hello;
    struct wire_end end;
    enum wire_type type;

    require((scan.fault != NULL) == (result == WIRE_SCAN_BAD));
    scan_in_pieces(bytes, size, result, scan.offset);
    if (result == WIRE_SCAN_COMPLETE)
        size = scan.offset;
    /* The readers do not read beyond the bytes even if these were not scanned. */
    wire_unpack_type(bytes, size, &type);
    wire_unpack_hello(bytes, size, &hello);
    wire_unpack_end(bytes, size, &end);
    read_ready(bytes, size);
    read_act(bytes, size);
    read_turn(bytes, size);
    return 0;
}

#include "arena/worker/machine.h"

#include <sched.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arena/play/alarm.h"
#include "arena/play/table.h"
#include "engine/game.h"

enum {
    CALIBRATION_US = 200000,
};

/* Copies a text, cut to size; control characters become spaces. */
static void copy_text(char *target, size_t size, const char *text)
{
    size_t length = 0;

    for (; text[length] && text[length] != '\n' && length + 1 < size; length++)
        target[length] = (unsigned char)text[length] < 0x20 || (unsigned char)text[length] >= 0x7f
                             ? ' '
                             : text[length];
    target[length] = '\0';
}

void machine_describe(struct store_worker *worker)
{
    struct utsname system;
    cpu_set_t cores;

    if (uname(&system) < 0)
        memset(&system, 0, sizeof system);
    copy_text(worker->host, sizeof worker->host, *system.nodename ? system.nodename : "?");
    copy_text(worker->architecture, sizeof worker->architecture,
              *system.machine ? system.machine : "?");
    processor_model(worker->processor, sizeof worker->processor);
    worker->core_count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

int64_t machine_calibrate(void)
{
    int64_t begun_us = alarm_now_us(), taken_us;
    uint64_t random = 1;
    int64_t count = 0;

    do {
        uint8_t seed[GAME_SEED_BYTES] = {0};
        struct game game;

        memcpy(seed, &count, sizeof count);
        game_init(&game, GAME_PLAYERS_MIN, BOARD_COLORED, seed);
        game_play_out(&game, &random);
        count++;
        taken_us = alarm_now_us() - begun_us;
    } while (taken_us < CALIBRATION_US);
    return count * 1000000 / taken_us;
}

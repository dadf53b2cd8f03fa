#include "sandbox/look.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "sandbox/aside.h"
#include "sandbox/death.h"
#include "sandbox/freeze.h"
#include "sandbox/memory.h"
#include "sandbox/processes.h"

struct look {
    pthread_mutex_t lock;
    int proc_fd;    /* its own */
    bool under_way; /* beside the arena: that thread frees it if it is abandoned */
    bool abandoned;
    bool done; /* the result is known, and nobody has taken it */
    int64_t enough_bytes;
    struct look_result result;
};

static void finish(struct look *look)
{
    pthread_mutex_destroy(&look->lock);
    close(look->proc_fd);
    free(look);
}

static void run(void *owner)
{
    struct look *look = owner;
    int64_t bytes = 0, ticks = 0;
    bool abandoned;

    processes_each(look->proc_fd, freeze_add_ticks, &ticks);
    processes_each(look->proc_fd, memory_add_resident, &bytes);
    if (bytes > look->enough_bytes) {
        bytes = 0;
        processes_each(look->proc_fd, memory_add_own, &bytes);
    }
    pthread_mutex_lock(&look->lock);
    look->result.bytes = bytes;
    look->result.ticks = ticks;
    look->done = true;
    look->under_way = false;
    abandoned = look->abandoned;
    pthread_mutex_unlock(&look->lock);
    if (abandoned)
        finish(look);
}

static struct look *create(int proc_fd)
{
    struct look *look = calloc(1, sizeof *look);

    if (!look)
        return NULL;
    look->proc_fd = fcntl(proc_fd, F_DUPFD_CLOEXEC, 0);
    if (look->proc_fd < 0) {
        free(look);
        return NULL;
    }
    pthread_mutex_init(&look->lock, NULL);
    return look;
}

static void begin(struct look *look, int64_t enough_bytes)
{
    look->done = false;
    look->under_way = true;
    look->enough_bytes = enough_bytes;
    look->result.begun_us = death_now_us();
    if (!aside_run(run, look)) /* no room for a thread: the next call tries again */
        look->under_way = false;
}

int look_take(struct look **look, int proc_fd, int64_t enough_bytes, struct look_result *result)
{
    struct look *at = *look ? *look : (*look = create(proc_fd));
    int state = 0;

    if (!at)
        return 0;
    pthread_mutex_lock(&at->lock);
    if (at->done) {
        *result = at->result;
        state = 1;
    } else if (at->under_way && death_now_us() - at->result.begun_us > (int64_t)LOOK_MS * 1000) {
        state = -ETIME;
    }
    if (!at->under_way)
        begin(at, enough_bytes);
    pthread_mutex_unlock(&at->lock);
    return state;
}

void look_forget(struct look *look)
{
    bool under_way;

    if (!look)
        return;
    pthread_mutex_lock(&look->lock);
    look->abandoned = true;
    under_way = look->under_way;
    pthread_mutex_unlock(&look->lock);
    if (!under_way)
        finish(look);
}

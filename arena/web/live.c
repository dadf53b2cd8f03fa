#include "arena/web/live.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/play/alarm.h"

enum {
    SAMPLES = LIVE_DELAY_S_MAX + 2,
};

struct sample {
    int64_t at_us;
    char *games; /* JSON */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sample samples[SAMPLES]; /* a ring */
static int newest;

static void keep(char *games)
{
    pthread_mutex_lock(&lock);
    newest = (newest + 1) % SAMPLES;
    free(samples[newest].games);
    samples[newest] = (struct sample){alarm_now_us(), games};
    pthread_mutex_unlock(&lock);
}

static void *sample(void *path)
{
    for (;;) {
        json_t *status = json_load_file(path, 0, NULL);
        char *games = json_dumps(json_object_get(status, "playing"), JSON_COMPACT);

        keep(games);
        json_decref(status);
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    return NULL;
}

int live_start(const char *status_path)
{
    pthread_t thread;
    char *path = strdup(status_path);
    int error = path ? pthread_create(&thread, NULL, sample, path) : ENOMEM;

    if (error) {
        free(path);
        return -error;
    }
    pthread_detach(thread);
    return 0;
}

json_t *live_games(int delay_s)
{
    const int64_t then_us = alarm_now_us() - delay_s * INT64_C(1000000);
    json_t *games = NULL;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < SAMPLES && !games; i++) {
        const struct sample *at = &samples[(newest + SAMPLES - i) % SAMPLES];

        if (!at->at_us)
            break;
        if (at->at_us <= then_us)
            games = at->games ? json_loads(at->games, 0, NULL) : json_array();
    }
    pthread_mutex_unlock(&lock);
    return games ? games : json_array();
}

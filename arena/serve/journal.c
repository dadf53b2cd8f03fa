#include "arena/serve/journal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct line {
    struct line *next;
    enum daemon_event event;
    char *name, *words; /* behind the structure */
};

struct journal {
    journal_fn *log_fn;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t due;
    struct line *first, **end;
    int count, dropped_count;
    bool ends;
};

/* NULL when no more will come. */
static struct line *wait_for_line(struct journal *journal, int *dropped_count)
{
    struct line *line;

    pthread_mutex_lock(&journal->mutex);
    while (!journal->first && !journal->ends)
        pthread_cond_wait(&journal->due, &journal->mutex);
    line = journal->first;
    if (line && !(journal->first = line->next))
        journal->end = &journal->first;
    journal->count -= line != NULL;
    *dropped_count = journal->first ? 0 : journal->dropped_count;
    if (!journal->first)
        journal->dropped_count = 0;
    pthread_mutex_unlock(&journal->mutex);
    return line;
}

static void *run(void *context)
{
    struct journal *journal = context;
    struct line *line;
    int dropped_count;

    while ((line = wait_for_line(journal, &dropped_count))) {
        journal->log_fn(line->event, line->name, line->words);
        free(line);
        if (dropped_count) {
            char words[96];

            snprintf(words, sizeof words, "%d lines are missing here: the log was not read",
                     dropped_count);
            journal->log_fn(DAEMON_ERROR, "log", words);
        }
    }
    return NULL;
}

struct journal *journal_create(journal_fn *log_fn)
{
    struct journal *journal = calloc(1, sizeof *journal);
    sigset_t all, before;
    int error;

    if (!journal)
        return NULL;
    journal->log_fn = log_fn;
    journal->end = &journal->first;
    pthread_mutex_init(&journal->mutex, NULL);
    pthread_cond_init(&journal->due, NULL);
    sigfillset(&all); /* signals are the loop's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&journal->thread, NULL, run, journal);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error)
        return journal;
    free(journal);
    errno = error;
    return NULL;
}

void journal_add(struct journal *journal, enum daemon_event event, const char *name,
                 const char *words)
{
    size_t name_size = strlen(name) + 1, words_size = strlen(words) + 1;
    struct line *line = malloc(sizeof *line + name_size + words_size);

    if (line) {
        *line = (struct line){.event = event, .name = (char *)(line + 1)};
        line->words = line->name + name_size;
        memcpy(line->name, name, name_size);
        memcpy(line->words, words, words_size);
    }
    pthread_mutex_lock(&journal->mutex);
    if (line && journal->count < JOURNAL_LINES_MAX) {
        *journal->end = line;
        journal->end = &line->next;
        journal->count++;
        line = NULL;
    } else {
        journal->dropped_count++;
    }
    pthread_cond_signal(&journal->due);
    pthread_mutex_unlock(&journal->mutex);
    free(line);
}

bool journal_destroy(struct journal *journal)
{
    struct timespec until;

    if (!journal)
        return true;
    pthread_mutex_lock(&journal->mutex);
    journal->ends = true;
    pthread_cond_signal(&journal->due);
    pthread_mutex_unlock(&journal->mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += JOURNAL_END_MS / 1000;
    if (pthread_timedjoin_np(journal->thread, NULL, &until) != 0)
        return false;
    pthread_cond_destroy(&journal->due);
    pthread_mutex_destroy(&journal->mutex);
    free(journal);
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "arena/web/clerks.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "arena/base/mix.h"
#include "arena/play/package.h"
#include "arena/site/gzip.h"
#include "arena/store/archive.h"
#include "arena/store/challenges.h"
#include "arena/store/submissions.h"
#include "arena/web/http.h"
#include "arena/web/message.h"
#include "arena/base/clock.h"

enum {
    /* The desk answers at its deadline that a question takes too long: the clerks wait so long. */
    LAST_WORD_US = 2000000,
    TURN_SLOTS = 1024,
    CACHE_MS = 1000, /* age up to which clerks reuse an answer that is the same for all clients */
    /* Age up to which clerks reuse an answer while one clerk asks for a newer answer. */
    STALE_MS = 10000,
    CACHE_SLOTS = 64,
    /* Answers of these sizes are compressed for clients that take that: 0.1 s for the largest. */
    PACKED_BYTES_MIN = 1024,
    PACKED_BYTES_MAX = 8 << 20,
    AGAIN_US = 1000000, /* pause of a question that waits for another answer; longer if many wait */
    AGAIN_COUNT = 64,   /* waiting questions that make the pause longer by AGAIN_US */
    STACK_BYTES = 256 << 10,
};

/* Questions of one kind that wait for a clerk: at most one of each connection. */
struct queue {
    struct question *first, **end;
    int count, under_way;
    int waiting; /* questions in the queue, not in `count`, that wait for another answer */
    pthread_cond_t work;
};

/*
 * The number of the last turn of each author, by id; INT64_MAX while an upload of the author is
 * under way. Questions other than uploads have the author 0, who always has a turn.
 */
static int64_t turns[TURN_SLOTS], last_turn;

struct cached {
    char key[API_PATH_BYTES_MAX + 128];
    int64_t made_us;
    int64_t renewed_us;       /* time when a clerk asked the desk for a newer answer; 0: no
                                 clerk is asking */
    struct api_answer answer; /* without its body */
    struct http_body *body;
};

static int inbox_fd;
static int64_t package_bytes_max;
static char desk_name[NAME_MAX + 1]; /* name of its socket in the working folder */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the queues and the cache */
static struct queue queues[CLERK_KINDS];
static struct cached cache[CACHE_SLOTS];

int clerks_find_desk(const char *path)
{
    char folder[PATH_MAX], copy[PATH_MAX];

    gzip_destroy(gzip_create(NULL)); /* loads ISA-L: this process is not confined yet */
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return -ENAMETOOLONG;
    strcpy(copy, folder);
    if (snprintf(desk_name, sizeof desk_name, "%s", basename(copy)) >= (int)sizeof desk_name)
        return -ENAMETOOLONG;
    return chdir(dirname(folder)) < 0 ? -errno : 0;
}

/* ---- asking the desk ---- */

/* Reads the desk's answer from a socket connected to it. Returns 0 or -errno. */
static int receive_answer(int socket, int64_t deadline_us, struct api_answer *answer)
{
    static const char *const types[] = {"",
                                        "application/json",
                                        "application/problem+json",
                                        "application/x-ndjson",
                                        "text/html; charset=utf-8",
                                        "image/png"};
    char *text;
    size_t size;
    json_t *head;
    int error = message_receive(socket, deadline_us, MESSAGE_HEAD_BYTES_MAX, &text, &size, NULL);

    if (error)
        return error;
    head = json_loadb(text, size, 0, NULL);
    free(text);
    answer->status = (int)json_integer_value(json_object_get(head, "status"));
    answer->retry_after_s = (int)json_integer_value(json_object_get(head, "retry_after"));
    text = (char *)json_string_value(json_object_get(head, "type"));
    answer->type = "application/octet-stream";
    for (size_t i = 0; text && i < sizeof types / sizeof *types; i++)
        if (strcmp(text, types[i]) == 0)
            answer->type = types[i];
    json_decref(head);
    if (answer->status < 200 || answer->status > 599)
        return -EPROTO;
    return message_receive(socket, deadline_us, MESSAGE_BODY_BYTES_MAX, &answer->body,
                           &answer->size, NULL);
}

static void refuse_for_now(struct api_answer *answer)
{
    *answer = (struct api_answer){.status = 0};
    api_refuse(answer, 503, "the arena does not answer at the moment: try again");
    answer->retry_after_s = 5;
}

/* Returns true once nobody waits for the answer to a question. */
static bool is_over(void *owner)
{
    const struct question *question = owner;
    struct pollfd client = {.fd = question->client_fd, .events = POLLRDHUP};

    return clock_now_us() >= question->deadline_us || poll(&client, 1, 0) != 0;
}

/* Waits until the desk answers. Returns 0 or -errno: -ETIMEDOUT if nobody waits any more. */
static int await_answer(int socket, int client_fd, int64_t deadline_us)
{
    struct pollfd ends[] = {{.fd = socket, .events = POLLIN},
                            {.fd = client_fd, .events = POLLRDHUP}};
    int64_t left_ms;

    while ((left_ms = (deadline_us - clock_now_us()) / 1000) > 0)
        if (poll(ends, 2, (int)left_ms) > 0)
            return ends[0].revents ? 0 : -ETIMEDOUT;
    return -ETIMEDOUT;
}

/*
 * Asks the desk, and blocks until the answer has come, the client has left
 * (client_fd -1: there is none) or the deadline is over. upload_fd is a package, or -1.
 */
static void ask_desk(const struct api_request *api, int client_fd, int64_t deadline_us,
                     int upload_fd, struct api_answer *answer)
{
    json_t *json = api_request_json(api);
    char *text = json_dumps(json, JSON_COMPACT);
    int socket = message_connect(desk_name), error = socket;

    deadline_us += LAST_WORD_US;
    if (socket >= 0) {
        error = text ? message_send(socket, deadline_us, text, strlen(text), upload_fd) : -ENOMEM;
        if (!error)
            error = await_answer(socket, client_fd, deadline_us);
        if (!error)
            error = receive_answer(socket, deadline_us, answer);
        close(socket);
    }
    if (!json) {
        api_refuse(answer, 400, "the address is not UTF-8");
    } else if (error < 0) {
        free(answer->body);
        refuse_for_now(answer);
    }
    free(text);
    json_decref(json);
}

static void ask_for(struct question *question, int upload_fd)
{
    ask_desk(&question->api, question->client_fd, question->deadline_us, upload_fd,
             &question->answer);
}

/* ---- uploads ---- */

int clerks_open_upload(void)
{
    char name[48];
    uint64_t number; /* other users can write to the folder of uploads: they must not guess the next
                        name */
    int fd;

    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return -1;
    snprintf(name, sizeof name, ".arena-upload-%016" PRIx64, number);
    fd = openat(inbox_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0)
        unlinkat(inbox_fd, name, 0);
    return fd;
}

/* Converts an upload to a package, and asks the desk to store the package. */
static void ask_upload(struct question *question)
{
    const struct archive_bounds bounds = {PACKAGE_FILES_MAX, is_over, question};
    char error[ARCHIVE_ERROR_BYTES];
    int fd = clerks_open_upload();
    int result = fd < 0
                     ? ARCHIVE_UNWRITTEN
                     : archive_convert(question->upload_fd, fd, package_bytes_max, &bounds, error);

    close(question->upload_fd);
    question->upload_fd = -1;
    if (result == ARCHIVE_UNWRITTEN)
        api_refuse(&question->answer, 503,
                   "the arena has no room for uploads at the moment: try again later");
    else if (result == ARCHIVE_STOPPED)
        refuse_for_now(&question->answer);
    else if (result == ARCHIVE_TOO_LARGE)
        api_refuse(&question->answer, 413, "%s: the limit is %lld", error,
                   (long long)package_bytes_max);
    else if (result < 0)
        api_refuse(&question->answer, 422, "%s", error);
    else
        ask_for(question, fd);
    if (fd >= 0)
        close(fd);
}

/* ---- answers: the cache keeps those that are the same for all clients ---- */

static struct cached *find_cached(const struct question *question,
                                  char key[static sizeof cache->key])
{
    const struct api_request *api = &question->api;

    int size = snprintf(key, sizeof cache->key, "%s", api->path);

    if (question->route->flags & API_NEEDS_TOKEN)
        return NULL;
    size += snprintf(key + size, sizeof cache->key - (size_t)size, "&%d", question->takes_gzip);
    for (int i = 0; i < API_PARAMETERS && size < (int)sizeof cache->key; i++)
        size += snprintf(key + size, sizeof cache->key - (size_t)size, "&%s",
                         api->query[i] ? api->query[i] : "");
    if (size >= (int)sizeof cache->key)
        return NULL;
    return &cache[mix_bytes(0, key, (size_t)size) % CACHE_SLOTS];
}

/* Gives the cached answer if it is younger than age_ms. The caller holds the lock. */
static bool give_cached(const struct cached *slot, const char *key, int64_t age_ms,
                        struct question *question)
{
    if (!slot || strcmp(slot->key, key) != 0 || clock_now_us() - slot->made_us >= age_ms * 1000)
        return false;
    question->answer = slot->answer;
    question->body = http_body_share(slot->body);
    return question->body != NULL;
}

/*
 * Gives the cached answer, even an older one while a clerk asks the desk for a newer answer: so
 * the desk gets one question a second, however many clients ask. The caller holds the lock.
 */
static bool give_any_cached(struct cached *slot, const char *key, struct question *question)
{
    const int64_t now_us = clock_now_us();

    if (give_cached(slot, key, CACHE_MS, question))
        return true;
    if (slot && now_us - slot->renewed_us < STALE_MS * 1000)
        return give_cached(slot, key, STALE_MS, question);
    if (slot)
        slot->renewed_us = now_us;
    return false;
}

/* Keeps a new answer: of one that is none any more, such as of a season that is gone, nothing. */
static void keep_cached(struct cached *slot, const char *key, struct question *question)
{
    struct api_answer *answer = &question->answer;

    if (!slot || answer->status >= 500 || (answer->status != 200 && strcmp(slot->key, key) != 0))
        return;
    http_body_drop(slot->body);
    *slot = (struct cached){.key = ""};
    if (answer->status != 200)
        return;
    question->body = http_body_create(answer->body, answer->size);
    answer->body = NULL;
    slot->body = http_body_share(question->body);
    slot->answer = *answer;
    slot->made_us = clock_now_us();
    strcpy(slot->key, slot->body ? key : "");
}

/* Returns the author whom the answer to the head of an upload names. */
static int64_t author_of(const struct api_answer *answer)
{
    json_t *json = json_loadb(answer->body, answer->size, 0, NULL);
    int64_t author_id = json_integer_value(json_object_get(json, "author"));

    json_decref(json);
    return author_id;
}

/* Compresses an answer for a client that takes that, unless it would not become smaller. */
static void pack_answer(struct question *question)
{
    struct api_answer *answer = &question->answer;
    const bool is_picture = answer->type && strcmp(answer->type, "image/png") == 0;
    struct gzip *gzip;
    const uint8_t *bytes;
    char *packed;
    size_t size;

    if (!question->takes_gzip || answer->status != 200 || is_picture || !answer->body ||
        answer->size < PACKED_BYTES_MIN || answer->size > PACKED_BYTES_MAX ||
        !(gzip = gzip_create(NULL)))
        return;
    size = gzip_pack(gzip, answer->body, answer->size, &bytes);
    packed = size > 0 ? malloc(size) : NULL;
    if (packed)
        memcpy(packed, bytes, size);
    gzip_destroy(gzip);
    if (!packed)
        return;
    free(answer->body);
    answer->body = packed;
    answer->size = size;
    answer->is_packed = true;
}

static void answer_question(struct question *question)
{
    char key[sizeof cache->key];
    struct cached *slot = find_cached(question, key);
    bool is_done;

    if (is_over(question)) {
        refuse_for_now(&question->answer);
        return;
    }
    pthread_mutex_lock(&lock);
    is_done = give_cached(slot, key, CACHE_MS, question);
    pthread_mutex_unlock(&lock);
    if (is_done)
        return;
    if (question->upload_fd >= 0 && question->route->flags & API_IS_UPLOAD)
        ask_upload(question);
    else
        ask_for(question, question->upload_fd);
    if (question->api.is_head && question->answer.status == 200)
        question->author_id = author_of(&question->answer);
    else if (!question->until_us) /* what waits for another answer reads this one */
        pack_answer(question);
    pthread_mutex_lock(&lock);
    keep_cached(slot, key, question);
    pthread_mutex_unlock(&lock);
}

/* ---- the clerks ---- */

static int64_t *turn_of(const struct question *question)
{
    return &turns[question->author_id ? 1 + (uint64_t)question->author_id % (TURN_SLOTS - 1) : 0];
}

/*
 * Returns where in the queue the next question is: that of the author whose last turn is the
 * longest ago, but of no author whose upload is under way. NULL: there is none; *again_us is then
 * when a question is to be asked again. The caller holds the lock.
 */
static struct question **find_next(struct queue *queue, int64_t *again_us)
{
    const int64_t now_us = clock_now_us();
    struct question **next = NULL;

    *again_us = INT64_MAX;
    for (struct question **at = &queue->first; *at; at = &(*at)->next)
        if ((*at)->again_us > now_us)
            *again_us = (*at)->again_us < *again_us ? (*at)->again_us : *again_us;
        else if (*turn_of(*at) < (next ? *turn_of(*next) : INT64_MAX))
            next = at;
    return next;
}

/* Waits until a question is added, or until again_us. The caller holds the lock. */
static void await_work(struct queue *queue, int64_t again_us)
{
    const struct timespec again = {.tv_sec = again_us / 1000000,
                                   .tv_nsec = again_us % 1000000 * 1000};

    if (again_us == INT64_MAX)
        pthread_cond_wait(&queue->work, &lock);
    else
        pthread_cond_clockwait(&queue->work, &lock, CLOCK_MONOTONIC, &again);
}

/* Takes the next question from the queue; waits until there is one. */
static struct question *take_question(struct queue *queue)
{
    struct question *question, **at;
    int64_t again_us;

    pthread_mutex_lock(&lock);
    while (!(at = find_next(queue, &again_us)))
        await_work(queue, again_us);
    question = *at;
    *at = question->next;
    if (!*at)
        queue->end = at;
    if (question->again_us)
        queue->waiting--;
    else
        queue->count--;
    queue->under_way++;
    if (question->author_id)
        *turn_of(question) = INT64_MAX;
    pthread_mutex_unlock(&lock);
    return question;
}

/* True for the word of a state after which none follows: of a submission or of a challenge. */
static bool is_last_state(const char *state)
{
    return store_submission_has_ended(store_submission_state_of(state)) ||
           strcmp(state, store_challenge_states[STORE_CHALLENGE_ENDED]) == 0 ||
           strcmp(state, store_challenge_states[STORE_CHALLENGE_FAILED]) == 0;
}

/* Returns whether the question waits for another answer. The first answer says what is old. */
static bool waits(struct question *question)
{
    const struct api_answer *answer = &question->answer;
    json_t *json;
    const char *state;
    bool is_old;

    if (question->until_us <= clock_now_us() + AGAIN_US || answer->status != 200 ||
        is_over(question))
        return false;
    json = json_loadb(answer->body, answer->size, 0, NULL);
    state = json_string_value(json_object_get(json, "state"));
    if (state && !*question->state)
        snprintf(question->state, sizeof question->state, "%s", state);
    is_old = state && strcmp(state, question->state) == 0 && !is_last_state(state);
    json_decref(json);
    return is_old;
}

static void add_to(struct queue *queue, struct question *question)
{
    question->next = NULL;
    *queue->end = question;
    queue->end = &question->next;
    pthread_cond_signal(&queue->work);
}

/* Puts a question back into the queue, to be asked again after a pause. */
static void put_back(struct queue *queue, struct question *question)
{
    free(question->answer.body);
    question->answer = (struct api_answer){.status = 0};
    pthread_mutex_lock(&lock);
    question->again_us = clock_now_us() + AGAIN_US * (int64_t)(1 + queue->waiting / AGAIN_COUNT);
    question->api.asked_us = question->again_us;
    question->deadline_us = api_deadline_us(CLERK_LIGHT, question->again_us);
    queue->waiting++;
    queue->under_way--;
    add_to(queue, question);
    pthread_mutex_unlock(&lock);
}

static void *work(void *context)
{
    struct queue *queue = context;

    for (;;) {
        struct question *question = take_question(queue);
        int64_t *turn = question->author_id ? turn_of(question) : NULL;

        answer_question(question);
        if (question->until_us && waits(question)) {
            put_back(queue, question);
            continue;
        }
        http.MHD_resume_connection(question->connection); /* from now on, libmicrohttpd may end the
                                                             request and free the question */
        pthread_mutex_lock(&lock);
        queue->under_way--;
        if (turn)
            *turn = ++last_turn;
        pthread_cond_signal(&queue->work); /* the author's next upload may have its turn now */
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

bool clerks_ask(struct question *question)
{
    const enum clerk_kind kind = api_kind(question->route, question->api.is_head);
    struct queue *queue = &queues[kind];
    char key[sizeof cache->key];
    struct cached *slot = find_cached(question, key);
    bool is_answered;

    pthread_mutex_lock(&lock);
    is_answered = give_any_cached(slot, key, question);
    if (!is_answered) {
        http.MHD_suspend_connection(question->connection);
        question->client_fd =
            http.MHD_get_connection_info(question->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                ->connect_fd;
        question->api.asked_us = clock_now_us();
        question->deadline_us = api_deadline_us(kind, question->api.asked_us);
        if (question->api.query[API_WAIT] &&
            question->route->flags & API_MAY_WAIT) /* the desk checks it */
            question->until_us = clock_now_us() + atoi(question->api.query[API_WAIT]) %
                                                      (API_WAIT_S_MAX + 1) * INT64_C(1000000);
        queue->count++;
        add_to(queue, question);
    }
    pthread_mutex_unlock(&lock);
    return is_answered;
}

int clerks_busy(enum clerk_kind kind)
{
    int count;

    pthread_mutex_lock(&lock);
    count = queues[kind].count + queues[kind].under_way;
    pthread_mutex_unlock(&lock);
    return count;
}

/* ---- threads ---- */

int clerks_start(int inbox, int64_t package_bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error = 0;

    inbox_fd = inbox;
    package_bytes_max = package_bytes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int kind = 0; kind < CLERK_KINDS; kind++) {
        queues[kind].end = &queues[kind].first;
        pthread_cond_init(&queues[kind].work, NULL);
        for (int i = 0; i < CLERKS_A_KIND && !error; i++)
            error = pthread_create(&thread, &attributes, work, &queues[kind]);
    }
    pthread_attr_destroy(&attributes);
    return -error;
}

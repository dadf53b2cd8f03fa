/* SPDX-License-Identifier: MIT */
#include "arena/web/web.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "arena/play/source.h"
#include "arena/base/tree.h"
#include "arena/site/page.h"
#include "arena/site/play_page.h"
#include "arena/web/api.h"
#include "arena/web/message.h"
#include "arena/base/clock.h"
#include "sandbox/sandbox.h"

enum {
    QUESTIONS_MAX = 64,    /* questions of a kind that wait for a thread */
    CALLERS_MAX = 64,      /* connections whose question has not come in full */
    QUESTION_US = 2000000, /* time limit for a question to come in full */
};

/* A question and the connection on which the web process waits for its answer. */
struct asked {
    struct asked *next;
    int socket;
    char *text; /* the request as JSON, which has the strings of `request` */
    json_t *json;
    struct api_request request;
    int64_t deadline_us;
};

/* Questions of one kind that wait for a thread. */
struct line {
    struct asked *first, **end;
    int count;
    pthread_cond_t more;
};

struct desk {
    const struct desk_options *options;
    int socket; /* listens; the thread of the door alone uses it */
    pthread_mutex_t lock;
    struct line lines[CLERK_KINDS];
};

/* A thread, which answers questions of one kind with a connection to the store of its own. */
struct desk_thread {
    struct desk *desk;
    enum clerk_kind kind;
    struct api api;
    struct stage *stage; /* in which uploads are unpacked and commands run; NULL: none yet */
    char room[PATH_MAX];
};

/* ---- one question ---- */

static void drop_question(struct asked *asked)
{
    if (asked->request.upload_fd >= 0)
        close(asked->request.upload_fd);
    if (asked->socket >= 0)
        close(asked->socket);
    json_decref(asked->json);
    free(asked->text);
    free(asked);
}

/* Makes a question of a message, and takes ownership of both. Returns NULL if memory runs out. */
static struct asked *make_question(int socket, struct message *message)
{
    const int64_t now_us = clock_now_us();
    struct asked *asked = calloc(1, sizeof *asked);

    if (!asked) {
        close(socket);
        message_drop(message);
        return NULL;
    }
    asked->socket = socket;
    asked->text = message->text;
    asked->json = json_loadb(message->text, message->size, 0, NULL);
    api_request_read(asked->json, &asked->request);
    asked->request.upload_fd = message->fd;
    if (asked->request.asked_us <= 0 || asked->request.asked_us > now_us)
        asked->request.asked_us = now_us;
    return asked;
}

static void send_answer(int socket, const struct api_answer *answer)
{
    const int64_t deadline_us = clock_now_us() + MESSAGE_S * INT64_C(1000000);
    json_t *head = json_pack("{s:i, s:i, s:s}", "status", answer->status, "retry_after",
                             answer->retry_after_s, "type", answer->type);
    char *text = json_dumps(head, JSON_COMPACT);

    if (text && message_send(socket, deadline_us, text, strlen(text), -1) == 0)
        message_send(socket, deadline_us, answer->body, answer->size, -1);
    json_decref(head);
    free(text);
}

/* Returns true at the deadline of a question, or when the web process has closed its connection. */
static bool is_over(void *owner)
{
    const struct asked *asked = owner;
    struct pollfd asker = {.fd = asked->socket, .events = POLLRDHUP};

    return clock_now_us() >= asked->deadline_us || poll(&asker, 1, 0) != 0;
}

static void open_store(struct api *api, const char *url)
{
    if (store_open(&api->store, url, STORE_WRITE) == 0)
        return;
    store_close(api->store);
    api->store = NULL;
}

static void find_answer(struct desk_thread *self, struct asked *asked, struct api_answer *answer)
{
    struct api *api = &self->api;

    if (!api->store)
        open_store(api, self->desk->options->url);
    if (!api->store) {
        api_refuse(answer, 503, "the store cannot be opened: try again later");
        return;
    }
    api->owner = asked;
    store_watch(api->store, is_over, asked);
    api_answer(api, &asked->request, answer);
    store_watch(api->store, NULL, NULL);
}

/* Makes the folder of this thread's uploads, again if somebody has removed it. */
static void find_room(struct desk_thread *self)
{
    if (self->stage && access(self->stage->path, F_OK) == 0)
        return;
    stage_destroy(self->stage);
    self->stage = stage_create(NULL);
    self->api.room = NULL;
    if (self->stage && snprintf(self->room, sizeof self->room, "%s/upload", self->stage->path) <
                           (int)sizeof self->room)
        self->api.room = self->room;
}

/* Answers a question, unless nobody waits for the answer, and drops it. */
static void answer_question(struct desk_thread *self, struct asked *asked)
{
    const bool needs_room = self->kind == CLERK_UPLOAD || self->kind == CLERK_ORDER;
    struct api_answer answer = {.status = 0};

    if (!is_over(asked)) {
        if (needs_room)
            find_room(self);
        find_answer(self, asked, &answer);
    }
    if (answer.body)
        send_answer(asked->socket, &answer);
    free(answer.body);
    drop_question(asked);
    if (needs_room && self->api.room)
        tree_remove(self->api.room);
}

/* ---- threads ---- */

/* Drops the questions of a line for which nobody waits any more. The caller holds the lock. */
static void drop_left(struct line *line)
{
    struct asked **at = &line->first, *asked;

    while ((asked = *at)) {
        if (!is_over(asked)) {
            at = &asked->next;
            continue;
        }
        *at = asked->next;
        line->count--;
        drop_question(asked);
    }
    line->end = at;
}

/* Gives a question to the threads of its kind. */
static void pass_on(struct desk *desk, struct asked *asked, enum clerk_kind kind)
{
    struct line *line = &desk->lines[kind];
    struct api_answer answer = {.status = 0};
    bool has_room;

    pthread_mutex_lock(&desk->lock);
    if (line->count == QUESTIONS_MAX)
        drop_left(line);
    has_room = line->count < QUESTIONS_MAX;
    if (has_room) {
        *line->end = asked;
        line->end = &asked->next;
        line->count++;
        pthread_cond_signal(&line->more);
    }
    pthread_mutex_unlock(&desk->lock);
    if (has_room)
        return;
    api_refuse(&answer, 503, "the arena has many such questions to answer: try again later");
    answer.retry_after_s = MESSAGE_S;
    if (answer.body)
        send_answer(asked->socket, &answer);
    free(answer.body);
    drop_question(asked);
}

/* Runs in a thread: answers the questions of one kind. */
static void *answer_all(void *context)
{
    struct desk_thread *self = context;
    struct desk *desk = self->desk;
    struct line *line = &desk->lines[self->kind];

    for (;;) {
        struct asked *asked;

        pthread_mutex_lock(&desk->lock);
        while (!line->first)
            pthread_cond_wait(&line->more, &desk->lock);
        asked = line->first;
        line->first = asked->next;
        if (!line->first)
            line->end = &line->first;
        line->count--;
        pthread_mutex_unlock(&desk->lock);
        answer_question(self, asked);
    }
    return NULL;
}

/* ---- the door: one thread takes all questions, and waits for none of them ---- */

/* A connection whose question has not come in full. */
struct caller {
    int socket;
    int64_t until_us;
    struct message message;
};

/* The callers, in the order in which they came. */
struct door {
    struct caller callers[CALLERS_MAX];
    int count;
};

/*
 * True if a process may ask questions. Of a desk that is no process of root, the mode of the socket
 * says so; a web process that root started has given up root for an account of its own.
 */
static bool may_ask(int socket)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    return geteuid() != 0 || (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
                              (peer.uid == 0 || sandbox_is_own_user(peer.uid)));
}

static void drop_caller(struct caller *caller)
{
    close(caller->socket);
    message_drop(&caller->message);
}

/* Lets a caller in; the oldest one leaves if there are too many. */
static void let_in(struct desk *desk, struct door *door)
{
    int socket = accept4(desk->socket, NULL, NULL, SOCK_CLOEXEC);

    if (socket < 0) { /* for example, this process has no free descriptor */
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        return;
    }
    if (!may_ask(socket)) {
        close(socket);
        return;
    }
    if (door->count == CALLERS_MAX) {
        drop_caller(&door->callers[0]);
        memmove(&door->callers[0], &door->callers[1],
                (size_t)--door->count * sizeof *door->callers);
    }
    door->callers[door->count++] = (struct caller){
        .socket = socket, .until_us = clock_now_us() + QUESTION_US, .message = MESSAGE_EMPTY};
}

static void take_question(struct desk *desk, struct caller *caller)
{
    struct asked *asked = make_question(caller->socket, &caller->message);
    enum clerk_kind kind;
    char allowed[API_METHODS_BYTES];

    if (!asked)
        return;
    kind = api_kind(api_route_find(asked->request.method, asked->request.path, allowed),
                    asked->request.is_head);
    asked->deadline_us = api_deadline_us(kind, asked->request.asked_us);
    pass_on(desk, asked, kind);
}

/* Takes what has come from the callers. Lets those go whose time is over. */
static void hear_callers(struct desk *desk, struct door *door)
{
    const int64_t now_us = clock_now_us();
    int kept = 0;

    for (int i = 0; i < door->count; i++) {
        struct caller *caller = &door->callers[i];
        int result = message_take(caller->socket, MESSAGE_QUESTION_BYTES_MAX, &caller->message);

        if (result > 0)
            take_question(desk, caller);
        else if (result < 0 || now_us >= caller->until_us)
            drop_caller(caller);
        else
            door->callers[kept++] = *caller;
    }
    door->count = kept;
}

static void keep_door(struct desk *desk)
{
    static struct door door;
    struct pollfd ready[CALLERS_MAX + 1];

    for (;;) {
        int64_t left_ms = -1;

        ready[0] = (struct pollfd){.fd = desk->socket, .events = POLLIN};
        for (int i = 0; i < door.count; i++)
            ready[i + 1] = (struct pollfd){.fd = door.callers[i].socket, .events = POLLIN};
        if (door.count > 0)
            left_ms = (door.callers[0].until_us - clock_now_us()) / 1000 + 1;
        poll(ready, (nfds_t)door.count + 1, left_ms < 0 && door.count > 0 ? 0 : (int)left_ms);
        if (ready[0].revents)
            let_in(desk, &door);
        hear_callers(desk, &door);
    }
}

/* The kinds of the threads. */
static const enum clerk_kind kinds[DESK_THREADS] = {CLERK_HEAVY,  CLERK_HEAVY, CLERK_UPLOAD,
                                                    CLERK_UPLOAD, CLERK_LIGHT, CLERK_LIGHT,
                                                    CLERK_ORDER,  CLERK_ORDER};

int desk_run(const struct desk_options *options)
{
    static struct desk_thread all[DESK_THREADS];
    const struct page_terms terms = {
        .links_live = true, .links_play = play_page_exists(), .contact = options->contact};
    char words[TEMPLATE_ERROR_BYTES];
    struct desk desk = {.options = options,
                        .socket = message_listen(options->socket, geteuid() == 0),
                        .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    int error = 0;

    if (desk.socket < 0)
        return desk.socket;
    fcntl(desk.socket, F_SETFL, O_NONBLOCK); /* a caller may leave before it is let in */
    for (int kind = 0; kind < CLERK_KINDS; kind++) {
        desk.lines[kind].end = &desk.lines[kind].first;
        pthread_cond_init(&desk.lines[kind].more, NULL);
    }
    for (int i = 0; i < DESK_THREADS && !error; i++) {
        all[i] = (struct desk_thread){.desk = &desk,
                                      .kind = kinds[i],
                                      .api = {.version = options->version,
                                              .status_path = options->status_path,
                                              .analyses = options->analyses,
                                              .address = options->address,
                                              .pages = pages_create(&terms, words),
                                              .bounds = options->bounds,
                                              .failed_fn = options->failed_fn,
                                              .is_over_fn = is_over}};
        error = all[i].api.pages ? -pthread_create(&thread, NULL, answer_all, &all[i]) : -ENOMEM;
    }
    if (!error)
        keep_door(&desk);
    return error;
}

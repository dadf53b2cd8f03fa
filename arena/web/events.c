#include "arena/web/events.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/web/clerks.h"
#include "arena/web/http.h"

enum {
    LISTENERS_MAX = 256, /* maximum number of connections that listen to events */
    EVENT_BYTES = 16384, /* number of bytes of an event for which libmicrohttpd asks at a time */
    HEARTBEAT_S =
        15, /* pause between heartbeats, by which the web process notices clients that are gone */
    STACK_BYTES = 256 << 10,
};

/* A text that every listener gets. */
struct event {
    int users;
    size_t size;
    char *text;
};

/* A connection that listens. */
struct listener {
    struct listener *next;
    struct MHD_Connection *connection;
    struct event *event; /* event that is being sent; NULL: none */
    size_t sent;
    int64_t number; /* number of the last event that the listener began to get */
    bool is_suspended;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of everything below */
static struct listener *listeners;
static int listener_count;
static struct event *newest;
static int64_t newest_number;

static void drop_event(struct event *event)
{
    if (!event || --event->users > 0)
        return;
    free(event->text);
    free(event);
}

/* libmicrohttpd's thread calls this when a listener's connection can take more bytes. */
static ssize_t send_event(void *context, uint64_t position, char *bytes, size_t size)
{
    struct listener *listener = context;
    size_t part = 0;

    (void)position;
    pthread_mutex_lock(&lock);
    if (!listener->event && listener->number != newest_number && newest) {
        listener->event = newest;
        listener->event->users++;
        listener->number = newest_number;
        listener->sent = 0;
    }
    if (listener->event) {
        part = listener->event->size - listener->sent;
        part = part < size ? part : size;
        memcpy(bytes, listener->event->text + listener->sent, part);
        listener->sent += part;
        if (listener->sent == listener->event->size) {
            drop_event(listener->event);
            listener->event = NULL;
        }
    } else {
        listener->is_suspended = true;
        http.MHD_suspend_connection(listener->connection);
    }
    pthread_mutex_unlock(&lock);
    return (ssize_t)part;
}

static void listener_ended(void *context)
{
    struct listener *listener = context;

    pthread_mutex_lock(&lock);
    for (struct listener **at = &listeners; *at; at = &(*at)->next)
        if (*at == listener) {
            *at = listener->next;
            break;
        }
    listener_count--;
    drop_event(listener->event);
    pthread_mutex_unlock(&lock);
    free(listener);
}

enum MHD_Result events_send(struct MHD_Connection *connection)
{
    struct listener *listener = NULL;
    struct MHD_Response *response;

    pthread_mutex_lock(&lock);
    if (listener_count < LISTENERS_MAX && (listener = calloc(1, sizeof *listener))) {
        listener->connection = connection;
        listener->next = listeners;
        listeners = listener;
        listener_count++;
    }
    pthread_mutex_unlock(&lock);
    if (!listener)
        return http_refuse(
            connection, 503, 60,
            "%d others already watch the events, which is the limit: try again later",
            LISTENERS_MAX);
    response = http.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BYTES, send_event,
                                                      listener, listener_ended);
    if (!response) {
        listener_ended(listener);
        return MHD_NO;
    }
    http.MHD_add_response_header(response, "Content-Type", "text/event-stream");
    http.MHD_add_response_header(response, "Cache-Control", "no-store");
    http.MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    http.MHD_add_response_header(response, "X-Accel-Buffering", "no"); /* nginx */
    return http_send(connection, 200, response);
}

/* Makes a text the newest event, and wakes the waiting listeners. */
static void publish_event(char *text)
{
    struct event *event = calloc(1, sizeof *event);

    if (!event || !text) {
        free(event);
        free(text);
        return;
    }
    *event = (struct event){.users = 1, .size = strlen(text), .text = text};
    pthread_mutex_lock(&lock);
    drop_event(newest);
    newest = event;
    newest_number++;
    for (struct listener *listener = listeners; listener; listener = listener->next)
        if (listener->is_suspended) {
            listener->is_suspended = false;
            http.MHD_resume_connection(listener->connection);
        }
    pthread_mutex_unlock(&lock);
}

/* Runs in a thread: while any connection listens, asks the desk each second for the live games. */
static void *tell_live(void *context)
{
    const struct api_request question = {.method = "GET", .path = "/api/v1/live", .upload_fd = -1};
    char *before = NULL;
    int quiet_s = 0;

    (void)context;
    for (;; nanosleep(&(struct timespec){.tv_sec = 1}, NULL)) {
        struct api_answer answer = {.status = 0};
        bool is_news;
        char *text = NULL;

        if (events_listeners() == 0)
            continue;
        clerks_ask_desk(&question, -1, &answer);
        is_news = answer.status == 200 && (!before || strcmp(before, answer.body) != 0);
        if (is_news ? asprintf(&text, "event: games\ndata: %s\n\n", answer.body) < 0
                    : ++quiet_s < HEARTBEAT_S || !(text = strdup(":\n\n")))
            text = NULL;
        if (text) {
            publish_event(text);
            quiet_s = 0;
        }
        if (is_news) {
            free(before);
            before = answer.body;
        } else {
            free(answer.body);
        }
        if (text && !is_news) { /* publish the games again next time: a new listener must get the
                                   games, not the heartbeat */
            free(before);
            before = NULL;
        }
    }
    return NULL;
}

int events_start(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, tell_live, NULL);
    pthread_attr_destroy(&attributes);
    return -error;
}

int events_listeners(void)
{
    int count;

    pthread_mutex_lock(&lock);
    count = listener_count;
    pthread_mutex_unlock(&lock);
    return count;
}

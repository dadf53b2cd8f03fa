#include "arena/web/web.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "arena/web/api.h"
#include "arena/web/message.h"

struct desk {
    const struct desk_options *options;
    int socket; /* listens */
};

/* ---- one question ---- */

static int send_answer(int socket, const struct api_answer *answer)
{
    json_t *head = json_pack("{s:i, s:i, s:s}", "status", answer->status, "retry_after",
                             answer->retry_after_s, "type", answer->type);
    char *text = json_dumps(head, JSON_COMPACT);
    int error = text ? message_send(socket, text, strlen(text), -1) : -ENOMEM;

    json_decref(head);
    free(text);
    return error ? error : message_send(socket, answer->body, answer->size, -1);
}

static void answer_question(struct api *api, int socket)
{
    struct api_answer answer = {.status = 0};
    struct api_request request;
    json_t *json;
    char *text;
    size_t size;
    int fd;

    if (message_limit(socket, MESSAGE_DESK_S) < 0 ||
        message_receive(socket, MESSAGE_QUESTION_BYTES_MAX, &text, &size, &fd) < 0)
        return;
    json = json_loadb(text, size, 0, NULL);
    api_request_read(json, &request);
    request.upload_fd = fd;
    if (api->store)
        api_answer(api, &request, &answer);
    else
        api_refuse(&answer, 503, "the store cannot be opened: try again later");
    if (answer.body)
        send_answer(socket, &answer);
    free(answer.body);
    json_decref(json);
    free(text);
    if (fd >= 0)
        close(fd);
}

/* ---- threads: each with a connection to the store of its own ---- */

static void open_store(struct api *api, const char *url)
{
    if (store_open(&api->store, url, STORE_WRITE) == 0)
        return;
    store_close(api->store);
    api->store = NULL;
}

static void *answer_all(void *context)
{
    const struct desk *desk = context;
    struct api api = {.version = desk->options->version,
                      .status_path = desk->options->status_path,
                      .bounds = desk->options->bounds,
                      .failed_fn = desk->options->failed_fn};

    for (;;) {
        int socket = accept4(desk->socket, NULL, NULL, SOCK_CLOEXEC);

        if (socket < 0) { /* for example, this process has no free descriptor */
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
            continue;
        }
        if (!api.store)
            open_store(&api, desk->options->url);
        answer_question(&api, socket);
        close(socket);
    }
    return NULL;
}

int desk_run(const struct desk_options *options)
{
    struct desk desk = {.options = options, .socket = message_listen(options->socket)};
    pthread_t thread;
    int error;

    if (desk.socket < 0)
        return desk.socket;
    error = options->status_path ? api_watch_live(options->status_path) : 0;
    if (error)
        return error;
    for (int i = 1; i < DESK_THREADS; i++) {
        error = pthread_create(&thread, NULL, answer_all, &desk);

        if (error)
            return -error;
        pthread_detach(thread);
    }
    answer_all(&desk);
    return 0;
}

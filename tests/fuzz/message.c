/* SPDX-License-Identifier: MIT */
/*
 * Messages between the web process and the desk, either of which may be taken over: the first byte
 * chooses who reads.
 */
#include "arena/web/clerks.c" /* NOLINT(bugprone-suspicious-include) */

#include <sys/socket.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_question(int socket)
{
    struct api_request request;
    size_t size;
    char *text;
    json_t *json;
    int fd;

    if (message_receive(socket, 0, MESSAGE_QUESTION_BYTES_MAX, &text, &size, &fd) < 0)
        return;
    require(fd == -1 && size <= MESSAGE_QUESTION_BYTES_MAX && text[size] == '\0');
    json = json_loadb(text, size, 0, NULL);
    api_request_read(json, &request);
    require(request.method && request.path);
    json_decref(json);
    free(text);
}

static void read_answer(int socket)
{
    struct api_answer answer = {.status = 0};

    if (receive_answer(socket, 0, &answer) < 0)
        return;
    require(answer.status >= 200 && answer.status <= 599 && answer.type && answer.body);
    free(answer.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int ends[2];

    if (size == 0)
        return 0;
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    send(ends[0], bytes + 1, size - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    close(ends[0]);
    if (*bytes == 'q')
        read_question(ends[1]);
    else
        read_answer(ends[1]);
    close(ends[1]);
    return 0;
}

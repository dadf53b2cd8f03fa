/* SPDX-License-Identifier: MIT */
/*
 * Messages between the web process and the desk, either of which may be taken over: the first byte
 * chooses who reads. The socket has no files for the reader, and ends after the bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

static const uint8_t *left_bytes;
static size_t left_size;

static ssize_t take(void *to, size_t size)
{
    if (size > left_size)
        size = left_size;
    memcpy(to, left_bytes, size);
    left_bytes += size;
    left_size -= size;
    return (ssize_t)size;
}

static ssize_t take_first_of(struct msghdr *head)
{
    head->msg_controllen = 0;
    return take(head->msg_iov->iov_base, head->msg_iov->iov_len);
}

#define recv(socket, to, size, flags) take(to, size)
#define recvmsg(socket, head, flags)  take_first_of(head)
#include "arena/web/message.c" /* NOLINT(bugprone-suspicious-include) */
#undef recv
#undef recvmsg
#include "arena/web/clerks.c" /* NOLINT(bugprone-suspicious-include) */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void read_question(void)
{
    struct api_request request;
    size_t size;
    char *text;
    json_t *json;
    int fd;

    if (message_receive(-1, 0, MESSAGE_QUESTION_BYTES_MAX, &text, &size, &fd) < 0)
        return;
    require(fd == -1 && size <= MESSAGE_QUESTION_BYTES_MAX && text[size] == '\0');
    json = json_loadb(text, size, 0, NULL);
    api_request_read(json, &request);
    require(request.method && request.path);
    json_decref(json);
    free(text);
}

static void read_answer(void)
{
    struct api_answer answer = {.status = 0};

    if (receive_answer(-1, 0, &answer) < 0)
        return;
    require(answer.status >= 200 && answer.status <= 599 && answer.type && answer.body);
    free(answer.body);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    left_bytes = bytes + 1;
    left_size = size - 1;
    if (*bytes == 'q')
        read_question();
    else
        read_answer();
    return 0;
}

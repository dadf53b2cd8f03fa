/* SPDX-License-Identifier: MIT */
#include "tests/sdk/piped_bot.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ARGUMENTS_MAX = 16,   /* of a manifest's run */
    PATIENCE_MS = 20000,  /* for an answer or an exit, on a busy machine */
    PIECE_PAUSE_US = 200, /* between pieces, so that the bot sees them apart */
};

static void read_manifest(json_t **manifest, const char *folder, char *argv[ARGUMENTS_MAX])
{
    char path[PATH_MAX + 16];
    json_t *run, *argument;
    size_t index;

    snprintf(path, sizeof path, "%s/bot.json", folder);
    *manifest = json_load_file(path, 0, NULL);
    run = json_object_get(*manifest, "run");
    cr_assert_gt(json_array_size(run), 0, "%s has no run", path);
    cr_assert_lt(json_array_size(run), ARGUMENTS_MAX);
    json_array_foreach(run, index, argument) argv[index] =
        (char *)(uintptr_t)json_string_value(argument);
    argv[json_array_size(run)] = NULL;
}

void piped_bot_start(struct piped_bot *bot, const char *name)
{
    char folder[PATH_MAX];
    char *argv[ARGUMENTS_MAX];
    json_t *manifest;
    int input[2], output[2];

    snprintf(folder, sizeof folder, "%s/bots/%s", TEST_BINARY_DIR, name);
    read_manifest(&manifest, folder, argv);
    cr_assert_eq(pipe2(input, O_CLOEXEC), 0);
    cr_assert_eq(pipe2(output, O_CLOEXEC), 0);
    bot->name = name;
    bot->pid = fork();
    cr_assert_geq(bot->pid, 0);
    if (bot->pid == 0) {
        setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
        if (dup2(input[0], 0) == 0 && dup2(output[1], 1) == 1 && chdir(folder) == 0)
            execvp(argv[0], argv);
        _exit(127);
    }
    json_decref(manifest);
    close(input[0]);
    close(output[1]);
    bot->input_fd = input[1];
    bot->output_fd = output[0];
    signal(SIGPIPE, SIG_IGN);
}

void piped_bot_write(struct piped_bot *bot, const uint8_t *bytes, size_t size, size_t piece_bytes)
{
    while (size > 0) {
        size_t piece = size < piece_bytes ? size : piece_bytes;
        ssize_t written = write(bot->input_fd, bytes, piece);

        cr_assert_gt(written, 0, "%s closed its input", bot->name);
        bytes += written;
        size -= (size_t)written;
        if (size > 0)
            usleep(PIECE_PAUSE_US);
    }
}

size_t piped_bot_read(struct piped_bot *bot, uint8_t message[static WIRE_MESSAGE_BYTES_MAX])
{
    struct wire_scan scan = {0};
    size_t size = 0;

    do {
        struct pollfd ready = {.fd = bot->output_fd, .events = POLLIN};
        ssize_t received;

        cr_assert_eq(poll(&ready, 1, PATIENCE_MS), 1, "%s does not answer", bot->name);
        received = read(bot->output_fd, message + size, WIRE_MESSAGE_BYTES_MAX - size);
        cr_assert_gt(received, 0, "%s closed its output", bot->name);
        size += (size_t)received;
    } while (wire_scan(&scan, message, size) == WIRE_SCAN_PARTIAL);
    cr_assert_null(scan.fault, "%s: %s", bot->name, scan.fault);
    cr_assert_eq(scan.offset, size, "%s sent bytes behind its answer", bot->name);
    return size;
}

void piped_bot_stop(struct piped_bot *bot)
{
    struct pollfd ended = {.fd = bot->output_fd, .events = POLLIN};
    uint8_t byte;
    int status;

    close(bot->input_fd);
    cr_assert_eq(poll(&ended, 1, PATIENCE_MS), 1, "%s does not leave", bot->name);
    cr_assert_eq(read(bot->output_fd, &byte, 1), 0, "%s spoke after the end", bot->name);
    cr_assert_eq(waitpid(bot->pid, &status, 0), bot->pid);
    cr_assert_eq(status, 0, "%s left with wait status %d", bot->name, status);
    close(bot->output_fd);
}

#include "arena/commands/submit_queue.h"

#include <stdio.h>

#include "arena/commands/bot_argument.h"
#include "arena/commands/commands.h"
#include "arena/commands/store_option.h"
#include "arena/intake/queue.h"
#include "arena/replay/plain_text.h"

int submit_queue(const char *path, const char *home, bool takes_over, bool as_json)
{
    struct store_submission submission = {.takes_over = takes_over,
                                          .received_us = store_option_now_us()};
    char error[SOURCE_ERROR_BYTES];
    struct store *store;
    int result;
    int status = store_option_open(home, STORE_CREATE, &store);

    if (status != COMMAND_DONE)
        return status;
    result = queue_submission(store, path, &submission, error);
    store_close(store);
    if (result < 0)
        return bot_argument_refuse(result, error);
    if (as_json)
        return store_option_print(json_pack("{s:I}", "submission", (json_int_t)submission.id));
    plain_text_printf(
        stdout, "%s %s is submission %lld: `arena submissions %lld` shows what became of it\n",
        submission.name, submission.version, (long long)submission.id, (long long)submission.id);
    return COMMAND_DONE;
}

/* Runs a check on a loop of its own. */
#include <errno.h>

#include "arena/play/await.h"
#include "arena/trial/check.h"

struct wait {
    struct await await;
    struct check *check;
    int result;
};

static void asked_to_stop(void *owner)
{
    check_stop(((struct wait *)owner)->check);
}

static void ended(void *owner, struct check *check, int result)
{
    struct wait *wait = owner;

    (void)check;
    wait->result = result;
    await_end(&wait->await);
}

int check_run(struct check *check)
{
    const struct transport transport = transport_of_sandbox(check->sandbox);
    struct wait wait = {.check = check};
    int error = await_open(&wait.await, asked_to_stop, &wait);

    if (error == 0) {
        check->ended_fn = ended;
        check->ended_owner = &wait;
        error = check_start(check, wait.await.loop, &transport);
        if (error == 0)
            await_run(&wait.await);
        await_close(&wait.await);
    }
    check->ended_owner = NULL;
    if (error) {
        check->failure = (struct sandbox_failure){.step = "event loop", .error = -error};
        return -1;
    }
    return wait.result;
}

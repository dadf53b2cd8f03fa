#include "arena/play/transport.h"

static int spawn(void *context, const struct sandbox_command *command, struct sandbox_child *child,
                 struct sandbox_failure *failure)
{
    return sandbox_spawn(context, command, child, failure);
}

static void abort_spawn(void *context)
{
    sandbox_spawn_abort(context);
}

struct transport transport_of_sandbox(struct sandbox *sandbox)
{
    return (struct transport){
        .context = sandbox,
        .blocks = true,
        .watches = true,
        .spawn_fn = spawn,
        .abort_fn = abort_spawn,
        .setup_fn = sandbox_child_setup,
        .notified_fn = sandbox_child_notified,
        .cpu_us_fn = sandbox_child_cpu_us,
        .watch_fn = sandbox_child_watch,
        .freeze_fn = sandbox_child_freeze,
        .kill_fn = sandbox_child_kill,
        .reap_fn = sandbox_child_reap,
        .finish_fn = sandbox_child_finish,
    };
}

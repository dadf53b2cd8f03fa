/* arena submissions: shows the state of submissions to a daemon. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena/commands/commands.h"
#include "arena/commands/plain_options.h"
#include "arena/commands/store_option.h"
#include "arena/replay/plain_text.h"
#include "arena/store/submissions.h"

static const char usage[] = "usage: arena submissions [N] [--json] [--home DIR]\n"
                            "\n"
                            "Lists the submissions of `arena submit --queue` in order of arrival; "
                            "with a number, shows one of\n"
                            "them with its whole report.\n"
                            "\n"
                            "  --json      one JSON object per line\n";

static const char *const states[] = {
    [STORE_RECEIVED] = "received", [STORE_BUILDING] = "building", [STORE_CHECKING] = "checking",
    [STORE_ADMITTED] = "admitted", [STORE_REFUSED] = "refused",
};

struct listing {
    int64_t wanted; /* 0: all */
    bool as_json;
    int status;
    int count;
};

static json_t *to_json(const struct store_submission *submission)
{
    json_t *report =
        submission->report ? json_loads(submission->report, JSON_DECODE_ANY, NULL) : NULL;

    return json_pack(
        "{s:I, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "submission",
        (json_int_t)submission->id, "name", submission->name, "version", submission->version,
        "author", submission->author, "sha256", submission->sha256, "state",
        states[submission->state], "received", store_option_time(submission->received_us),
        "building", store_option_time(submission->building_us), "checking",
        store_option_time(submission->checking_us), "ended",
        store_option_time(submission->ended_us), "report", report ? report : json_null());
}

static void print_time(const char *what, int64_t us)
{
    json_t *time = store_option_time(us);

    if (us)
        plain_text_printf(stdout, "  %-9s %s\n", what, json_string_value(time));
    json_decref(time);
}

/* Prints a report: why the submission was refused, and each step of its check. */
static void print_report(const char *text)
{
    json_t *report = json_loads(text, 0, NULL);
    const char *reason = json_string_value(json_object_get(report, "reason"));
    json_t *step;
    size_t index;

    if (reason)
        plain_text_printf(stdout, "  reason    %s\n", reason);
    json_array_foreach(json_object_get(report, "steps"), index, step)
    {
        const char *why = json_string_value(json_object_get(step, "reason"));

        plain_text_printf(
            stdout, "  %-4s  %s%s%s\n", json_string_value(json_object_get(step, "result")),
            json_string_value(json_object_get(step, "name")), why ? ": " : "", why ? why : "");
    }
    json_decref(report);
}

static void print_text(const struct store_submission *submission, bool whole)
{
    plain_text_printf(stdout, "%4lld  %-8s  %-24s %-12s %s\n", (long long)submission->id,
                      states[submission->state], submission->name, submission->version,
                      submission->author);
    if (!whole)
        return;
    plain_text_printf(stdout, "  package   %s\n", submission->sha256);
    print_time("received", submission->received_us);
    print_time("building", submission->building_us);
    print_time("checking", submission->checking_us);
    print_time("ended", submission->ended_us);
    if (submission->report)
        print_report(submission->report);
}

static int list_submission(void *context, const struct store_submission *submission)
{
    struct listing *listing = context;

    if (listing->wanted && listing->wanted != submission->id)
        return 0;
    listing->count++;
    if (listing->as_json)
        listing->status = store_option_print(to_json(submission));
    else
        print_text(submission, listing->wanted != 0);
    return listing->status != COMMAND_DONE;
}

static int list(struct store *store, struct listing *listing)
{
    int error = store_submissions_each(store, list_submission, listing);

    if (error && error != -EINTR)
        return store_option_status(store, error);
    if (listing->wanted && listing->count == 0)
        return command_refuse("there is no submission %lld: `arena submissions` lists them",
                              (long long)listing->wanted);
    if (listing->count == 0 && !listing->as_json)
        puts("no submissions yet: `arena submit --queue DIR` makes one");
    return listing->status;
}

int command_submissions(int argc, char **argv)
{
    const char *home = NULL;
    struct listing listing = {.status = COMMAND_DONE};
    const struct plain_option options[] = {
        {"json", .flag = &listing.as_json}, {"home", .text = &home}, {.name = NULL}};
    struct store *store;
    char *end;
    int status;

    if (!plain_options_read(argc, argv, options, usage, store_option_help, &status))
        return status;
    if (argc - optind > 1)
        return command_refuse(
            "submissions: name one submission by its number: see `arena submissions --help`");
    if (optind < argc) {
        errno = 0;
        listing.wanted = strtoll(argv[optind], &end, 10);
        if (errno || *end || listing.wanted < 1)
            return command_refuse("submissions: '%s' is not the number of a submission: `arena "
                                  "submissions` lists them",
                                  argv[optind]);
    }
    status = store_option_open(home, STORE_READ, &store);
    if (status != COMMAND_DONE)
        return status;
    status = list(store, &listing);
    store_close(store);
    return status;
}

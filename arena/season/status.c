/* SPDX-License-Identifier: MIT */
#include "arena/season/status.h"

#include <stdio.h>
#include <string.h>

#include "arena/base/plain_text.h"
#include "arena/season/dates.h"
#include "arena/season/roster.h"
#include "arena/store/submissions.h"
#include "arena/base/clock.h"

/* Time for a close, after the games under way have ended. */
static const int64_t close_us = 60000000;
/* Time for a daemon to claim a season whose --from has come. */
static const int64_t begin_us = 10000000;

const char *const season_states[] = {
    [STATE_PLAYED] = "played",     [STATE_CLOSED] = "closed",       [STATE_CLOSING] = "closing",
    [STATE_EARLY] = "early",       [STATE_SPENT] = "spent",         [STATE_DECIDED] = "decided",
    [STATE_FEW_BOTS] = "few_bots", [STATE_NO_WORKER] = "no_worker", [STATE_UNFIT] = "unfit",
    [STATE_FAILED] = "failed",     [STATE_IDLE] = "idle",           [STATE_PAUSED] = "paused",
    [STATE_JUDGING] = "judging",   [STATE_PAUSED + 1] = NULL,
};

/* For visitors. */
static const char *const sentences[] = {
    [STATE_PLAYED] = "",
    [STATE_CLOSED] = "The season is closed.",
    [STATE_CLOSING] = "The season is about to be closed: no more games begin.",
    [STATE_EARLY] = "The season has not begun.",
    [STATE_SPENT] = "No games are left: a new bot plays only if the organizer adds games.",
    [STATE_DECIDED] = "The order of the bots is certain, so the season plays no more games.",
    [STATE_FEW_BOTS] = "The season waits for bots: too few may play.",
    [STATE_NO_WORKER] = "The season waits for a machine that plays it.",
    [STATE_UNFIT] = "The season waits for a machine that can play it.",
    [STATE_FAILED] = "The arena cannot play the season at the moment.",
    [STATE_IDLE] = "The season is not being played at the moment.",
    [STATE_PAUSED] = "The organizer looks into something: no game begins meanwhile.",
    [STATE_JUDGING] = "The season begins once the bots that came in time are checked.",
};
int season_facts_read(struct season_facts *facts, struct store *store,
                      const struct store_season *terms, bool is_ours)
{
    *facts = (struct season_facts){.terms = *terms, .now_us = clock_time_us(), .is_ours = is_ours};
    if (terms->closed_us)
        return 0;
    return store_season_count(store, terms->id, &facts->counts)
               ?: roster_count(store, terms, &facts->roster)
               ?: season_facts_refresh(facts, store);
}

struct unjudged {
    struct roster roster; /* only the names that may take part */
    int64_t before_us;
    int count;
};

static int see_unjudged(void *context, const struct store_submission *submission)
{
    struct unjudged *unjudged = context;

    unjudged->count += submission->received_us < unjudged->before_us &&
                       roster_takes_name(&unjudged->roster, submission->name);
    return 0;
}

/*
 * A season whose first game is due waits for the bots that came before its --from and may take
 * part, but not for long: the check of one of them may wait for something else.
 */
static int count_unjudged(struct season_facts *facts, struct store *store)
{
    const struct store_season *terms = &facts->terms;
    struct unjudged unjudged = {.roster = {.season_id = terms->id}, .before_us = terms->from_us};
    int64_t late_us = clock_time_us() - terms->from_us;
    int error = 0;

    if (terms->from_us && facts->counts.batches == 0 && late_us >= 0 &&
        late_us < dates_judged_s(terms) * INT64_C(1000000))
        error = roster_read_names(&unjudged.roster, store)
                    ?: store_submissions_open_each(store, see_unjudged, &unjudged);
    roster_finish(&unjudged.roster);
    facts->unjudged_count = unjudged.count;
    return error;
}

int season_facts_refresh(struct season_facts *facts, struct store *store)
{
    const struct store_season *terms = &facts->terms;
    const bool was_claimed = *facts->owner;
    int error = facts->is_ours ? 0 : store_claim_read(store, terms->name, facts->owner);

    if (!error && was_claimed)
        error = store_season_count(store, terms->id, &facts->counts);
    return error
               ?: count_unjudged(facts, store)
               ?: store_season_pace(store, terms->id, &facts->pace)
               ?: store_season_workers(store, terms, &facts->workers);
}

static bool has_few_bots(const struct season_facts *facts)
{
    const struct store_season *terms = &facts->terms;
    const int least = terms->player_counts[0]; /* the smallest table */

    return facts->roster.bot_count < least ||
           (least > GAME_PLAYERS_MIN && !terms->authors_free && facts->roster.author_count < least);
}

/* Returns the state of an open season with games left that somebody plays. */
static enum season_state state_of_played(const struct store_season_workers *workers)
{
    return !workers->is_dealt          ? STATE_PLAYED
           : workers->alive_count == 0 ? STATE_NO_WORKER
           : workers->fit_count == 0   ? STATE_UNFIT
                                       : STATE_PLAYED;
}

static enum season_state state_of(const struct season_facts *facts,
                                  const struct season_status *status)
{
    const struct store_season *terms = &facts->terms;
    const bool has_scheduled =
        facts->counts.scheduled - facts->counts.void_scheduled > status->game_count;

    if (terms->closed_us || terms->closing_us)
        return terms->closed_us ? STATE_CLOSED : STATE_CLOSING;
    if (*terms->paused)
        return STATE_PAUSED;
    if (terms->from_us > facts->now_us)
        return STATE_EARLY;
    if (facts->unjudged_count && !has_scheduled)
        return STATE_JUDGING;
    if (status->left_count == 0 && !terms->games_a_day)
        return STATE_SPENT;
    if (terms->until_decided && terms->decided_us && !has_scheduled)
        return STATE_DECIDED;
    if (has_few_bots(facts) && !has_scheduled)
        return STATE_FEW_BOTS;
    if (facts->is_ours || *facts->owner)
        return state_of_played(&facts->workers);
    if (*facts->failure || *facts->lack)
        return *facts->failure ? STATE_FAILED : STATE_UNFIT;
    /* A daemon that waited for --from takes a moment to claim the season. */
    return terms->from_us && facts->now_us < terms->from_us + begin_us ? STATE_EARLY : STATE_IDLE;
}

/* Returns what keeps the workers that are there from playing the season, and the cure. */
static const char *lack_of_workers(const struct store_season_workers *workers)
{
    if (workers->barred_count == workers->alive_count)
        return "no worker gets games: they are set aside, or too many of their games were refused: "
               "`arena workers` says why, `arena workers release NAME` gives a worker another try";
    if (workers->barred_count + workers->foreign_count == workers->alive_count)
        return "no worker's machine has the architecture of the daemon's machine, for which the "
               "bots are built: start `arena worker` on a machine that has";
    if (workers->tier_count == 0)
        return "no worker has the sandbox that the season requires (--require): `arena workers` "
               "lists the workers";
    return "no worker has a core for each of its jobs, as the season requires (--pin): start a "
           "worker with fewer --jobs";
}

/* Says which tables of a season that is played have no game, because too few bots may sit there. */
static void write_empty_tables(const struct season_facts *facts, char *text, size_t size)
{
    const struct store_season *terms = &facts->terms;
    const struct roster_counts *roster = &facts->roster;
    const bool lacks_authors = !terms->authors_free && roster->author_count < roster->bot_count;
    const int most = lacks_authors ? roster->author_count : roster->bot_count;
    const int last = terms->player_counts[terms->player_count_count - 1];
    int first = 0;

    for (int i = terms->player_count_count - 1; i >= 0; i--)
        if (terms->player_counts[i] > most && terms->player_counts[i] > GAME_PLAYERS_MIN)
            first = terms->player_counts[i];
    if (first == 0)
        return;
    snprintf(text, size, "; games of %d%.*s players need %s, and there %s %d", first,
             first < last ? 5 : 0, " or 4",
             lacks_authors ? "bots of as many authors" : "as many bots", most == 1 ? "is" : "are",
             most);
}

/* Writes the reason of a state for the organizer: what happens, or what is missing, and the cure.
 */
static void write_reason(const struct season_facts *facts, struct season_status *status)
{
    const struct store_season *terms = &facts->terms;
    const int least = terms->player_counts[0];
    char *reason = status->reason, time[CLOCK_TIME_BYTES];
    const size_t size = sizeof status->reason;
    int length;
    const char *name = terms->name;

    switch (status->state) {
    case STATE_PLAYED:
        snprintf(reason, size, "played by %s%s", facts->is_ours ? "this daemon" : facts->owner,
                 facts->workers.is_dealt ? " and its workers" : "");
        if (terms->games_a_day)
            snprintf(reason + strlen(reason), size - strlen(reason),
                     ", at most %lld games a day for each bot", (long long)terms->games_a_day);
        write_empty_tables(facts, reason + strlen(reason), size - strlen(reason));
        break;
    case STATE_PAUSED:
        snprintf(reason, size, "paused: %s: `arena season resume %s` lets games begin again",
                 terms->paused, name);
        break;
    case STATE_JUDGING:
        clock_write_time(terms->from_us + dates_judged_s(terms) * INT64_C(1000000), time);
        snprintf(reason, size,
                 "its games begin once the bots that came before --from are checked: %d %s, and "
                 "the season waits until %s at most",
                 facts->unjudged_count, facts->unjudged_count == 1 ? "is left" : "are left", time);
        break;
    case STATE_CLOSED:
        snprintf(reason, size, "closed");
        break;
    case STATE_CLOSING:
        clock_write_time(terms->closing_us, time);
        if (facts->now_us < terms->closing_us + close_us)
            snprintf(reason, size, "being closed: games under way may end until %s", time);
        else
            snprintf(reason, size,
                     "being closed, but the command that closes it has ended: `arena season close "
                     "%s` closes it, `arena season reopen %s` lets it go on",
                     name, name);
        break;
    case STATE_EARLY:
        clock_write_time(terms->from_us, time);
        snprintf(reason, size, "its games begin at %s", time);
        break;
    case STATE_SPENT:
        snprintf(reason, size,
                 "the budget is spent: `arena season extend %s --budget GAMES` adds games", name);
        break;
    case STATE_DECIDED:
        snprintf(reason, size, "the order of the season's bots is certain (--until-decided)");
        break;
    case STATE_FEW_BOTS:
        length = snprintf(
            reason, size, "too few bots for a game: %d may play, and a game needs %d%s",
            facts->roster.bot_count, least,
            least > GAME_PLAYERS_MIN && !terms->authors_free ? " of different authors" : "");
        if (facts->roster.too_slow_count > 0)
            snprintf(reason + length, size - (size_t)length,
                     "; for %lld more its clock is too fast",
                     (long long)facts->roster.too_slow_count);
        break;
    case STATE_NO_WORKER:
        snprintf(reason, size, "no worker is connected: start `arena worker` on a machine");
        break;
    case STATE_UNFIT:
        snprintf(reason, size, "%s",
                 facts->workers.is_dealt ? lack_of_workers(&facts->workers) : facts->lack);
        break;
    case STATE_FAILED:
        snprintf(reason, size, "%s", facts->failure);
        break;
    case STATE_IDLE:
        snprintf(reason, size,
                 "nobody plays the season: `arena serve` (within seconds, if it runs already) or "
                 "`arena season run %s` plays it",
                 name);
        break;
    }
}

void season_status_of(const struct season_facts *facts, struct season_status *status)
{
    const struct store_season_counts *counts = &facts->counts;
    const int64_t expected_games =
        dates_budget_games(&facts->terms, facts->roster.bot_count, facts->now_us);
    const int64_t all = counts->scheduled > expected_games ? counts->scheduled : expected_games;
    const int64_t age_us = facts->now_us - facts->pace.last_us;

    *status =
        (struct season_status){.game_count = counts->played - counts->void_played,
                               .void_count = counts->void_scheduled,
                               .budget_games = facts->terms.games_a_day ? all : expected_games,
                               .idle_us = -1};
    status->left_count = all - status->void_count - status->game_count;
    if (status->left_count < 0 || facts->terms.closed_us)
        status->left_count = 0;
    if (facts->pace.last_us && !facts->terms.closed_us)
        status->idle_us = age_us > 0 ? age_us : 0;
    status->state = state_of(facts, status);
    write_reason(facts, status);
}

bool season_status_goes_on(const struct season_status *status)
{
    return status->state != STATE_CLOSED && status->state != STATE_CLOSING &&
           status->state != STATE_SPENT && status->state != STATE_DECIDED;
}

const char *season_state_sentence(enum season_state state)
{
    return sentences[state];
}

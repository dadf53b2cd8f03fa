#include "arena/rating/links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How a step goes from a bot to the next. */
enum link {
    LINK_SCORED,   /* to whom it took points off */
    LINK_CONCEDED, /* to who took points off it */
    LINK_MET,      /* to whom it played */
};

static bool is_linked(const struct games *games, int from, int to, enum link link)
{
    switch (link) {
    case LINK_SCORED:
        return games_halves(games, from, to) > 0;
    case LINK_CONCEDED:
        return games_halves(games, to, from) > 0;
    case LINK_MET:
        return games_halves(games, from, to) > 0 || games_halves(games, to, from) > 0;
    }
    return false;
}

/* Marks every bot that start reaches; stack has room for all bots. */
static void reach(const struct games *games, int start, enum link link, bool *reached, int *stack)
{
    int depth = 0;

    memset(reached, 0, (size_t)games->bot_count * sizeof *reached);
    reached[start] = true;
    stack[depth++] = start;
    while (depth > 0) {
        int from = stack[--depth];

        for (int to = 0; to < games->bot_count; to++)
            if (to != from && !reached[to] && is_linked(games, from, to, link)) {
                reached[to] = true;
                stack[depth++] = to;
            }
    }
}

int links_init(struct links *links, const struct games *games)
{
    size_t n = (size_t)games->bot_count;
    bool *forward = calloc(n + 1, sizeof *forward);
    bool *backward = calloc(n + 1, sizeof *backward);
    int *stack = calloc(n + 1, sizeof *stack);
    int error = -ENOMEM;

    memset(links, 0, sizeof *links);
    links->bot_count = games->bot_count;
    links->sets = malloc((n + 1) * sizeof *links->sets);
    links->islands = malloc((n + 1) * sizeof *links->islands);
    if (!forward || !backward || !stack || !links->sets || !links->islands) {
        links_finish(links);
        goto out;
    }
    memset(links->sets, -1, (n + 1) * sizeof *links->sets);
    memset(links->islands, -1, (n + 1) * sizeof *links->islands);
    for (int i = 0; i < games->bot_count; i++) {
        if (links->islands[i] < 0) {
            reach(games, i, LINK_MET, forward, stack);
            for (int j = i; j < games->bot_count; j++)
                if (forward[j])
                    links->islands[j] = links->island_count;
            links->island_count++;
        }
        if (links->sets[i] < 0) {
            reach(games, i, LINK_SCORED, forward, stack);
            reach(games, i, LINK_CONCEDED, backward, stack);
            for (int j = i; j < games->bot_count; j++)
                if (forward[j] && backward[j])
                    links->sets[j] = links->set_count;
            links->set_count++;
        }
    }
    error = 0;
out:
    free(forward);
    free(backward);
    free(stack);
    return error;
}

void links_finish(struct links *links)
{
    free(links->sets);
    free(links->islands);
    memset(links, 0, sizeof *links);
}

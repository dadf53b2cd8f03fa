#include "arena/rating/links.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The direction of a step from one bot to another. */
enum link {
    LINK_SCORED,   /* to a bot it took points off */
    LINK_CONCEDED, /* to a bot that took points off it */
    LINK_MET,      /* to an opponent */
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

/*
 * Writes the bots in the postorder of a depth-first search along LINK_SCORED. next and stack have
 * room for all bots.
 */
static void order_by_leaving(const struct games *games, int *order, int *next, int *stack)
{
    int left_count = 0;

    memset(next, -1, (size_t)games->bot_count * sizeof *next);
    for (int start = 0; start < games->bot_count; start++) {
        int depth = 0;

        if (next[start] < 0) {
            stack[depth++] = start;
            next[start] = 0;
        }
        while (depth > 0) {
            int from = stack[depth - 1];
            int to = next[from];

            while (to < games->bot_count &&
                   (to == from || next[to] >= 0 || !is_linked(games, from, to, LINK_SCORED)))
                to++;
            next[from] = to;
            if (to < games->bot_count) {
                next[to] = 0;
                stack[depth++] = to;
            } else {
                order[left_count++] = from;
                depth--;
            }
        }
    }
}

/* Labels start and every bot that it reaches through bots without a label (below 0). */
static void label_reached(const struct games *games, int start, enum link link, int label,
                          int *labels, int *stack)
{
    int depth = 0;

    labels[start] = label;
    stack[depth++] = start;
    while (depth > 0) {
        int from = stack[--depth];

        for (int to = 0; to < games->bot_count; to++)
            if (labels[to] < 0 && is_linked(games, from, to, link)) {
                labels[to] = label;
                stack[depth++] = to;
            }
    }
}

/*
 * Kosaraju's algorithm: in reverse postorder, each unlabelled bot labels its strongly connected
 * component by a search along reversed links.
 */
static void find_sets(struct links *links, const struct games *games, int *order, int *next,
                      int *stack)
{
    order_by_leaving(games, order, next, stack);
    memset(next, -1, (size_t)games->bot_count * sizeof *next); /* now the labels */
    for (int i = games->bot_count - 1; i >= 0; i--)
        if (next[order[i]] < 0)
            label_reached(games, order[i], LINK_CONCEDED, i, next, stack);
    /* Renumber the sets in order of their first bots. */
    memset(order, -1, (size_t)games->bot_count * sizeof *order);
    for (int i = 0; i < games->bot_count; i++) {
        if (order[next[i]] < 0)
            order[next[i]] = links->set_count++;
        links->sets[i] = order[next[i]];
    }
}

int links_init(struct links *links, const struct games *games)
{
    size_t n = (size_t)games->bot_count;
    int *scratch = calloc(3 * n + 1, sizeof *scratch);

    memset(links, 0, sizeof *links);
    links->bot_count = games->bot_count;
    links->sets = malloc((n + 1) * sizeof *links->sets);
    links->islands = malloc((n + 1) * sizeof *links->islands);
    if (!scratch || !links->sets || !links->islands) {
        free(scratch);
        links_finish(links);
        return -ENOMEM;
    }
    find_sets(links, games, scratch, scratch + n, scratch + 2 * n);
    memset(links->islands, -1, (n + 1) * sizeof *links->islands);
    for (int i = 0; i < games->bot_count; i++)
        if (links->islands[i] < 0)
            label_reached(games, i, LINK_MET, links->island_count++, links->islands, scratch);
    free(scratch);
    return 0;
}

void links_finish(struct links *links)
{
    free(links->sets);
    free(links->islands);
    memset(links, 0, sizeof *links);
}

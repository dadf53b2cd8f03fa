/* SPDX-License-Identifier: MIT */
/*
 * A bot that searches the drafts of a round with a tree, for 2 to 4 players.
 *
 * Until the round's last tile is drafted nothing is random and everything is visible, so a node
 * needs no statistics of chance: it has what each seat can expect (sdk_value), and its seat chooses
 * the child that is best for itself. Each visit goes down the tree, to a child that is promising or
 * was seldom visited, opens one more node, and corrects the nodes on its way. A node has all its
 * drafts as children, the best first, but visits only a few of them until it was visited often
 * (progressive widening). The tree ends with the round's drafts, where sdk_value plans each seat's
 * placements. The bot's own placements are sdk_steady's.
 *
 * docs/sdk.md says how to build it, and how strong it is.
 */
#include <math.h>
#include <string.h>

#include "sdk/sdk.h"

enum {
    NODES_MAX = 1 << 18, /* 14 MB */
    VISITS_MAX = 100000, /* by then the tree of a short draft phase is complete */
};

static const double explore = 5; /* points that a child which was never visited may be better */

struct node {
    struct action action;            /* leads here from the parent */
    int32_t worth[GAME_PLAYERS_MAX]; /* what each seat can expect, in units of 1 / SDK_POINT */
    int visits;
    int child_count;       /* 0: not opened yet */
    struct node *children; /* the most promising first */
};

/* About 15 MB, too much for the stack. */
struct tree {
    struct sdk_weights weights;
    int player_count;
    size_t node_count;
    struct node nodes[NODES_MAX];
};

/* How many points a seat is ahead of the mean of the others. */
static double lead(const struct tree *tree, const struct node *node, int seat)
{
    double others = 0;

    for (int i = 0; i < tree->player_count; i++)
        others += i == seat ? 0 : node->worth[i];
    return (node->worth[seat] - others / (tree->player_count - 1)) / SDK_POINT;
}

static bool is_same(const struct node *a, const struct node *b)
{
    return memcmp(a->worth, b->worth, sizeof a->worth) == 0;
}

/* Adds a child behind all better ones, unless another leads to the same (two equal displays). */
static void add_child(struct tree *tree, struct node *node, const struct node *child, int seat)
{
    int place = node->child_count;
    double own = lead(tree, child, seat);

    for (int i = 0; i < node->child_count; i++)
        if (is_same(&node->children[i], child))
            return;
    for (; place > 0 && lead(tree, &node->children[place - 1], seat) < own; place--)
        node->children[place] = node->children[place - 1];
    node->children[place] = *child;
    node->child_count++;
}

/* Gives a node its children. False: there is no room for more. */
static bool open_node(struct tree *tree, struct node *node, const struct game *game)
{
    struct action actions[GAME_ACTIONS_MAX];
    size_t count = game_legal_actions(game, actions);

    if (tree->node_count + count > NODES_MAX)
        return false;
    node->children = &tree->nodes[tree->node_count];
    for (size_t i = 0; i < count; i++) {
        struct game after = *game;
        struct node child = {.action = actions[i]};

        game_play(&after, actions[i]);
        for (int seat = 0; seat < tree->player_count; seat++)
            child.worth[seat] = sdk_value(&tree->weights, &after, seat);
        add_child(tree, node, &child, game_turn(game));
    }
    tree->node_count += (size_t)node->child_count;
    return true;
}

/*
 * Returns the child to visit: what it is worth, and what is not known about it yet. The more often
 * the node was visited, the more children are looked at.
 */
static struct node *pick(const struct tree *tree, const struct node *node, int seat)
{
    struct node *best = NULL;
    double best_bound = -1e9;
    double few = 1 + sqrt(node->visits);

    for (int i = 0; i < node->child_count && i < few; i++) {
        struct node *child = &node->children[i];
        double bound =
            lead(tree, child, seat) + explore * sqrt(log(node->visits + 1) / (child->visits + 1));

        if (bound > best_bound) {
            best_bound = bound;
            best = child;
        }
    }
    return best;
}

static const struct node *best_child(const struct tree *tree, const struct node *node, int seat)
{
    const struct node *best = node->children;

    for (int i = 1; i < node->child_count; i++)
        if (lead(tree, &node->children[i], seat) > lead(tree, best, seat))
            best = &node->children[i];
    return best;
}

/* Visits a node, whose game is *game, and those below it. False: there is no room for more nodes.
 */
static bool visit(struct tree *tree, struct node *node, struct game *game)
{
    int seat = game_turn(game);

    node->visits++;
    if (game_phase(game) != PHASE_DRAFT)
        return true;
    if (node->child_count == 0) {
        if (!open_node(tree, node, game))
            return false;
    } else {
        struct node *child = pick(tree, node, seat);

        game_play(game, child->action);
        if (!visit(tree, child, game))
            return false;
    }
    memcpy(node->worth, best_child(tree, node, seat)->worth, sizeof node->worth);
    return true;
}

static struct action search(struct tree *tree, const struct sdk_turn *turn)
{
    struct node *root = tree->nodes;
    const struct node *best;
    struct game game;

    tree->node_count = 1;
    *root = (struct node){0};
    while ((!sdk_should_stop(turn) || root->visits == 0) && root->visits < VISITS_MAX &&
           root->child_count != 1) {
        game = *turn->game;
        if (!visit(tree, root, &game))
            break;
    }
    best = root->children;
    for (int i = 1; i < root->child_count; i++)
        if (root->children[i].visits > best->visits)
            best = &root->children[i];
    sdk_note(turn, "%d visits, %zu nodes, %+.1f points", root->visits, tree->node_count,
             lead(tree, best, turn->hello->seat));
    return best->action;
}

static void begin(void *self, const struct wire_hello *hello)
{
    struct tree *tree = self;

    tree->player_count = hello->player_count;
    sdk_weights_load(&tree->weights, hello->player_count, hello->board);
}

static struct action play(void *self, const struct sdk_turn *turn)
{
    struct tree *tree = self;

    if (turn->state->phase == PHASE_DRAFT)
        return search(tree, turn);
    return sdk_steady(&tree->weights, turn->game);
}

int main(void)
{
    static struct tree tree;

    return sdk_run(
        &(struct sdk_bot){.name = "tree", .version = "1", .hello_fn = begin, .play_fn = play},
        &tree);
}

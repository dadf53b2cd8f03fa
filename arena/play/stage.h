/* A folder for the arena's copies of bots. */
#ifndef ARENA_PLAY_STAGE_H
#define ARENA_PLAY_STAGE_H

struct sandbox;

struct stage {
    char *path;  /* absolute */
    int lock_fd; /* holds the folder's lock: other arenas remove folders that nobody holds */
};

/*
 * Creates a folder in $TMPDIR or /tmp that only the arena may enter (0700). If the arena runs as
 * root and bots have no root of their own (the lite tier), its mode is 0711, because bots must pass
 * through it. First removes old build logs and the folders of arenas that were killed. sandbox is
 * the one that will run the bots, or NULL. Returns NULL with errno set on failure.
 */
struct stage *stage_create(const struct sandbox *sandbox);

/* Removes the folder and its contents, and frees the stage. Accepts NULL. */
void stage_destroy(struct stage *stage);

#endif

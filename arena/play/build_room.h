/* The space that a build uses: in its folder, in its /tmp and on the disk. */
#ifndef ARENA_PLAY_BUILD_ROOM_H
#define ARENA_PLAY_BUILD_ROOM_H

#include <stdint.h>
#include <sys/types.h>

#include "arena/play/tree.h"

struct build_room {
    const char *folder;      /* borrowed from the caller */
    struct tree_size enough; /* limit of that folder and /tmp together */
    int64_t free_bytes;      /* free on the disk when it started */
};

enum build_room_fault {
    BUILD_ROOM_FITS = 0,
    BUILD_ROOM_TOO_LARGE = 1, /* over the limit of bytes */
    BUILD_ROOM_TOO_MANY = 2,  /* over the limit of files */
    BUILD_ROOM_TOO_DEEP = 3,  /* folders nested too deep */
};

/* space_bytes 0: BUILD_SPACE_MIB. */
void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes);

/*
 * Measures the build's space; pid is its first process, 0 once all are dead. A file that was
 * deleted while open is in no folder, but still uses the disk: if the disk is almost full and has
 * lost more free space than the build may use, the build counts as too large.
 */
enum build_room_fault build_room_look(const struct build_room *room, pid_t pid);

#endif

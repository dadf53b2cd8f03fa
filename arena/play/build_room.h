/* The room that a build takes: of its folder, its /tmp, and the disk. */
#ifndef ARENA_PLAY_BUILD_ROOM_H
#define ARENA_PLAY_BUILD_ROOM_H

#include <stdint.h>
#include <sys/types.h>

#include "arena/play/tree.h"

struct build_room {
    const char *folder;      /* the caller's */
    struct tree_size enough; /* that folder and /tmp may take */
    int64_t free_bytes;      /* of the disk, when it began */
};

enum build_room_fault {
    BUILD_ROOM_FITS = 0,
    BUILD_ROOM_TOO_LARGE = 1, /* bytes */
    BUILD_ROOM_TOO_MANY = 2,  /* files */
    BUILD_ROOM_TOO_DEEP = 3,  /* folders */
};

/* space_bytes 0: BUILD_SPACE_MIB. */
void build_room_begin(struct build_room *room, const char *folder, int64_t space_bytes);

/*
 * pid is that of its first process, 0 once all are dead. Files that are deleted while they are open
 * are in no folder. They are missing on the disk: where that is almost full, and more is gone than
 * the build may take, it is too large.
 */
enum build_room_fault build_room_look(const struct build_room *room, pid_t pid);

#endif

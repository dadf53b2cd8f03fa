/* The keeper's program, built from keeper.c and carried inside the arena's. */
#ifndef SANDBOX_KEEPER_IMAGE_H
#define SANDBOX_KEEPER_IMAGE_H

/* A sealed memfd with the program, close-on-exec. The caller closes it. Or -errno. */
int keeper_image_open(void);

#endif

/* The sandbox's own little programs, carried inside the arena's. */
#ifndef SANDBOX_PROGRAM_IMAGE_H
#define SANDBOX_PROGRAM_IMAGE_H

/* Sealed memfds with the program, close-on-exec. The caller closes them. Or -errno. */
int program_image_keeper(void);  /* keeper.c */
int program_image_attempt(void); /* attempt.c */

#endif

/* The sandbox's helper programs, embedded in the arena's executable. */
#ifndef SANDBOX_PROGRAM_IMAGE_H
#define SANDBOX_PROGRAM_IMAGE_H

/*
 * Each returns a sealed close-on-exec memfd with the program, which the caller closes, or -errno.
 */
int program_image_keeper(void);  /* keeper.c */
int program_image_attempt(void); /* attempt.c */

#endif

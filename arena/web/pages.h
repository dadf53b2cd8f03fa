/* The pages of the web process: the site's folder, and the page of live games. */
#ifndef ARENA_WEB_PAGES_H
#define ARENA_WEB_PAGES_H

#include <microhttpd.h>

/* Sets the script that tells the page of live games what it must know of boards. */
void pages_set_boards(const char *script);

/*
 * Opens the folder that contains the site. Returns its descriptor, which stays open; or -errno.
 * Without this call, the web process serves only the page of live games.
 */
int pages_open(const char *site);

/* Sends the page at a path, or status 404. */
enum MHD_Result pages_send(struct MHD_Connection *connection, const char *path);

#endif

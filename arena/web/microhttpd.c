/* SPDX-License-Identifier: MIT */
#include "arena/web/microhttpd.h"

struct http_library http;
static const char http_names[] = HTTP_FUNCTIONS(LIBRARY_NAME);

bool http_load(void)
{
    return LIBRARY_LOAD(http, "libmicrohttpd.so.12");
}

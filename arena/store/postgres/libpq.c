#include "arena/store/postgres/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct libpq libpq;

static bool is_whole;

static void load(void)
{
    void *file = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);

    if (!file)
        return;
    is_whole = true;
#define LIBPQ_FIND(name)                                                                           \
    is_whole = (libpq.name = (__typeof__(libpq.name))dlsym(file, #name)) && is_whole;
    LIBPQ_FUNCTIONS(LIBPQ_FIND)
}

bool libpq_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    return is_whole;
}

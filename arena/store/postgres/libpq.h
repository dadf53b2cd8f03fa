/*
 * libpq, loaded when a PostgreSQL store is first opened: it depends on a dozen libraries, and
 * loading them would cost every other command more time than its own work.
 */
#ifndef ARENA_STORE_POSTGRES_LIBPQ_H
#define ARENA_STORE_POSTGRES_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

/* The functions that are used, one per line. */
#define LIBPQ_FUNCTIONS(FUNCTION)                                                                  \
    FUNCTION(PQclear)                                                                              \
    FUNCTION(PQbackendPID)                                                                         \
    FUNCTION(PQcmdStatus)                                                                          \
    FUNCTION(PQcmdTuples)                                                                          \
    FUNCTION(PQconninfoFree)                                                                       \
    FUNCTION(PQconninfoParse)                                                                      \
    FUNCTION(PQconnectPoll)                                                                        \
    FUNCTION(PQconnectStartParams)                                                                 \
    FUNCTION(PQconsumeInput)                                                                       \
    FUNCTION(PQenterPipelineMode)                                                                  \
    FUNCTION(PQerrorMessage)                                                                       \
    FUNCTION(PQexitPipelineMode)                                                                   \
    FUNCTION(PQfinish)                                                                             \
    FUNCTION(PQflush)                                                                              \
    FUNCTION(PQfname)                                                                              \
    FUNCTION(PQfreemem)                                                                            \
    FUNCTION(PQftype)                                                                              \
    FUNCTION(PQgetResult)                                                                          \
    FUNCTION(PQgetisnull)                                                                          \
    FUNCTION(PQgetlength)                                                                          \
    FUNCTION(PQgetvalue)                                                                           \
    FUNCTION(PQisBusy)                                                                             \
    FUNCTION(PQnotifies)                                                                           \
    FUNCTION(PQntuples)                                                                            \
    FUNCTION(PQparameterStatus)                                                                    \
    FUNCTION(PQpipelineSync)                                                                       \
    FUNCTION(PQresultErrorField)                                                                   \
    FUNCTION(PQresultStatus)                                                                       \
    FUNCTION(PQsendQuery)                                                                          \
    FUNCTION(PQsendQueryParams)                                                                    \
    FUNCTION(PQserverVersion)                                                                      \
    FUNCTION(PQsetNoticeProcessor)                                                                 \
    FUNCTION(PQsetnonblocking)                                                                     \
    FUNCTION(PQsocket)                                                                             \
    FUNCTION(PQstatus)

#define LIBPQ_FIELD(name) __typeof__(name) *name;

/* Pointers to the functions, under their own names. */
struct libpq {
    LIBPQ_FUNCTIONS(LIBPQ_FIELD)
};

extern struct libpq libpq;

/*
 * Loads the library, once, from any thread. Returns false if it is not installed or lacks a
 * function.
 */
bool libpq_load(void);

#endif

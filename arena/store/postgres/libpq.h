/*
 * libpq, loaded when a store of PostgreSQL is first opened: it brings a dozen libraries, whose
 * start would cost every other command more time than its own work does.
 */
#ifndef ARENA_STORE_POSTGRES_LIBPQ_H
#define ARENA_STORE_POSTGRES_LIBPQ_H

#include <libpq-fe.h>
#include <stdbool.h>

/* What is called of it, a line a function. */
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
    FUNCTION(PQerrorMessage)                                                                       \
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

/* Its functions by their own names. */
struct libpq {
    LIBPQ_FUNCTIONS(LIBPQ_FIELD)
};

extern struct libpq libpq;

/* Loads it, once, in whichever thread. Returns false when it is not there or lacks a function. */
bool libpq_load(void);

#endif

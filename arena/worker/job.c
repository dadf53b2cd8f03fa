#include "arena/worker/job.h"

#include <stdlib.h>

void job_queue_init(struct job_queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

void job_queue_add(struct job_queue *queue, struct job *job)
{
    job->next = NULL;
    *queue->end = job;
    queue->end = &job->next;
}

struct job *job_queue_find(const struct job_queue *queue, enum job_kind kind)
{
    struct job *job = queue->first;

    while (job && job->kind != kind)
        job = job->next;
    return job;
}

struct job *job_queue_take(struct job_queue *queue)
{
    struct job *job = queue->first;

    if (job && !(queue->first = job->next))
        queue->end = &queue->first;
    return job;
}

void job_queue_put_back(struct job_queue *queue, struct job *job)
{
    job->next = queue->first;
    if (!queue->first)
        queue->end = &job->next;
    queue->first = job;
}

void job_destroy(struct job *job)
{
    result_destroy(job->result);
    free(job->refused);
    free(job->leases);
    free(job);
}

struct job *job_create(enum job_kind kind)
{
    struct job *job = calloc(1, sizeof *job);

    if (job)
        job->kind = kind;
    return job;
}

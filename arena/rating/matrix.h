/*
 * The little linear algebra a rating needs: dense symmetric matrices of doubles,
 * row by row. Sums run in index order, so results are the same bits everywhere.
 */
#ifndef ARENA_RATING_MATRIX_H
#define ARENA_RATING_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Replaces the lower triangle of a positive definite n x n matrix by its Cholesky
 * factor L; the rest is left alone. Returns false, the matrix then being rubbish,
 * if it is not positive definite.
 */
bool matrix_factor(size_t n, double *matrix);

/* Replaces vector b by x of L L^T x = b. */
void matrix_solve(size_t n, const double *factor, double *vector);

/* Writes the inverse of L L^T, both triangles. */
void matrix_invert(size_t n, const double *factor, double *inverse);

/* Writes a b a for symmetric a and b; scratch is n x n as well. No two may be one. */
void matrix_sandwich(size_t n, const double *a, const double *b, double *scratch, double *product);

/*
 * Variances against a mean: the diagonal of M a M^T, M = I - 1 w^T. Weights are 0 or more and sum
 * to 1; 1/n each stands for the mean of all.
 */
void matrix_center_diagonal(size_t n, const double *matrix, const double *weights,
                            double *diagonal);

#endif

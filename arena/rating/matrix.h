/*
 * The linear algebra that ratings need: dense symmetric matrices of doubles, row by row. Sums run
 * in index order, so that results are bit-identical everywhere.
 */
#ifndef ARENA_RATING_MATRIX_H
#define ARENA_RATING_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Replaces the lower triangle of a positive definite n x n matrix with its Cholesky factor L; the
 * rest is unchanged. Returns false if the matrix is not positive definite; its contents are then
 * undefined.
 */
bool matrix_factor(size_t n, double *matrix);

/* Solves L L^T x = b: replaces vector b with x. */
void matrix_solve(size_t n, const double *factor, double *vector);

/* Writes the inverse of L L^T, both triangles. */
void matrix_invert(size_t n, const double *factor, double *inverse);

/* Writes a b a for symmetric a and b; scratch is n x n too. No two arguments may overlap. */
void matrix_sandwich(size_t n, const double *a, const double *b, double *scratch, double *product);

/*
 * Writes the variances of differences from a weighted mean: the diagonal of M a M^T, M = I - 1 w^T.
 * Weights are at least 0 and sum to 1; 1/n each gives the mean of all.
 */
void matrix_center_diagonal(size_t n, const double *matrix, const double *weights,
                            double *diagonal);

#endif

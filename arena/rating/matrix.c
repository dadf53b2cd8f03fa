#include "arena/rating/matrix.h"

#include <math.h>
#include <string.h>

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

bool matrix_factor(size_t n, double *matrix)
{
    for (size_t i = 0; i < n; i++) {
        double *row = matrix + i * n;

        for (size_t j = 0; j < i; j++) {
            const double *above = matrix + j * n;
            row[j] = (row[j] - dot(j, row, above)) / above[j];
        }
        double rest = row[i] - dot(i, row, row);
        if (!(rest > 0))
            return false;
        row[i] = sqrt(rest);
    }
    return true;
}

void matrix_solve(size_t n, const double *factor, double *vector)
{
    for (size_t i = 0; i < n; i++)
        vector[i] = (vector[i] - dot(i, factor + i * n, vector)) / factor[i * n + i];
    for (size_t i = n; i-- > 0;) {
        vector[i] /= factor[i * n + i];
        for (size_t k = 0; k < i; k++)
            vector[k] -= factor[i * n + k] * vector[i];
    }
}

void matrix_invert(size_t n, const double *factor, double *inverse)
{
    /*
     * Going through columns would have a large stride; the inverse is symmetric, so use its rows.
     */
    for (size_t i = 0; i < n; i++) {
        double *row = inverse + i * n;

        memset(row, 0, n * sizeof *row);
        row[i] = 1;
        matrix_solve(n, factor, row);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            inverse[j * n + i] = inverse[i * n + j];
}

/* Writes a b to product; goes through rows of b, never columns. */
static void multiply(size_t n, const double *a, const double *b, double *product)
{
    memset(product, 0, n * n * sizeof *product);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double factor = a[i * n + k];
            const double *from = b + k * n;
            double *to = product + i * n;

            for (size_t j = 0; j < n; j++)
                to[j] += factor * from[j];
        }
}

void matrix_sandwich(size_t n, const double *a, const double *b, double *scratch, double *product)
{
    multiply(n, a, b, scratch);
    multiply(n, scratch, a, product);
}

void matrix_center_diagonal(size_t n, const double *matrix, const double *weights, double *diagonal)
{
    double total = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += weights[j] * matrix[i * n + j];
        diagonal[i] = matrix[i * n + i] - 2 * sum;
        total += weights[i] * sum;
    }
    for (size_t i = 0; i < n; i++) {
        diagonal[i] += total;
        if (diagonal[i] < 0) /* a rounding error where the true value is 0 */
            diagonal[i] = 0;
    }
}

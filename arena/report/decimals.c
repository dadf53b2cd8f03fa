#include "arena/report/decimals.h"

#include <math.h>

double decimals_round(double value, int decimals)
{
    double scale = pow(10, decimals);
    double rounded = round(value * scale) / scale;

    return rounded == 0 ? 0 : rounded;
}

/* SPDX-License-Identifier: MIT */
/*
 * Prints engine/lists.c at build time: lists of frequent actions as words (word.h), which the
 * engine copies at run time instead of computing them. lists.h describes the lists.
 */
#include <stdio.h>

enum {
    HELD = 5,  /* numbers of held tiles of a color that matter for a choice: 0..4 */
    OWN = 23,  /* numbers of held tiles of the color that pays: 0..22 */
    ROWS = 24, /* rows: one for each number of held tiles, and one for paying in the wild color */
    WILDS = 7, /* numbers of held wild tiles that matter for a payment: 0..6 */
    COSTS = 6, /* costs of the spaces of a star: 1..6 */
    SPARE = 4, /* unused words after the last list, because lists_copy reads four at a time */
};

struct place {
    int first, count;
};

/* Where the lists of choices were printed: by held tiles of each of four colors, then by size. */
static struct place choices[HELD][HELD][HELD][HELD][HELD], payments[WILDS][ROWS];
static int printed;

static void print_word(int byte_2, int byte_3, int byte_4, int byte_5, int byte_6)
{
    printf("0x%02x%02x%02x%02x%02x0000,", byte_6, byte_5, byte_4, byte_3, byte_2);
    printed++;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Prints the choices of at most `size` tiles from a, b, c and d tiles of four colors. Returns the
 * place of the list. Counts above `size` give the list of `size`, which the program prints only
 * once.
 */
static struct place print_choices(int size, int a, int b, int c, int d)
{
    struct place place = {.first = printed};

    if (a > size || b > size || c > size || d > size)
        return choices[lesser(a, size)][lesser(b, size)][lesser(c, size)][lesser(d, size)][size];
    for (int i = 0; i <= a; i++)
        for (int j = 0; j <= b; j++)
            for (int k = 0; k <= c; k++)
                for (int l = 0; l <= d; l++)
                    if (i + j + k + l <= size)
                        print_word(0, i, j, k, l);
    place.count = printed - place.first;
    return place;
}

/*
 * True if a hand with `own` tiles of a color and `wilds_held` wild tiles can pay a cost with
 * `wilds` wild tiles.
 */
static int can_pay(int cost, int wilds, int own, int wilds_held)
{
    if (own == OWN)
        return wilds == 0 && cost <= wilds_held;
    return cost - wilds <= own && wilds <= wilds_held;
}

static struct place print_payments(int own, int wilds_held)
{
    struct place place = {.first = printed};

    for (int cost = 1; cost <= COSTS; cost++)
        for (int wilds = 0; wilds < cost; wilds++)
            if (can_pay(cost, wilds, own, wilds_held))
                print_word(cost - 1, 0, wilds, 0, 0);
    place.count = printed - place.first;
    return place;
}

static void print_words(void)
{
    printf("const uint64_t lists_words[] = {\n");
    for (int a = 0; a < HELD; a++)
        for (int b = 0; b < HELD; b++)
            for (int c = 0; c < HELD; c++)
                for (int d = 0; d < HELD; d++)
                    for (int size = 0; size < HELD; size++)
                        choices[a][b][c][d][size] = print_choices(size, a, b, c, d);
    for (int wilds = 0; wilds < WILDS; wilds++)
        for (int own = 0; own < ROWS; own++)
            payments[wilds][own] = print_payments(own, wilds);
    for (int i = 0; i < SPARE; i++)
        print_word(0, 0, 0, 0, 0);
    printf("};\n");
}

/*
 * Returns the payments that print_payments lists as a set: bit n of byte i is a payment of cost i +
 * 1 with n wild tiles.
 */
static unsigned long long ways(int own, int wilds_held)
{
    unsigned long long set = 0;

    for (int cost = 1; cost <= COSTS; cost++)
        for (int wilds = 0; wilds < cost; wilds++)
            if (can_pay(cost, wilds, own, wilds_held))
                set |= 1ull << (8 * (cost - 1) + wilds);
    return set;
}

/*
 * Returns the number of payments in `set` for spaces that are not filled. Bit i of `filled` stands
 * for the space of cost i + 1.
 */
static int count_ways(unsigned long long set, int filled)
{
    int count = 0;

    for (int cost = 1; cost <= COSTS; cost++)
        if (!(filled >> (cost - 1) & 1))
            count += __builtin_popcountll(set >> (8 * (cost - 1)) & 0xff);
    return count;
}

static void print_way_counts(int own, int wilds_held)
{
    for (int filled = 0; filled < 1 << COSTS; filled++)
        printf("%d,%s", count_ways(ways(own, wilds_held), filled), filled % 32 == 31 ? "\n" : " ");
}

/*
 * Prints the number of passes of a hand with a and b tiles of the first two colors; the base-5
 * digits of `rest` are the numbers of tiles of the last four colors.
 */
static void print_pass_count(int a, int b, int rest)
{
    const struct place *lasts = choices[rest / 125][rest / 25 % 5][rest / 5 % 5][rest % 5];
    int count = 0;

    for (int i = 0; i <= a; i++)
        for (int j = 0; j <= b; j++)
            if (i + j < HELD)
                count += lasts[HELD - 1 - i - j].count;
    printf("%d,%s", count, rest % 25 == 24 ? "\n" : " ");
}

static void print_places(const struct place *places, int count)
{
    for (int i = 0; i < count; i++)
        printf("{%d, %d},%s", places[i].first, places[i].count, i % 5 == 4 ? "\n" : " ");
    printf("};\n");
}

int main(void)
{
    printf("#include \"engine/lists.h\"\n\n");
    print_words();
    printf("\nconst struct list lists_of_choices[%d] = {\n", HELD * HELD * HELD * HELD * HELD);
    print_places(&choices[0][0][0][0][0], HELD * HELD * HELD * HELD * HELD);
    printf("\nconst struct list lists_of_payments[%d] = {\n", WILDS * ROWS);
    print_places(&payments[0][0], WILDS * ROWS);
    printf("\nconst uint64_t lists_of_ways[%d] = {\n", WILDS * ROWS);
    for (int i = 0; i < WILDS * ROWS; i++)
        printf("0x%llx,%s", ways(i % ROWS, i / ROWS), i % ROWS == ROWS - 1 ? "\n" : " ");
    printf("};\n\nconst uint8_t lists_of_way_counts[%d][%d] = {\n", WILDS * ROWS, 1 << COSTS);
    for (int i = 0; i < WILDS * ROWS; i++) {
        printf("{");
        print_way_counts(i % ROWS, i / ROWS);
        printf("},\n");
    }
    printf("};\n\nconst uint8_t lists_of_pass_counts[%d] = {\n", 25 * 625);
    for (int i = 0; i < 25 * 625; i++)
        print_pass_count(i / 3125, i / 625 % 5, i % 625);
    printf("};\n");
    return 0;
}

/*
 * Prints engine/lists.c at build time: actions that are listed again and again, as words
 * (word.h), so that listing them is copying. See lists.h for what they are.
 */
#include <stdio.h>

enum {
    HELD = 5,  /* counts of tiles that matter to a choice: 0..4 */
    OWN = 7,   /* to a payment in a color of its own: 0..6 */
    WILDS = 6, /* and in wild tiles: 0..5 */
    SPARE = 3, /* words that copying four at a time may read behind the last list */
};

struct place {
    int first, count;
};

static struct place choices[HELD][HELD][HELD][HELD], payments[OWN][WILDS];
static int printed;

static void print_word(int byte_2, int byte_4, int byte_5, int byte_6)
{
    printf("0x%02x%02x%02x00%02x0000,", byte_6, byte_5, byte_4, byte_2);
    printed++;
}

static struct place print_choices(int size, int a, int b, int c)
{
    struct place place = {.first = printed};

    for (int i = 0; i <= a; i++)
        for (int j = 0; j <= b; j++)
            for (int k = 0; k <= c; k++)
                if (i + j + k <= size)
                    print_word(0, i, j, k);
    place.count = printed - place.first;
    return place;
}

static struct place print_payments(int own, int wilds_held)
{
    struct place place = {.first = printed};

    for (int cost = 1; cost <= 6; cost++)
        for (int wilds = 0; wilds < cost && wilds <= wilds_held; wilds++)
            if (cost - wilds <= own)
                print_word(cost - 1, wilds, 0, 0);
    place.count = printed - place.first;
    return place;
}

int main(void)
{
    printf("#include \"engine/lists.h\"\n\nconst uint64_t lists_words[] = {\n");
    for (int a = 0; a < HELD; a++)
        for (int b = 0; b < HELD; b++)
            for (int c = 0; c < HELD; c++)
                for (int size = 0; size < HELD; size++)
                    choices[a][b][c][size] = print_choices(size, a, b, c);
    for (int own = 0; own < OWN; own++)
        for (int wilds = 0; wilds < WILDS; wilds++)
            payments[own][wilds] = print_payments(own, wilds);
    for (int i = 0; i < SPARE; i++)
        print_word(0, 0, 0, 0);
    printf("};\n\nconst struct list lists_of_choices[5][5][5][5] = {\n");
    for (int i = 0; i < HELD * HELD * HELD * HELD; i++) {
        struct place place = choices[i / 125][i / 25 % 5][i / 5 % 5][i % 5];

        printf("[%d][%d][%d][%d] = {%d, %d},\n", i / 125, i / 25 % 5, i / 5 % 5, i % 5, place.first,
               place.count);
    }
    printf("};\n\nconst struct list lists_of_payments[7][6] = {\n");
    for (int own = 0; own < OWN; own++)
        for (int wilds = 0; wilds < WILDS; wilds++)
            printf("[%d][%d] = {%d, %d},\n", own, wilds, payments[own][wilds].first,
                   payments[own][wilds].count);
    printf("};\n");
    return 0;
}

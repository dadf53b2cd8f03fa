/* The Atom feed of a season: season_feed_write. */
#include <string.h>
#include <time.h>

#include "arena/site/html.h"
#include "arena/site/parts.h"
#include "arena/site/season_index.h"
#include "arena/site/season_page.h"

enum {
    ENTRIES_MAX = 40, /* limit of new bots, and of first forfeits */
};

static void write_moment(FILE *feed, int64_t us)
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm parts;
    char text[32];

    if (gmtime_r(&seconds, &parts) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
        fputs(text, feed);
}

/*
 * id is unique within the season; target is a path in the season's folder, up the relative path to
 * it.
 */
static void write_entry(FILE *feed, const struct season_data *data, const char *id, int64_t us,
                        const char *target, const char *title, const char *up)
{
    fputs("<entry><id>urn:arena:", feed);
    html_format(feed, "%s:%s", data->standings.season.name, id);
    fputs("</id><updated>", feed);
    write_moment(feed, us);
    fputs("</updated><link href=\"", feed);
    html_text(feed, up);
    html_text(feed, target);
    fputs("\"/><title>", feed);
    html_text(feed, title);
    fputs("</title></entry>\n", feed);
}

/* True if an entry has the name, or name is LADDER_NOBODY. */
static bool is_asked(const struct season_data *data, int entry, int name)
{
    return name == LADDER_NOBODY || data_name(data, entry) == name;
}

static void write_bots(FILE *feed, const struct season_data *data, int name)
{
    int count = data->standings.roster.count;

    for (int entry = count; entry-- > 0 && entry >= count - ENTRIES_MAX;) {
        const struct store_bot *bot = data_bot(data, entry);
        char id[64], path[PARTS_PATH_BYTES], title[256];

        if (!is_asked(data, entry, name))
            continue;
        snprintf(id, sizeof id, "admitted:%d", entry);
        parts_bot_path(data, entry, path);
        snprintf(title, sizeof title, "%s %s was admitted", bot->name, bot->version);
        write_entry(feed, data, id, bot->submitted_us, path, title,
                    name == LADDER_NOBODY ? "" : "../");
    }
}

/* Writes the first forfeit of each version. */
static void write_first_forfeits(FILE *feed, const struct season_data *data, int name)
{
    int told = 0;

    for (int entry = data->standings.roster.count; entry-- > 0 && told < ENTRIES_MAX;) {
        size_t first = season_index_first_forfeit(data, entry);
        const struct store_bot *bot = data_bot(data, entry);
        char id[64], path[PARTS_PATH_BYTES], title[256];
        const struct data_game *game;
        int seat = 0;

        if (first == SIZE_MAX || !is_asked(data, entry, name))
            continue;
        game = &data->games[first];
        while (game->entries[seat] != entry || !data_forfeited(game, seat))
            seat++;
        snprintf(id, sizeof id, "forfeit:%d", entry);
        parts_bot_path(data, entry, path);
        snprintf(title, sizeof title, "%s %s forfeited for the first time: %s", bot->name,
                 bot->version, wire_reason_name(game->reasons[seat]));
        write_entry(feed, data, id, game->started_us, path, title,
                    name == LADDER_NOBODY ? "" : "../");
        told++;
    }
}

static void write_leader(FILE *feed, const struct season_data *data, int64_t newest_us)
{
    const struct ladder *ladder = &data->standings.ladders[0];
    char id[64], path[PARTS_PATH_BYTES], title[256];
    const struct store_bot *bot;

    if (data->standings.row_counts[0] == 0 || ladder->rows[0].game_count == 0)
        return;
    bot = data_bot(data, ladder->rows[0].entry);
    snprintf(id, sizeof id, "leader:%d", ladder->rows[0].entry);
    parts_bot_path(data, ladder->rows[0].entry, path);
    snprintf(title, sizeof title, "%s %s leads", bot->name, bot->version);
    write_entry(feed, data, id, newest_us, path, title, "");
}

/* Returns the time of the newest event in the feed, or a later one. */
static int64_t find_newest(const struct season_data *data, int name)
{
    int64_t newest_us = data->standings.season.created_us;

    for (size_t i = 0; i < data->count && name == LADDER_NOBODY; i++)
        if (data->games[i].started_us > newest_us)
            newest_us = data->games[i].started_us;
    for (int entry = 0; entry < data->standings.roster.count; entry++) {
        size_t first = season_index_first_forfeit(data, entry);

        if (!is_asked(data, entry, name))
            continue;
        if (data_bot(data, entry)->submitted_us > newest_us)
            newest_us = data_bot(data, entry)->submitted_us;
        if (first != SIZE_MAX && data->games[first].started_us > newest_us)
            newest_us = data->games[first].started_us;
    }
    return newest_us;
}

void season_feed_write(FILE *feed, const struct season_data *data, int name)
{
    int64_t newest_us = find_newest(data, name);

    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
          "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>urn:arena:",
          feed);
    html_text(feed, data->standings.season.name);
    if (name != LADDER_NOBODY)
        html_format(feed, ":%s", data_bot(data, name)->name);
    fputs("</id><title>Season ", feed);
    html_text(feed, data->standings.season.name);
    if (name != LADDER_NOBODY)
        html_format(feed, ": %s", data_bot(data, name)->name);
    fputs("</title><author><name>arena</name></author><updated>", feed);
    write_moment(feed, newest_us);
    fputs(name == LADDER_NOBODY ? "</updated><link href=\"index.html\"/>\n"
                                : "</updated><link href=\"../index.html\"/>\n",
          feed);
    if (name == LADDER_NOBODY)
        write_leader(feed, data, newest_us);
    write_bots(feed, data, name);
    write_first_forfeits(feed, data, name);
    fputs("</feed>\n", feed);
}

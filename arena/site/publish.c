#include "arena/site/publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena/site/draft.h"
#include "arena/site/page.h"
#include "arena/site/parts.h"
#include "arena/site/viewer.h"

/* What the index shows of a season. */
struct index_row {
    struct store_season season;
    char leader[STORE_NAME_BYTES_MAX + 1];
    int64_t game_count;
};

struct publication {
    struct store *store;
    const struct publish_request *request;
    struct folder folder;
    struct index_row *rows;
    int row_count;
    struct publish_damage damage;
};

/* ---- seasons ---- */

static int add_row(struct publication *publication, const struct season_data *data)
{
    struct index_row *rows =
        realloc(publication->rows, (size_t)(publication->row_count + 1) * sizeof *rows);
    const struct ladder *ladder = &data->standings.ladders[0];
    struct index_row *row;

    if (!rows)
        return -ENOMEM;
    publication->rows = rows;
    row = &rows[publication->row_count++];
    *row = (struct index_row){.season = data->standings.season,
                              .game_count = ladder->games.game_count};
    if (data->standings.row_counts[0] > 0 && row->game_count > 0)
        memcpy(row->leader, data_bot(data, ladder->rows[0].entry)->name, sizeof row->leader);
    return 0;
}

static int put_season(struct publication *publication, const struct store_season *season)
{
    struct folder *folder = &publication->folder;
    struct season_data data;
    int error = season_data_load(&data, publication->store, season, publication->request->cache);

    if (error)
        snprintf(folder->error, sizeof folder->error, "%s",
                 error == -ENOMEM ? "out of memory" : store_failure(publication->store));
    if (!error)
        error = add_row(publication, &data);
    if (!error)
        error = publish_season(folder, &data, publication->request->games, &publication->damage);
    season_data_finish(&data);
    return error;
}

/* ---- the index ---- */

static void write_index(FILE *page, const struct publication *publication)
{
    static const struct page_link links[] = {{NULL, NULL}};

    page_begin(page, "Seasons", links, NULL);
    fputs(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Seasons\">"
        "<table class=\"sorts\"><thead><tr><th scope=\"col\" class=\"left\">season</th>"
        "<th scope=\"col\" class=\"left\">state</th><th scope=\"col\" class=\"left\">leader</th>"
        "<th scope=\"col\" data-down=\"1\">games</th><th scope=\"col\" data-down=\"1\">budget</th>"
        "<th scope=\"col\" data-down=\"1\">created</th></tr></thead><tbody>\n",
        page);
    for (int i = publication->row_count; i-- > 0;) {
        const struct index_row *row = &publication->rows[i];

        fprintf(page,
                "<tr><th scope=\"row\"><a href=\"%s/index.html\">%s</a></th>"
                "<td class=\"left\">%s%s</td><td class=\"left\">",
                row->season.name, row->season.name, row->season.closed_us > 0 ? "closed" : "open",
                row->season.is_practice ? ", practice" : "");
        if (*row->leader)
            fprintf(page, "<a href=\"%s/bot/%s.html\">%s</a>", row->season.name, row->leader,
                    row->leader);
        fprintf(page, "</td><td>%lld</td><td>%lld</td><td>", (long long)row->game_count,
                (long long)row->season.budget_games);
        parts_time(page, row->season.created_us);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
    if (publication->row_count == 0)
        fputs("<p>No season has begun: <code>arena season new NAME</code>.</p>\n", page);
    page_end(page);
}

static int put_index(struct publication *publication)
{
    struct draft draft;
    int error = draft_begin(&draft, &publication->folder);

    if (error)
        return error;
    write_index(draft.stream, publication);
    return draft_put(&draft, &publication->folder, "index.html", 0);
}

/* ---- the whole site ---- */

struct listing {
    struct store_season *seasons;
    int count;
};

static int list_season(void *context, const struct store_season *season)
{
    struct listing *listing = context;
    struct store_season *seasons =
        realloc(listing->seasons, (size_t)(listing->count + 1) * sizeof *seasons);

    if (!seasons)
        return -ENOMEM;
    listing->seasons = seasons;
    listing->seasons[listing->count++] = *season;
    return 0;
}

/* Lists the requested seasons, or all. */
static int list_seasons(struct publication *publication, struct listing *listing)
{
    const struct publish_request *request = publication->request;
    int error = 0;

    if (request->season_count == 0)
        error = store_seasons_each(publication->store, list_season, listing);
    for (int i = 0; i < request->season_count && !error; i++) {
        struct store_season season;

        error = store_season_find(publication->store, request->seasons[i], &season);
        for (int j = 0; j < i && !error; j++)
            if (strcmp(request->seasons[j], request->seasons[i]) == 0)
                goto next;
        if (!error)
            error = list_season(listing, &season);
    next:;
    }
    if (error)
        snprintf(publication->folder.error, sizeof publication->folder.error, "%s",
                 store_failure(publication->store));
    return error;
}

int publish(struct store *store, const struct publish_request *request,
            struct publish_result *result)
{
    struct publication publication = {.store = store, .request = request};
    struct listing listing = {0};
    int error = list_seasons(&publication, &listing);
    bool begun = false;

    *result = (struct publish_result){0};
    if (!error) {
        error = folder_begin(&publication.folder, request->folder, page_form() ^ viewer_form());
        begun = !error;
        if (error) {
            char line[FOLDER_ERROR_BYTES];

            snprintf(line, sizeof line, "%.200s: %.300s", request->folder,
                     publication.folder.error);
            memcpy(publication.folder.error, line, sizeof line);
        }
    }
    for (int i = 0; i < listing.count && !error; i++)
        error = put_season(&publication, &listing.seasons[i]);
    if (!error)
        error = put_index(&publication);
    if (!error)
        error = folder_commit(&publication.folder);
    else if (begun)
        folder_abandon(&publication.folder);
    result->season_count = listing.count;
    result->written_count = publication.folder.written_count;
    result->kept_count = publication.folder.kept_count;
    result->damage = publication.damage;
    memcpy(result->error, publication.folder.error, sizeof result->error);
    free(listing.seasons);
    free(publication.rows);
    return error;
}

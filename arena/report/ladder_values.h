/*
 * What the columns of a ladder show: a getter a column. ladder_columns.c lists them; nothing else
 * includes it.
 */
#ifndef ARENA_REPORT_LADDER_VALUES_H
#define ARENA_REPORT_LADDER_VALUES_H

#include "arena/report/ladder_columns.h"

/* What a getter of several columns is to get, as the column's detail. */
enum ladder_value {
    LADDER_VALUE_BOT_NAME,
    LADDER_VALUE_BOT_VERSION,
    LADDER_VALUE_BOT_AUTHOR,
    LADDER_VALUE_BOT_LANGUAGE,
    LADDER_VALUE_RANK_BEST,
    LADDER_VALUE_RANK_WORST,
    LADDER_VALUE_RATING_FINAL,
    LADDER_VALUE_RATING_ERROR,
    LADDER_VALUE_RATING_LIVE,
    LADDER_VALUE_RATING_CHANGE,
    LADDER_VALUE_RATING_LOS,
    LADDER_VALUE_RATING_OPPONENTS,
    LADDER_VALUE_COUNT_GAMES,
    LADDER_VALUE_COUNT_GROUPS,
    LADDER_VALUE_COUNT_SHARED,
    LADDER_VALUE_TIME_MEAN,
    LADDER_VALUE_TIME_P99,
    LADDER_VALUE_TIME_MAX,
};

column_get_fn ladder_value_rank;
column_get_fn ladder_value_rank_end;
column_get_fn ladder_value_bot;
column_get_fn ladder_value_label;
column_get_fn ladder_value_rating;
column_get_fn ladder_value_count;
column_get_fn ladder_value_score;
column_get_fn ladder_value_place;
column_get_fn ladder_value_time;
column_get_fn ladder_value_forfeit;
column_get_fn ladder_value_forfeits;
column_get_fn ladder_value_provisional;
column_get_fn ladder_value_flags;

column_json_fn ladder_value_places_json;
column_json_fn ladder_value_forfeits_json;
column_json_fn ladder_value_flags_json;
column_json_fn ladder_value_probation_json;

#endif

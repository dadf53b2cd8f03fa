/* Getters for the values of a ladder's columns. For ladder_columns.c only. */
#ifndef ARENA_REPORT_LADDER_VALUES_H
#define ARENA_REPORT_LADDER_VALUES_H

#include "arena/report/ladder_columns.h"

/* Selects the value, in a column's detail, for a getter that serves several columns. */
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

-- SPDX-License-Identifier: MIT
-- Workers on other machines, in PostgreSQL only: the tables, made once, after those of tables.c. What the
-- daemon and workers call is in leases_functions.sql.
--
-- The daemon deals: a row of dealt_group for each group that is to be played, with the seeds of its
-- games. Workers call the functions worker_*, which run with their owner's rights: their own role has
-- none on any table. They claim groups, play, and put what they played into the inbox. The daemon
-- takes the games from the inbox and judges them in C; no function here judges a game.
--
-- A worker that calls these functions in a transaction and leaves the transaction open keeps rows
-- locked: the row of the worker, and rows of dealt_group. So nobody else waits for such a row: a group
-- is dealt again as a new row, and only the newest row of a group, which view `offer` shows, counts.
-- Nor does any function notify: a transaction with a NOTIFY fails if the server's queue is full, which
-- any role can fill. arena/store/sql.c notifies after the transaction, as a hint.
--
-- A worker chooses its identity and its name. So what a worker may take is counted for its role.

CREATE TABLE dealt_season (
    season bigint PRIMARY KEY REFERENCES season (id),
    architecture text NOT NULL); -- of the daemon's machine, on which bots are built

CREATE TABLE dealt_group (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    season bigint NOT NULL,
    number bigint NOT NULL,
    opening bigint NOT NULL,    -- the opening under which the games are played
    due bigint NOT NULL,        -- bit r: the game of rotation r is to be played
    seeds bytea NOT NULL,       -- the seeds of the games: 16 bytes each, by rotation
    worker bigint REFERENCES worker (id), -- the worker that leased the group; NULL: none
    token bigint,               -- token of that lease
    held_from timestamptz,      -- time of the claim or the last renewal, by the server's clock
    held_until timestamptz,
    claimed_at timestamptz,     -- time of the claim
    FOREIGN KEY (season, number) REFERENCES game_group (season, number));
CREATE UNIQUE INDEX dealt_group_number ON dealt_group (season, number, id);
CREATE INDEX dealt_group_free ON dealt_group (season, number) WHERE due <> 0 AND worker IS NULL;
CREATE INDEX dealt_group_held ON dealt_group (worker) WHERE worker IS NOT NULL;
CREATE INDEX dealt_group_played ON dealt_group (season) WHERE due = 0;
CREATE SEQUENCE lease_token;

-- Rows of dealt_group that deal_locked_again found locked although nobody holds them.
CREATE TABLE locked_group (
    id bigint PRIMARY KEY, -- of dealt_group
    season bigint NOT NULL,
    since timestamptz NOT NULL);

CREATE TABLE inbox (
    id bigint GENERATED ALWAYS AS IDENTITY,
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    opening bigint NOT NULL,
    worker bigint NOT NULL REFERENCES worker (id),
    token bigint NOT NULL,
    wall_us bigint NOT NULL,    -- duration of the game, which the replay does not have
    held_us bigint NOT NULL,    -- time from the claim of the group to the delivery
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    replay bytea NOT NULL,
    -- With the token: an uncommitted delivery of another worker is no reason to wait.
    PRIMARY KEY (season, game_group, rotation, token));
CREATE INDEX inbox_order ON inbox (season, id);
CREATE INDEX inbox_worker ON inbox (worker);
ALTER TABLE inbox ALTER COLUMN replay SET STORAGE EXTERNAL;

-- Deliveries that the daemon did not believe. A role with 8 of them gets no more groups.
CREATE TABLE refusal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    role text NOT NULL,
    worker bigint NOT NULL REFERENCES worker (id),
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    words text NOT NULL);
CREATE INDEX refusal_worker ON refusal (worker);
CREATE INDEX refusal_role ON refusal (role);

-- What the daemon stored of each worker, for its metrics: table game would have to be counted.
CREATE TABLE worker_tally (
    worker bigint PRIMARY KEY REFERENCES worker (id) ON DELETE CASCADE,
    games bigint NOT NULL,
    forfeits bigint NOT NULL);

-- Workers that get no more groups, by role and name: those that the daemon set aside (`words` says why),
-- and those that started before an organizer had them drained.
CREATE TABLE worker_order (
    role text NOT NULL,
    name text NOT NULL,
    drains boolean NOT NULL,
    since_us bigint NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (role, name, drains));


SET check_function_bodies = false;

CREATE FUNCTION public.batch_added() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
IF EXISTS (SELECT FROM season WHERE id = NEW.season AND dealt) AND NOT EXISTS (SELECT FROM game_group
WHERE season = NEW.season AND is_open AND lease_until IS NULL) THEN
PERFORM pg_notify('pavilion_work', '');
END IF;
RETURN NULL;
END $$;

CREATE FUNCTION public.game_added() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
g game_group%ROWTYPE;
played integer := 1 << NEW.rotation::integer;
BEGIN
UPDATE game_group SET done = done | played,
lease_worker = CASE WHEN done | played <> (1 << players::integer) - 1 THEN lease_worker END,
lease_until = CASE WHEN done | played <> (1 << players::integer) - 1 THEN lease_until END
WHERE season = NEW.season AND number = NEW.game_group RETURNING * INTO g;
IF NOT g.is_open AND NOT EXISTS (SELECT FROM game_group
WHERE season = g.season AND batch = g.batch AND is_open) THEN
PERFORM pg_notify('pavilion_results', g.season::text);
END IF;
RETURN NULL;
END $$;

CREATE FUNCTION public.game_seed(inner_key bytea, outer_key bytea, game_group integer, rotation integer) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT substring(sha256(outer_key || sha256(inner_key ||
convert_to('group ' || game_group || ' game ' || rotation, 'UTF8'))) FROM 1 FOR 16) $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.game_group (
season bigint NOT NULL,
number integer NOT NULL,
batch integer NOT NULL,
opening integer NOT NULL,
board smallint NOT NULL,
players smallint NOT NULL,
base0 integer NOT NULL,
base1 integer NOT NULL,
base2 integer,
base3 integer,
done integer DEFAULT 0 NOT NULL,
lease_worker bigint,
lease_token bigint DEFAULT 0 NOT NULL,
lease_until timestamp with time zone,
is_open boolean GENERATED ALWAYS AS ((done <> ((1 << (players)::integer) - 1))) STORED
);

CREATE FUNCTION public.group_has_bot(g public.game_group, bots bigint[]) RETURNS boolean
LANGUAGE sql STABLE
AS $$
SELECT cardinality(bots) > 0 AND EXISTS (SELECT FROM entry e WHERE e.season = g.season
AND e.bot = ANY (bots) AND e.number IN (g.base0, g.base1, g.base2, g.base3)) $$;

CREATE FUNCTION public.hmac_pad(key bytea, byte integer) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT string_agg(set_byte('\x00'::bytea, 0,
CASE WHEN i < length(key) THEN get_byte(key, i) # byte ELSE byte END), ''::bytea ORDER BY i)
FROM generate_series(0, 63) AS i $$;

CREATE FUNCTION public.opening_closed() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
PERFORM season_fence(NEW.season);
RETURN NULL;
END $$;

CREATE FUNCTION public.season_fence(of_season bigint) RETURNS void
LANGUAGE sql
AS $$
UPDATE game_group SET lease_worker = NULL, lease_until = NULL, lease_token = lease_token + 1
WHERE season = of_season AND lease_worker IS NOT NULL $$;

CREATE FUNCTION public.void_bots() RETURNS bigint[]
LANGUAGE sql STABLE
AS $$
SELECT ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
WHERE ban.void AND ban.lifted_us IS NULL) $$;

CREATE FUNCTION public.worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET enable_seqscan TO 'off'
SET jit TO 'off'
SET plan_cache_mode TO 'force_generic_plan'
SET lock_timeout TO '10s'
AS $$
DECLARE
me worker%ROWTYPE;
s season%ROWTYPE;
o opening%ROWTYPE;
terms json;
picked integer[];
left_count integer := least(wanted, 64);
taken_count integer;
now_at timestamptz := clock_timestamp();
until_at timestamptz := now_at + least(lease_us, 3600000000) * interval '1 microsecond';
BEGIN
SELECT * INTO me FROM worker WHERE identity = given;
IF NOT FOUND THEN
RETURN NEXT NULL;
RETURN;
END IF;
PERFORM set_config('synchronous_commit', 'off', true);
IF me.seen_us < worker_now_us() - 1000000 OR me.ended_us IS NOT NULL THEN
UPDATE worker SET seen_us = worker_now_us(), ended_us = NULL WHERE id = me.id;
END IF;
refused := refused || void_bots();
FOR s IN SELECT * FROM season WHERE dealt AND closed_us IS NULL AND closing_us IS NULL
AND tier <= me.tier AND (NOT pin OR me.jobs <= me.cores)
AND (processor IS NULL OR processor IN ('', me.processor))
ORDER BY is_practice AND random() > 0.1, random() LOOP
EXIT WHEN left_count <= 0;
SELECT * INTO o FROM opening WHERE season = s.id ORDER BY number DESC LIMIT 1;
CONTINUE WHEN o.closed_us IS NOT NULL;
IF s.processor = '' THEN
UPDATE season SET processor = me.processor WHERE id = s.id AND processor = '';
CONTINUE WHEN NOT FOUND; -- another was first
END IF;
picked := ARRAY(SELECT number FROM game_group WHERE lease_until < now_at AND season = s.id
AND is_open AND (cardinality(refused) = 0 OR NOT group_has_bot(game_group, refused))
LIMIT left_count FOR UPDATE SKIP LOCKED);
IF cardinality(picked) < left_count THEN
picked := picked || ARRAY(SELECT number FROM game_group WHERE season = s.id
AND is_open AND lease_until IS NULL AND (cardinality(refused) = 0 OR NOT group_has_bot(game_group, refused))
ORDER BY number LIMIT left_count - cardinality(picked) FOR UPDATE SKIP LOCKED);
END IF;
CONTINUE WHEN cardinality(picked) = 0;
terms := json_build_object('id', s.id, 'name', s.name, 'players', s.players, 'board', s.board,
'turn_ms', s.turn_ms, 'bank_ms', s.bank_ms, 'gain_ms', s.gain_ms, 'start_ms', s.start_ms,
'budget_games', s.budget_games, 'memory_bytes', s.memory_bytes, 'tier', s.tier,
'freeze', s."freeze", 'pin', s.pin, 'created_us', s.created_us, 'practice', s.is_practice);
RETURN QUERY WITH g AS (UPDATE game_group SET lease_worker = me.id, lease_token = lease_token + 1,
lease_until = until_at WHERE season = s.id AND number = ANY (picked) RETURNING *)
SELECT json_build_object('season', terms, 'group', g.number, 'batch', g.batch,
'chosen', g.opening, 'board', g.board, 'players', g.players, 'token', g.lease_token,
'opening', o.number, 'done', g.done,
'seeds', (SELECT json_agg(CASE WHEN g.done & (1 << r) = 0 THEN
encode(game_seed(o.inner_key, o.outer_key, g.number, r), 'hex') END ORDER BY r)
FROM generate_series(0, g.players - 1) AS r),
'bots', (SELECT json_agg(json_build_object('entry', e.number, 'id', b.id, 'name', b.name,
'version', b.version, 'author', b.author, 'language', b.language, 'sha256', b.sha256,
'built', b.built_sha256) ORDER BY place)
FROM unnest(ARRAY[g.base0, g.base1, g.base2, g.base3]) WITH ORDINALITY AS seat (entry, place)
JOIN entry e ON e.season = g.season AND e.number = seat.entry JOIN bot b ON b.id = e.bot))::text
FROM g;
GET DIAGNOSTICS taken_count = ROW_COUNT;
left_count := left_count - taken_count;
END LOOP;
END $$;

CREATE FUNCTION public.worker_game(given bytea, of_season bigint, of_group bigint, token bigint, of_rotation bigint, of_opening bigint, at_us bigint, took_us bigint, of_layers bigint, decision_count bigint, words text, waited_us bigint, replay_hash bytea, sum bytea, seats text, replay_bytes bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET lock_timeout TO '10s'
AS $$
DECLARE
me bigint;
g game_group%ROWTYPE;
o opening%ROWTYPE;
s season%ROWTYPE;
kept game%ROWTYPE;
BEGIN
SELECT id INTO me FROM worker WHERE identity = given;
SELECT * INTO g FROM game_group WHERE season = of_season AND number = of_group FOR UPDATE;
IF me IS NULL OR g IS NULL OR (of_rotation BETWEEN 0 AND g.players - 1) IS NOT TRUE THEN
RETURN 'unknown';
END IF;
SELECT * INTO kept FROM game
WHERE season = of_season AND game_group = of_group AND rotation = of_rotation;
IF FOUND THEN
RETURN CASE WHEN kept.checksum = sum AND kept.worker = me THEN 'kept' ELSE 'exists' END;
END IF;
SELECT * INTO o FROM opening WHERE season = of_season AND number = of_opening;
IF o IS NULL OR o.closed_us IS NOT NULL THEN
RETURN 'closed';
END IF;
SELECT * INTO s FROM season WHERE id = of_season;
IF g.lease_worker IS DISTINCT FROM me OR g.lease_token IS DISTINCT FROM token OR NOT s.dealt THEN
RETURN 'stale';
END IF;
IF worker_game_is_sound(g, at_us, took_us, of_layers, decision_count, words, waited_us, replay_hash, sum,
seats::json, replay_bytes) IS NOT TRUE THEN
RETURN 'unsound';
END IF;
INSERT INTO game (season, game_group, rotation, opening, seed, started_us, wall_us, layers,
decisions, forfeits, memory_bytes, tier, "freeze", pin, replay_sha256, checksum, worker,
delay_us)
VALUES (of_season, of_group, of_rotation, of_opening,
game_seed(o.inner_key, o.outer_key, g.number, of_rotation::integer), at_us, took_us,
of_layers, decision_count, words, s.memory_bytes, s.tier, s."freeze", s.pin, replay_hash,
sum, me, waited_us);
INSERT INTO seat (season, game_group, rotation, seat, entry, score, rank, reason, decisions, us,
us_max, times, checksum)
SELECT of_season, of_group, of_rotation, x.seat,
(ARRAY[g.base0, g.base1, g.base2, g.base3])[(x.seat + of_rotation) % g.players + 1],
x.score, x.rank, x.reason, x.decisions, x.us, x.us_max, decode(x.times, 'hex'), x.sum
FROM json_to_recordset(seats::json) AS x (seat integer, score smallint, rank smallint,
reason smallint, decisions integer, us bigint, us_max bigint, times text, sum bigint);
INSERT INTO replay (season, game_group, rotation, bytes)
VALUES (of_season, of_group, of_rotation, replay_bytes);
RETURN 'kept';
END $$;

CREATE FUNCTION public.worker_game_is_sound(g public.game_group, at_us bigint, took_us bigint, of_layers bigint, decision_count bigint, words text, waited_us bigint, replay_hash bytea, sum bytea, seats json, replay_bytes bytea) RETURNS boolean
LANGUAGE plpgsql
SET search_path TO 'public', 'pg_temp'
AS $$
BEGIN
RETURN at_us BETWEEN 0 AND 9007199254740992 AND took_us BETWEEN 0 AND 9007199254740992
AND of_layers BETWEEN 0 AND 4294967295 AND decision_count BETWEEN 0 AND 512
AND waited_us BETWEEN 0 AND 9007199254740992 AND octet_length(sum) = 32
AND (words IS NULL OR (octet_length(words) <= 1048576 AND json_typeof(words::json) = 'array'))
AND octet_length(replay_bytes) <= 16777216 AND sha256(replay_bytes) = replay_hash
AND (SELECT count(*) = g.players AND count(DISTINCT x.seat) = g.players AND bool_and(coalesce(
x.seat BETWEEN 0 AND g.players - 1 AND x.score BETWEEN -10000 AND 10000
AND x.rank BETWEEN 1 AND g.players AND x.reason BETWEEN 0 AND 9
AND x.decisions BETWEEN 0 AND 512 AND x.us BETWEEN 0 AND 1000000000000
AND x.us_max BETWEEN 0 AND 1000000000000 AND octet_length(decode(x.times, 'hex')) <= 4096
AND x.sum IS NOT NULL, false))
FROM json_to_recordset(seats) AS x (seat integer, score integer, rank integer, reason integer,
decisions integer, us bigint, us_max bigint, times text, sum bigint));
EXCEPTION WHEN data_exception THEN -- no JSON, no hex, or a number that does not fit
RETURN false;
END $$;

CREATE FUNCTION public.worker_manifest(given bytea, of_bot bigint) RETURNS SETOF text
LANGUAGE sql SECURITY DEFINER
AS $$
SELECT manifest FROM bot WHERE id = of_bot AND worker_plays(given, bot) $$;

CREATE FUNCTION public.worker_now_us() RETURNS bigint
LANGUAGE sql
AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;

CREATE FUNCTION public.worker_package(given bytea, hash text, from_byte bigint, wanted bigint) RETURNS TABLE(whole bigint, part bytea)
LANGUAGE sql SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET lock_timeout TO '10s'
AS $_$
SELECT length(bytes)::bigint, substring(bytes FROM $3::integer + 1 FOR $4::integer) FROM package
WHERE sha256 = hash AND EXISTS (SELECT FROM bot
WHERE (bot.sha256 = hash OR bot.built_sha256 = hash) AND worker_plays(given, bot)) $_$;

CREATE TABLE public.bot (
id bigint NOT NULL,
previous bigint,
name text NOT NULL COLLATE pg_catalog."C",
version text NOT NULL COLLATE pg_catalog."C",
author text NOT NULL COLLATE pg_catalog."C",
language text NOT NULL COLLATE pg_catalog."C",
sha256 text NOT NULL COLLATE pg_catalog."C",
built_sha256 text NOT NULL COLLATE pg_catalog."C",
submitted_us bigint NOT NULL,
retired_us bigint,
manifest text COLLATE pg_catalog."C",
content_sha256 text COLLATE pg_catalog."C",
taken_over boolean DEFAULT false NOT NULL
);

CREATE FUNCTION public.worker_plays(given bytea, of_bot public.bot) RETURNS boolean
LANGUAGE sql
AS $$
SELECT EXISTS (SELECT FROM worker w JOIN game_group g ON g.lease_worker = w.id
JOIN entry e ON e.season = g.season AND e.number IN (g.base0, g.base1, g.base2, g.base3)
WHERE w.identity = given AND e.bot = of_bot.id) $$;

CREATE FUNCTION public.worker_register(given bytea, name text, host text, processor text, architecture text, layers bigint, tier bigint, jobs bigint, cores bigint, playouts_s bigint) RETURNS TABLE(added bigint, at_us bigint)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET lock_timeout TO '10s'
AS $_$
BEGIN
IF (octet_length(given) = 16 AND octet_length($2) BETWEEN 1 AND 64 AND octet_length($3) BETWEEN 1 AND 64
AND octet_length($4) BETWEEN 1 AND 64 AND octet_length($5) BETWEEN 1 AND 64
AND $2 || $3 || $4 || $5 !~ '[\x01-\x1f\x7f]' AND $6 BETWEEN 0 AND 4294967295
AND $7 BETWEEN 0 AND 3 AND $8 BETWEEN 1 AND 1000000000 AND $9 BETWEEN 1 AND 1000000000
AND $10 BETWEEN 0 AND 9007199254740992) IS NOT TRUE THEN
RAISE 'a worker out of range' USING ERRCODE = 'check_violation';
END IF;
RETURN QUERY INSERT INTO worker (identity, name, host, processor, architecture, layers, tier, jobs, cores,
playouts_s, started_us, seen_us)
VALUES ($1, $2, $3, $4, $5, $6, $7::integer, $8::integer, $9::integer, $10, worker_now_us(),
worker_now_us())
ON CONFLICT (identity) DO UPDATE SET seen_us = excluded.seen_us, ended_us = NULL
RETURNING id, started_us;
END $_$;

CREATE FUNCTION public.worker_renew(given bytea, lease_us bigint) RETURNS TABLE(of_season bigint, of_group integer, token bigint, state integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET lock_timeout TO '10s'
AS $$
DECLARE
me bigint;
void bigint[] := void_bots();
BEGIN
PERFORM set_config('synchronous_commit', 'off', true);
UPDATE worker SET seen_us = worker_now_us() WHERE identity = given RETURNING id INTO me;
RETURN QUERY UPDATE game_group SET
lease_until = clock_timestamp() + least(lease_us, 3600000000) * interval '1 microsecond'
FROM season s WHERE lease_worker = me AND s.id = season
RETURNING season, number, lease_token, CASE
WHEN s.closing_us <= worker_now_us() OR group_has_bot(game_group, void) THEN 2
WHEN s.closing_us IS NOT NULL THEN 1 ELSE 0 END;
END $$;

CREATE FUNCTION public.worker_return(given bytea, of_season bigint, of_group bigint, token bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout TO '10s'
AS $$
DECLARE
me bigint;
BEGIN
SELECT id INTO me FROM worker WHERE identity = given;
UPDATE game_group SET lease_worker = NULL, lease_until = NULL WHERE lease_worker = me
AND (of_season IS NULL OR (season = of_season AND number = of_group AND lease_token = token));
IF FOUND THEN
PERFORM pg_notify('pavilion_work', '');
END IF;
IF of_season IS NULL THEN
UPDATE worker SET ended_us = worker_now_us() WHERE id = me;
END IF;
END $$;

CREATE FUNCTION public.workers_told() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
PERFORM pg_notify('pavilion_work', '');
RETURN NULL;
END $$;

CREATE TABLE public.ban (
id bigint NOT NULL,
name text COLLATE pg_catalog."C",
author text COLLATE pg_catalog."C",
void boolean NOT NULL,
banned_us bigint NOT NULL,
lifted_us bigint,
CONSTRAINT ban_check CHECK (((name IS NULL) <> (author IS NULL)))
);

CREATE TABLE public.batch (
season bigint NOT NULL,
number integer NOT NULL,
opening integer NOT NULL,
event bigint NOT NULL,
seating integer NOT NULL
);

CREATE TABLE public.claim (
season text NOT NULL COLLATE pg_catalog."C",
owner text NOT NULL COLLATE pg_catalog."C",
identity text NOT NULL COLLATE pg_catalog."C",
expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.entry (
season bigint NOT NULL,
number integer NOT NULL,
bot bigint NOT NULL,
batch integer NOT NULL
);

CREATE TABLE public.event (
id bigint NOT NULL,
time_us bigint DEFAULT (floor(EXTRACT(epoch FROM clock_timestamp())) * (1000000)::numeric) NOT NULL,
season bigint,
what text NOT NULL COLLATE pg_catalog."C",
about text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.game (
season bigint NOT NULL,
game_group integer NOT NULL,
rotation smallint NOT NULL,
opening integer NOT NULL,
seed bytea,
started_us bigint NOT NULL,
wall_us bigint NOT NULL,
layers bigint NOT NULL,
decisions integer NOT NULL,
forfeits text COLLATE pg_catalog."C",
memory_bytes bigint NOT NULL,
tier smallint NOT NULL,
"freeze" boolean NOT NULL,
pin boolean NOT NULL,
replay_sha256 bytea,
checksum bytea,
worker bigint,
delay_us bigint,
is_pruned boolean DEFAULT false NOT NULL
);

CREATE TABLE public.opening (
season bigint NOT NULL,
number integer NOT NULL,
seed bytea NOT NULL,
commitment text NOT NULL COLLATE pg_catalog."C",
by_hand boolean NOT NULL,
opened_us bigint NOT NULL,
closed_us bigint,
inner_key bytea GENERATED ALWAYS AS (public.hmac_pad(seed, 54)) STORED,
outer_key bytea GENERATED ALWAYS AS (public.hmac_pad(seed, 92)) STORED
);

CREATE TABLE public.package (
sha256 text NOT NULL COLLATE pg_catalog."C",
bytes bytea NOT NULL
);
ALTER TABLE ONLY public.package ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE public.pavilion (
one boolean DEFAULT true NOT NULL,
version integer NOT NULL,
last_event bigint NOT NULL,
CONSTRAINT pavilion_one_check CHECK (one)
);

CREATE TABLE public.replay (
season bigint NOT NULL,
game_group integer NOT NULL,
rotation smallint NOT NULL,
bytes bytea NOT NULL
);

CREATE TABLE public.roster (
season bigint NOT NULL,
name text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.season (
id bigint NOT NULL,
name text NOT NULL COLLATE pg_catalog."C",
players text NOT NULL COLLATE pg_catalog."C",
board smallint NOT NULL,
turn_ms bigint NOT NULL,
bank_ms bigint NOT NULL,
gain_ms bigint NOT NULL,
start_ms bigint NOT NULL,
budget_games bigint NOT NULL,
until_decided boolean NOT NULL,
created_us bigint NOT NULL,
closed_us bigint,
memory_bytes bigint NOT NULL,
tier smallint NOT NULL,
"freeze" boolean NOT NULL,
pin boolean NOT NULL,
authors_free boolean NOT NULL,
closing_us bigint,
processor text COLLATE pg_catalog."C",
dealt boolean DEFAULT false NOT NULL,
keep_games bigint,
is_practice boolean DEFAULT false NOT NULL,
publishes_errors boolean DEFAULT false NOT NULL
);

CREATE TABLE public.seat (
season bigint NOT NULL,
game_group integer NOT NULL,
rotation smallint NOT NULL,
seat smallint NOT NULL,
entry integer NOT NULL,
score smallint NOT NULL,
rank smallint NOT NULL,
reason smallint NOT NULL,
decisions integer NOT NULL,
us bigint NOT NULL,
us_max bigint NOT NULL,
times bytea NOT NULL,
checksum bigint
);

CREATE TABLE public.submission (
id bigint NOT NULL,
name text NOT NULL COLLATE pg_catalog."C",
version text NOT NULL COLLATE pg_catalog."C",
author text NOT NULL COLLATE pg_catalog."C",
sha256 text NOT NULL COLLATE pg_catalog."C",
state smallint NOT NULL,
takes_over boolean NOT NULL,
received_us bigint NOT NULL,
building_us bigint,
checking_us bigint,
ended_us bigint,
bot bigint,
report text COLLATE pg_catalog."C"
);

ALTER TABLE public.submission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
SEQUENCE NAME public.submission_id_seq
START WITH 1
INCREMENT BY 1
NO MINVALUE
NO MAXVALUE
CACHE 1
);

CREATE TABLE public.worker (
id bigint NOT NULL,
name text NOT NULL COLLATE pg_catalog."C",
host text NOT NULL COLLATE pg_catalog."C",
processor text NOT NULL COLLATE pg_catalog."C",
architecture text NOT NULL COLLATE pg_catalog."C",
layers bigint NOT NULL,
tier smallint NOT NULL,
jobs integer NOT NULL,
cores integer NOT NULL,
playouts_s bigint NOT NULL,
started_us bigint NOT NULL,
seen_us bigint NOT NULL,
ended_us bigint,
identity bytea
);

ALTER TABLE public.worker ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
SEQUENCE NAME public.worker_id_seq
START WITH 1
INCREMENT BY 1
NO MINVALUE
NO MAXVALUE
CACHE 1
);

INSERT INTO public.ban VALUES (1, 'second', NULL, true, 1700000006000000, 1700000007000000);

INSERT INTO public.batch VALUES (1, 0, 0, 2, 0);

INSERT INTO public.bot VALUES (1, NULL, 'first', '1', 'Ada', 'C', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 1700000000000000, NULL, '{"name":"first"}', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', false);
INSERT INTO public.bot VALUES (2, NULL, 'second', '1', 'Bob', 'Python', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1700000001000000, 1700000005000000, NULL, NULL, false);
INSERT INTO public.bot VALUES (3, 2, 'second', '2', 'Bob', 'Python', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 1700000002000000, NULL, NULL, NULL, false);

INSERT INTO public.entry VALUES (1, 0, 1, 0);
INSERT INTO public.entry VALUES (1, 1, 3, 0);

INSERT INTO public.event VALUES (1, 1700000001000000, NULL, 'submit', 'first@1');
INSERT INTO public.event VALUES (2, 1700000003000000, 1, 'new', 'budget 100 games');

INSERT INTO public.game VALUES (1, 0, 0, 0, '\x000102030405060708090a0b0c0d0e0f', 1700000004000000, 500, 3, 60, '[null, {"reason": "illegal"}]', 805306368, 1, true, false, NULL, NULL, NULL, NULL, false);
INSERT INTO public.game VALUES (1, 0, 1, 0, '\x000102030405060708090a0b0c0d0e0f', 1700000004000001, 500, 3, 60, NULL, 805306368, 1, true, false, NULL, NULL, NULL, NULL, false);

INSERT INTO public.game_group VALUES (1, 1, 0, 0, 1, 2, 1, 0, NULL, NULL, 0, NULL, 0, NULL, DEFAULT);
INSERT INTO public.game_group VALUES (1, 0, 0, 0, 0, 2, 0, 1, NULL, NULL, 3, NULL, 0, NULL, DEFAULT);

INSERT INTO public.opening VALUES (1, 0, '\x000102030405060708090a0b0c0d0e0f', 'be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991', false, 1700000003000000, 1700000009000000, DEFAULT, DEFAULT);
INSERT INTO public.opening VALUES (1, 1, '\x0f0e0d0c0b0a09080706050403020100', '1f919296baf10802bb9783851d948bf3c048cebcf6bec518db898b2938fc2f20', true, 1700000010000000, NULL, DEFAULT, DEFAULT);

INSERT INTO public.package VALUES ('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '\x676976656e');
INSERT INTO public.package VALUES ('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', '\x6275696c74');

INSERT INTO public.pavilion VALUES (true, 10, 2);

INSERT INTO public.replay VALUES (1, 0, 0, '\x7265706c6179');
INSERT INTO public.replay VALUES (1, 0, 1, '\x7265706c6179');

INSERT INTO public.roster VALUES (1, 'first');

INSERT INTO public.season VALUES (1, 'spring', '2,3', 2, 1000, 10000, 0, 5000, 100, false, 1700000003000000, NULL, 805306368, 1, true, false, false, NULL, NULL, false, NULL, false, false);

INSERT INTO public.seat VALUES (1, 0, 0, 0, 0, 60, 1, 0, 30, 300, 20, '\x0102', NULL);
INSERT INTO public.seat VALUES (1, 0, 0, 1, 1, 50, 2, 4, 30, 300, 20, '\x0102', NULL);
INSERT INTO public.seat VALUES (1, 0, 1, 0, 1, 50, 2, 0, 30, 300, 20, '\x0102', NULL);
INSERT INTO public.seat VALUES (1, 0, 1, 1, 0, 60, 1, 0, 30, 300, 20, '\x0102', NULL);

INSERT INTO public.submission VALUES (1, 'first', '1', 'Ada', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 3, false, 1699999990000000, 1699999991000000, 1699999992000000, 1700000000000000, 1, '{}');

SELECT pg_catalog.setval('public.submission_id_seq', 1, false);

SELECT pg_catalog.setval('public.worker_id_seq', 1, false);

ALTER TABLE ONLY public.ban
ADD CONSTRAINT ban_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.batch
ADD CONSTRAINT batch_pkey PRIMARY KEY (season, number);

ALTER TABLE ONLY public.bot
ADD CONSTRAINT bot_name_version_key UNIQUE (name, version);

ALTER TABLE ONLY public.bot
ADD CONSTRAINT bot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.claim
ADD CONSTRAINT claim_pkey PRIMARY KEY (season);

ALTER TABLE ONLY public.entry
ADD CONSTRAINT entry_pkey PRIMARY KEY (season, number);

ALTER TABLE ONLY public.entry
ADD CONSTRAINT entry_season_bot_key UNIQUE (season, bot);

ALTER TABLE ONLY public.event
ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_pkey PRIMARY KEY (season, number);

ALTER TABLE ONLY public.game
ADD CONSTRAINT game_pkey PRIMARY KEY (season, game_group, rotation);

ALTER TABLE ONLY public.opening
ADD CONSTRAINT opening_pkey PRIMARY KEY (season, number);

ALTER TABLE ONLY public.package
ADD CONSTRAINT package_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY public.pavilion
ADD CONSTRAINT pavilion_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.replay
ADD CONSTRAINT replay_pkey PRIMARY KEY (season, game_group, rotation);

ALTER TABLE ONLY public.roster
ADD CONSTRAINT roster_pkey PRIMARY KEY (season, name);

ALTER TABLE ONLY public.season
ADD CONSTRAINT season_name_key UNIQUE (name);

ALTER TABLE ONLY public.season
ADD CONSTRAINT season_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.seat
ADD CONSTRAINT seat_pkey PRIMARY KEY (season, game_group, rotation, seat);

ALTER TABLE ONLY public.submission
ADD CONSTRAINT submission_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.worker
ADD CONSTRAINT worker_identity_key UNIQUE (identity);

ALTER TABLE ONLY public.worker
ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE INDEX entry_bot ON public.entry USING btree (bot);

CREATE INDEX event_season ON public.event USING btree (season);

CREATE INDEX game_group_free ON public.game_group USING btree (season, number) WHERE (is_open AND (lease_until IS NULL));

CREATE INDEX game_group_holder ON public.game_group USING btree (lease_worker) WHERE (lease_worker IS NOT NULL);

CREATE INDEX game_group_leased ON public.game_group USING btree (lease_until) WHERE (lease_until IS NOT NULL);

CREATE INDEX game_group_open ON public.game_group USING btree (season, batch) WHERE is_open;

CREATE INDEX game_worker ON public.game USING btree (worker);

CREATE INDEX submission_open ON public.submission USING btree (id) WHERE (state < 3);

CREATE TRIGGER ban_changed AFTER INSERT OR UPDATE ON public.ban FOR EACH ROW WHEN (new.void) EXECUTE FUNCTION public.workers_told();

CREATE TRIGGER batch_added AFTER INSERT ON public.batch FOR EACH ROW EXECUTE FUNCTION public.batch_added();

CREATE TRIGGER game_added AFTER INSERT ON public.game FOR EACH ROW EXECUTE FUNCTION public.game_added();

CREATE TRIGGER opening_closed AFTER UPDATE OF closed_us ON public.opening FOR EACH ROW WHEN ((new.closed_us IS NOT NULL)) EXECUTE FUNCTION public.opening_closed();

CREATE TRIGGER season_closing AFTER UPDATE OF closing_us ON public.season FOR EACH ROW WHEN ((new.dealt AND (new.closing_us IS DISTINCT FROM old.closing_us))) EXECUTE FUNCTION public.workers_told();

ALTER TABLE ONLY public.batch
ADD CONSTRAINT batch_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.batch
ADD CONSTRAINT batch_season_opening_fkey FOREIGN KEY (season, opening) REFERENCES public.opening(season, number);

ALTER TABLE ONLY public.bot
ADD CONSTRAINT bot_built_sha256_fkey FOREIGN KEY (built_sha256) REFERENCES public.package(sha256);

ALTER TABLE ONLY public.bot
ADD CONSTRAINT bot_previous_fkey FOREIGN KEY (previous) REFERENCES public.bot(id);

ALTER TABLE ONLY public.bot
ADD CONSTRAINT bot_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.package(sha256);

ALTER TABLE ONLY public.entry
ADD CONSTRAINT entry_bot_fkey FOREIGN KEY (bot) REFERENCES public.bot(id);

ALTER TABLE ONLY public.entry
ADD CONSTRAINT entry_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.event
ADD CONSTRAINT event_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_base0_fkey FOREIGN KEY (season, base0) REFERENCES public.entry(season, number);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_base1_fkey FOREIGN KEY (season, base1) REFERENCES public.entry(season, number);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_base2_fkey FOREIGN KEY (season, base2) REFERENCES public.entry(season, number);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_base3_fkey FOREIGN KEY (season, base3) REFERENCES public.entry(season, number);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.game_group
ADD CONSTRAINT game_group_season_opening_fkey FOREIGN KEY (season, opening) REFERENCES public.opening(season, number);

ALTER TABLE ONLY public.game
ADD CONSTRAINT game_season_game_group_fkey FOREIGN KEY (season, game_group) REFERENCES public.game_group(season, number);

ALTER TABLE ONLY public.game
ADD CONSTRAINT game_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id);

ALTER TABLE ONLY public.opening
ADD CONSTRAINT opening_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.replay
ADD CONSTRAINT replay_season_game_group_rotation_fkey FOREIGN KEY (season, game_group, rotation) REFERENCES public.game(season, game_group, rotation);

ALTER TABLE ONLY public.roster
ADD CONSTRAINT roster_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);

ALTER TABLE ONLY public.seat
ADD CONSTRAINT seat_season_game_group_rotation_fkey FOREIGN KEY (season, game_group, rotation) REFERENCES public.game(season, game_group, rotation);

ALTER TABLE ONLY public.submission
ADD CONSTRAINT submission_bot_fkey FOREIGN KEY (bot) REFERENCES public.bot(id);

ALTER TABLE ONLY public.submission
ADD CONSTRAINT submission_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.package(sha256);

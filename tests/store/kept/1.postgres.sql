-- SPDX-License-Identifier: MIT
--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: deal_locked_again(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.deal_locked_again(of_season bigint) RETURNS TABLE(dealt bigint, suspect text)
    LANGUAGE plpgsql
    AS $$
DECLARE
now_at timestamptz := clock_timestamp();
free bigint[];
locked bigint[];
BEGIN
DELETE FROM dealt_group WHERE id IN (SELECT id FROM dealt_group d WHERE season = of_season
AND NOT EXISTS (SELECT FROM offer WHERE offer.id = d.id) FOR UPDATE SKIP LOCKED);
free := ARRAY(SELECT id FROM offer WHERE season = of_season AND due <> 0
AND (worker IS NULL OR held_until < now_at) FOR SHARE SKIP LOCKED);
locked := ARRAY(SELECT id FROM offer WHERE season = of_season AND due <> 0
AND (worker IS NULL OR held_until < now_at) EXCEPT SELECT unnest(free));
DELETE FROM locked_group WHERE season = of_season AND NOT id = ANY (locked);
INSERT INTO locked_group SELECT unnest(locked), of_season, now_at ON CONFLICT DO NOTHING;
INSERT INTO dealt_group (season, number, opening, due, seeds)
SELECT d.season, number, opening, due, seeds FROM dealt_group d JOIN locked_group USING (id)
WHERE d.season = of_season AND since < now_at - interval '1 minute';
GET DIAGNOSTICS dealt = ROW_COUNT;
suspect := coalesce((SELECT usename FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE relation = 'dealt_group'::regclass AND pid <> pg_backend_pid() AND usename <> current_user
LIMIT 1), '');
RETURN NEXT;
END $$;


--
-- Name: group_has_bot(bigint, bigint, bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.group_has_bot(of_season bigint, of_group bigint, bots bigint[]) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
SELECT EXISTS (SELECT FROM game_group g JOIN entry e ON e.season = g.season
AND e.number IN (g.base0, g.base1, g.base2, g.base3)
WHERE g.season = of_season AND g.number = of_group AND e.bot = ANY (bots)) $$;


--
-- Name: now_us(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.now_us() RETURNS bigint
    LANGUAGE sql
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;


--
-- Name: void_bots(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.void_bots() RETURNS bigint[]
    LANGUAGE sql STABLE
    AS $$
SELECT ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
WHERE ban.void AND ban.lifted_us IS NULL) $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: worker; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.worker (
    id bigint NOT NULL,
    identity bytea,
    role text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    host text NOT NULL COLLATE pg_catalog."C",
    processor text NOT NULL COLLATE pg_catalog."C",
    architecture text NOT NULL COLLATE pg_catalog."C",
    layers bigint NOT NULL,
    tier bigint NOT NULL,
    jobs bigint NOT NULL,
    cores bigint NOT NULL,
    playouts_per_s bigint NOT NULL,
    started_us bigint NOT NULL,
    seen_us bigint NOT NULL,
    ended_us bigint,
    CONSTRAINT worker_architecture_check CHECK (((octet_length(architecture) <= 64) AND (architecture !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT worker_host_check CHECK (((octet_length(host) <= 64) AND (host !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT worker_name_check CHECK (((octet_length(name) <= 64) AND (name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT worker_processor_check CHECK (((octet_length(processor) <= 64) AND (processor !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT worker_role_check CHECK (((octet_length(role) <= 64) AND (role !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT worker_version_check CHECK (((octet_length(version) <= 64) AND (version !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: worker_bar(public.worker, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_bar(w public.worker, of_role text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
RETURN CASE
WHEN (SELECT count(*) FROM refusal r WHERE r.role = of_role) >= 8 THEN 'refused'
WHEN EXISTS (SELECT FROM worker_order o WHERE o.role = w.role AND o.name = w.name AND NOT drains)
THEN 'aside'
WHEN EXISTS (SELECT FROM worker_order o WHERE o.role = w.role AND o.name = w.name AND drains
AND since_us >= w.started_us) THEN 'drained'
WHEN EXISTS (SELECT FROM dealt_season d WHERE d.architecture <> w.architecture) THEN 'foreign' END;
END $$;


--
-- Name: bot; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bot (
    id bigint NOT NULL,
    previous bigint,
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    built_sha256 text NOT NULL COLLATE pg_catalog."C",
    content_sha256 text NOT NULL COLLATE pg_catalog."C",
    submitted_us bigint NOT NULL,
    retired_us bigint,
    taken_over boolean NOT NULL,
    reference boolean NOT NULL,
    too_fast_turn_ms bigint NOT NULL,
    too_fast_bank_ms bigint NOT NULL,
    too_fast_gain_ms bigint NOT NULL,
    too_fast_start_ms bigint NOT NULL,
    manifest text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT bot_author_check CHECK (((octet_length(author) <= 64) AND (author !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT bot_language_check CHECK (((octet_length(language) <= 64) AND (language !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT bot_version_check CHECK (((octet_length(version) <= 64) AND (version !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: season; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.season (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    players text NOT NULL COLLATE pg_catalog."C",
    board bigint NOT NULL,
    turn_ms bigint NOT NULL,
    bank_ms bigint NOT NULL,
    gain_ms bigint NOT NULL,
    start_ms bigint NOT NULL,
    memory_bytes bigint NOT NULL,
    tier bigint NOT NULL,
    "freeze" boolean NOT NULL,
    pin boolean NOT NULL,
    authors_free boolean NOT NULL,
    division text NOT NULL COLLATE pg_catalog."C",
    is_practice boolean NOT NULL,
    publishes_errors boolean NOT NULL,
    prunes boolean NOT NULL,
    keep_games bigint NOT NULL,
    budget_games bigint NOT NULL,
    games_a_day bigint NOT NULL,
    until_decided boolean NOT NULL,
    from_us bigint,
    deadline_us bigint,
    until_us bigint,
    live_delay_s bigint NOT NULL,
    created_us bigint NOT NULL,
    closing_us bigint,
    closed_us bigint,
    decided_us bigint,
    voided_us bigint,
    paused text NOT NULL COLLATE pg_catalog."C",
    league bigint,
    round bigint NOT NULL,
    CONSTRAINT season_division_check CHECK (((octet_length(division) <= 64) AND (division !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: worker_claim(bytea, bigint, bigint, bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[]) RETURNS TABLE(place bigint, number bigint, players bigint, board bigint, token bigint, opening bigint, due bigint, seeds bytea, bot public.bot, terms public.season)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET lock_timeout TO '10s'
    AS $$
#variable_conflict use_column
DECLARE
me worker%ROWTYPE;
s season%ROWTYPE;
o opening%ROWTYPE;
picked bigint[];
left_count bigint;
now_at timestamptz := clock_timestamp();
barred bigint[] := refused[1:4096] || void_bots();
BEGIN
SELECT * INTO me FROM worker w WHERE w.identity = given;
IF NOT FOUND THEN
RAISE 'the store does not know this worker: start the worker again' USING ERRCODE = 'no_data_found';
END IF;
CASE worker_bar(me, session_user::text)
WHEN 'refused' THEN
RAISE 'role % gets no more groups, because too many games of its workers were refused: `arena workers` shows'
' why, `arena workers release %` gives them another try', session_user, me.name USING ERRCODE = 'AR001';
WHEN 'aside' THEN
RAISE 'worker % is set aside: %: mend its machine, then `arena workers release %`', me.name,
(SELECT words FROM worker_order w WHERE w.role = me.role AND w.name = me.name AND NOT drains),
me.name USING ERRCODE = 'AR001';
WHEN 'drained' THEN
RAISE 'the organizer has worker % drained', me.name USING ERRCODE = 'AR002';
WHEN 'foreign' THEN
RAISE 'the bots are built for % on the daemon''s machine, and this machine is %: let another machine play',
(SELECT architecture FROM dealt_season d WHERE d.architecture <> me.architecture LIMIT 1),
me.architecture USING ERRCODE = 'AR001';
ELSE NULL;
END CASE;
PERFORM set_config('synchronous_commit', 'off', true);
IF me.seen_us NOT BETWEEN now_us() - 1000000 AND now_us() OR me.ended_us IS NOT NULL THEN
UPDATE worker w SET seen_us = now_us(), ended_us = NULL WHERE w.id = me.id;
END IF;
left_count := least(wanted, 64, 4096 - (SELECT count(*) FROM worker w JOIN dealt_group d ON d.worker = w.id
WHERE w.role = session_user AND w.seen_us > now_us() - 3700000000)); -- no lease lasts longer unseen
FOR s IN SELECT season.* FROM season JOIN dealt_season d ON d.season = season.id
WHERE closed_us IS NULL AND closing_us IS NULL
AND tier <= me.tier AND (NOT pin OR me.jobs <= me.cores)
ORDER BY is_practice AND random() > 0.1, random() LOOP
EXIT WHEN (left_count > 0) IS NOT TRUE;
SELECT * INTO o FROM opening WHERE season = s.id ORDER BY number DESC LIMIT 1;
CONTINUE WHEN o.closed_us IS NOT NULL;
picked := ARRAY(SELECT id FROM offer WHERE season = s.id AND opening = o.number
AND worker IS NOT NULL AND due <> 0
AND (held_until < now_at OR held_from > now_at + interval '1 minute')
AND (cardinality(barred) = 0 OR NOT group_has_bot(season, number, barred))
LIMIT left_count FOR NO KEY UPDATE SKIP LOCKED);
picked := picked || ARRAY(SELECT id FROM offer WHERE season = s.id
AND opening = o.number AND worker IS NULL AND due <> 0
AND (cardinality(barred) = 0 OR NOT group_has_bot(season, number, barred))
ORDER BY number LIMIT left_count - cardinality(picked) FOR NO KEY UPDATE SKIP LOCKED);
left_count := left_count - cardinality(picked);
CONTINUE WHEN cardinality(picked) = 0;
RETURN QUERY WITH taken AS (UPDATE dealt_group d SET worker = me.id,
token = nextval('lease_token'), held_from = now_at, claimed_at = now_at,
held_until = now_at + least(lease_us, 3600000000) * interval '1 microsecond'
WHERE d.id = ANY (picked) RETURNING d.*)
SELECT seat.place, t.number, g.players, g.board, t.token, t.opening, t.due, t.seeds, b, s
FROM taken t JOIN game_group g ON g.season = t.season AND g.number = t.number
CROSS JOIN unnest(ARRAY[g.base0, g.base1, g.base2, g.base3]) WITH ORDINALITY AS seat (entry, place)
JOIN entry e ON e.season = g.season AND e.number = seat.entry JOIN bot b ON b.id = e.bot
ORDER BY t.number, seat.place;
END LOOP;
END $$;


--
-- Name: worker_deliver(bytea, bigint, bigint, bigint, bigint, bigint, bytea); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_deliver(given bytea, of_season bigint, of_group bigint, of_token bigint, of_rotation bigint, of_wall_us bigint, bytes bytea) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
DECLARE
me bigint;
mask bigint;
is_first boolean;
lease record;
BEGIN
IF (of_rotation BETWEEN 0 AND 3 AND of_wall_us IS NOT NULL AND octet_length(bytes) <= 16777216) IS NOT TRUE THEN
RETURN 'long';
END IF;
IF octet_length(bytes) > 65536 AND (SELECT sum(octet_length(replay)) FROM inbox i
JOIN worker w ON w.id = i.worker WHERE w.role = session_user) > 268435456 THEN
RETURN 'full';
END IF;
PERFORM set_config('synchronous_commit', 'off', true);
SELECT id INTO me FROM worker WHERE identity = given;
mask := 1::bigint << of_rotation::integer;
UPDATE offer d SET due = due & ~mask, worker = CASE WHEN due & ~mask <> 0 THEN worker END
WHERE season = of_season AND number = of_group AND worker = me AND token = of_token AND due & mask <> 0
AND EXISTS (SELECT FROM dealt_season s WHERE s.season = d.season)
AND EXISTS (SELECT FROM opening o WHERE o.season = d.season AND o.number = d.opening
AND o.closed_us IS NULL)
RETURNING opening, claimed_at INTO lease;
IF FOUND THEN
is_first := NOT EXISTS (SELECT FROM inbox WHERE season = of_season);
INSERT INTO inbox (season, game_group, rotation, opening, worker, token, wall_us, held_us, replay)
VALUES (of_season, of_group, of_rotation, lease.opening, me, of_token, of_wall_us,
CASE WHEN clock_timestamp() < lease.claimed_at THEN 1000000000000 -- the clock was set back
ELSE extract(epoch FROM clock_timestamp() - lease.claimed_at) * 1000000 END::bigint, bytes)
ON CONFLICT DO NOTHING;
RETURN CASE WHEN is_first THEN 'first' ELSE 'kept' END;
END IF;
IF EXISTS (SELECT FROM inbox WHERE season = of_season AND game_group = of_group
AND rotation = of_rotation AND worker = me AND token = of_token)
OR EXISTS (SELECT FROM game WHERE season = of_season AND game_group = of_group
AND rotation = of_rotation AND worker = me) THEN
RETURN 'kept';
END IF;
IF EXISTS (SELECT FROM dealt_group d JOIN opening o ON o.season = d.season AND o.number = d.opening
WHERE d.season = of_season AND d.number = of_group AND o.closed_us IS NOT NULL) THEN
RETURN 'closed';
END IF;
RETURN 'stale';
END $$;


--
-- Name: worker_give_back(bytea, bigint, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_give_back(given bytea, of_season bigint, of_group bigint, of_token bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
DECLARE
me bigint;
BEGIN
SELECT id INTO me FROM worker WHERE identity = given;
UPDATE dealt_group SET worker = NULL WHERE worker = me
AND (of_season IS NULL OR (season = of_season AND number = of_group AND token = of_token));
IF of_season IS NULL THEN
UPDATE worker SET ended_us = now_us() WHERE id = me;
END IF;
END $$;


--
-- Name: worker_hello(bytea, text, text, text, text, text, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_hello(given bytea, of_version text, of_name text, of_host text, of_processor text, of_architecture text, of_tier bigint, of_jobs bigint, of_cores bigint, of_playouts_per_s bigint) RETURNS TABLE(worker_id bigint, at_us bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
BEGIN
IF (octet_length(given) = 16 AND octet_length(of_name) BETWEEN 1 AND 64
AND octet_length(of_host) BETWEEN 1 AND 64 AND octet_length(of_processor) BETWEEN 1 AND 64
AND octet_length(of_architecture) BETWEEN 1 AND 64 AND octet_length(of_version) BETWEEN 1 AND 64
AND of_version || of_name || of_host || of_processor || of_architecture
!~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
AND of_tier BETWEEN 0 AND 3 AND of_jobs BETWEEN 1 AND 1000000000
AND of_cores BETWEEN 1 AND 1000000000
AND of_playouts_per_s BETWEEN 0 AND 9007199254740992) IS NOT TRUE THEN
RAISE 'a worker out of range' USING ERRCODE = 'check_violation';
END IF;
DELETE FROM worker WHERE id IN (SELECT id FROM worker w
WHERE role = session_user AND NOT EXISTS (SELECT FROM game WHERE game.worker = w.id)
AND NOT EXISTS (SELECT FROM dealt_group d WHERE d.worker = w.id)
AND NOT EXISTS (SELECT FROM inbox i WHERE i.worker = w.id)
AND NOT EXISTS (SELECT FROM refusal r WHERE r.worker = w.id)
ORDER BY seen_us DESC OFFSET 1000 FOR UPDATE SKIP LOCKED);
RETURN QUERY INSERT INTO worker (identity, role, version, name, host, processor, architecture, layers, tier, jobs,
cores, playouts_per_s, started_us, seen_us)
VALUES (given, session_user, of_version, of_name, of_host, of_processor, of_architecture, 0, of_tier, of_jobs, of_cores,
of_playouts_per_s, now_us(), now_us())
ON CONFLICT (identity) DO UPDATE SET seen_us = excluded.seen_us, ended_us = NULL
RETURNING id, started_us;
END $$;


--
-- Name: worker_package(bytea, text, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_package(given bytea, hash text, from_byte bigint, wanted bigint) RETURNS TABLE(whole bigint, part bytea)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
SELECT length(bytes)::bigint, substring(bytes FROM from_byte::integer + 1 FOR least(wanted, 4194304)::integer)
FROM package WHERE sha256 = hash AND EXISTS (SELECT FROM worker w
JOIN dealt_group d ON d.worker = w.id
JOIN game_group g ON g.season = d.season AND g.number = d.number
JOIN entry e ON e.season = g.season AND e.number IN (g.base0, g.base1, g.base2, g.base3)
JOIN bot ON bot.id = e.bot WHERE w.identity = given AND bot.built_sha256 = hash) $$;


--
-- Name: worker_renew(bytea, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.worker_renew(given bytea, lease_us bigint) RETURNS TABLE(season bigint, number bigint, token bigint, state integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '10s'
    AS $$
#variable_conflict use_column
DECLARE
me bigint;
void bigint[] := void_bots();
now_at timestamptz := clock_timestamp();
BEGIN
PERFORM set_config('synchronous_commit', 'off', true);
UPDATE worker w SET seen_us = now_us() WHERE w.identity = given RETURNING w.id INTO me;
RETURN QUERY UPDATE offer d SET held_from = now_at,
held_until = now_at + least(lease_us, 3600000000) * interval '1 microsecond'
FROM season s JOIN dealt_season ON dealt_season.season = s.id
WHERE d.worker = me AND s.id = d.season AND EXISTS (SELECT FROM opening o
WHERE o.season = d.season AND o.number = d.opening AND o.closed_us IS NULL)
RETURNING d.season, d.number, d.token, CASE
WHEN s.closing_us <= now_us() OR group_has_bot(d.season, d.number, void) THEN 2
WHEN s.closing_us IS NOT NULL THEN 1 ELSE 0 END;
END $$;


--
-- Name: author; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.author (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    student text NOT NULL COLLATE pg_catalog."C",
    created_us bigint NOT NULL,
    erased_us bigint,
    uploads_us bigint NOT NULL,
    is_challenged boolean NOT NULL,
    CONSTRAINT author_name_check CHECK (((octet_length(name) <= 64) AND (name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT author_student_check CHECK (((octet_length(student) <= 64) AND (student !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: ban; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ban (
    id bigint NOT NULL,
    name text COLLATE pg_catalog."C",
    author text COLLATE pg_catalog."C",
    void boolean NOT NULL,
    banned_us bigint NOT NULL,
    lifted_us bigint,
    CONSTRAINT ban_check CHECK (((name IS NULL) <> (author IS NULL)))
);


--
-- Name: batch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.batch (
    season bigint NOT NULL,
    number bigint NOT NULL,
    opening bigint NOT NULL,
    event bigint NOT NULL,
    meeting_sizes bigint NOT NULL
);


--
-- Name: bout; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bout (
    challenge bigint NOT NULL,
    number bigint NOT NULL,
    bytes bytea NOT NULL
);


--
-- Name: challenge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.challenge (
    id bigint NOT NULL,
    bot bigint NOT NULL,
    opponent bigint NOT NULL,
    wanted bigint NOT NULL,
    attempts bigint NOT NULL,
    state bigint NOT NULL,
    by_organizer boolean NOT NULL,
    created_us bigint NOT NULL,
    ended_us bigint,
    reason text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: claim; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.claim (
    season text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    identity text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: dealt_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.dealt_group (
    id bigint NOT NULL,
    season bigint NOT NULL,
    number bigint NOT NULL,
    opening bigint NOT NULL,
    due bigint NOT NULL,
    seeds bytea NOT NULL,
    worker bigint,
    token bigint,
    held_from timestamp with time zone,
    held_until timestamp with time zone,
    claimed_at timestamp with time zone
);


--
-- Name: dealt_group_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.dealt_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dealt_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: dealt_season; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.dealt_season (
    season bigint NOT NULL,
    architecture text NOT NULL
);


--
-- Name: entry; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.entry (
    season bigint NOT NULL,
    number bigint NOT NULL,
    bot bigint NOT NULL,
    batch bigint NOT NULL
);


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    id bigint NOT NULL,
    time_us bigint NOT NULL,
    season bigint,
    of_account boolean NOT NULL,
    what text NOT NULL COLLATE pg_catalog."C",
    about text NOT NULL COLLATE pg_catalog."C",
    who text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: game; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game (
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    seats bytea NOT NULL,
    started_us bigint NOT NULL,
    is_pruned boolean NOT NULL,
    checksum bytea NOT NULL,
    forfeits text COLLATE pg_catalog."C",
    opening bigint NOT NULL,
    seed bytea NOT NULL,
    wall_us bigint NOT NULL,
    decisions bigint NOT NULL,
    worker bigint,
    delay_us bigint NOT NULL,
    replay_sha256 bytea NOT NULL,
    layers bigint NOT NULL,
    memory_bytes bigint NOT NULL,
    tier bigint NOT NULL,
    "freeze" boolean NOT NULL,
    pin boolean NOT NULL,
    machine text COLLATE pg_catalog."C"
);


--
-- Name: game_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.game_group (
    season bigint NOT NULL,
    number bigint NOT NULL,
    batch bigint NOT NULL,
    opening bigint NOT NULL,
    board bigint NOT NULL,
    players bigint NOT NULL,
    base0 bigint NOT NULL,
    base1 bigint NOT NULL,
    base2 bigint,
    base3 bigint
);


--
-- Name: inbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inbox (
    id bigint NOT NULL,
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    opening bigint NOT NULL,
    worker bigint NOT NULL,
    token bigint NOT NULL,
    wall_us bigint NOT NULL,
    held_us bigint NOT NULL,
    received_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    replay bytea NOT NULL
);
ALTER TABLE ONLY public.inbox ALTER COLUMN replay SET STORAGE EXTERNAL;


--
-- Name: inbox_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.inbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: league; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.league (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    divisions text NOT NULL COLLATE pg_catalog."C",
    places bigint NOT NULL,
    promoted bigint NOT NULL,
    created_us bigint NOT NULL,
    CONSTRAINT league_divisions_check CHECK (((octet_length(divisions) <= 64) AND (divisions !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: lease_token; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.lease_token
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: locked_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.locked_group (
    id bigint NOT NULL,
    season bigint NOT NULL,
    since timestamp with time zone NOT NULL
);


--
-- Name: offer; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.offer AS
 SELECT d.id,
    d.season,
    d.number,
    d.opening,
    d.due,
    d.seeds,
    d.worker,
    d.token,
    d.held_from,
    d.held_until,
    d.claimed_at
   FROM public.dealt_group d
  WHERE (NOT (EXISTS ( SELECT
           FROM public.dealt_group newer
          WHERE ((newer.season = d.season) AND (newer.number = d.number) AND (newer.id > d.id)))));


--
-- Name: opening; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.opening (
    season bigint NOT NULL,
    number bigint NOT NULL,
    seed bytea NOT NULL,
    commitment text NOT NULL COLLATE pg_catalog."C",
    by_hand boolean NOT NULL,
    copied boolean NOT NULL,
    opened_us bigint NOT NULL,
    closed_us bigint
);


--
-- Name: package; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.package (
    sha256 text NOT NULL COLLATE pg_catalog."C",
    bytes bytea NOT NULL
);
ALTER TABLE ONLY public.package ALTER COLUMN bytes SET STORAGE EXTERNAL;


--
-- Name: pavilion; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pavilion (
    version bigint NOT NULL,
    last_event bigint NOT NULL
);


--
-- Name: refusal; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.refusal (
    id bigint NOT NULL,
    role text NOT NULL,
    worker bigint NOT NULL,
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    words text NOT NULL
);


--
-- Name: refusal_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.refusal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refusal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: replay; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replay (
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    bytes bytea NOT NULL
);


--
-- Name: roster; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.roster (
    season bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: submission; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.submission (
    id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    version text NOT NULL COLLATE pg_catalog."C",
    author text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    state bigint NOT NULL,
    takes_over boolean NOT NULL,
    reference boolean NOT NULL,
    check_only boolean NOT NULL,
    received_us bigint NOT NULL,
    building_us bigint,
    checking_us bigint,
    ended_us bigint,
    failures bigint NOT NULL,
    since_us bigint,
    retry_us bigint,
    alone boolean NOT NULL,
    bot bigint,
    report text COLLATE pg_catalog."C",
    CONSTRAINT submission_author_check CHECK (((octet_length(author) <= 64) AND (author !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text))),
    CONSTRAINT submission_version_check CHECK (((octet_length(version) <= 64) AND (version !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'::text)))
);


--
-- Name: token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.token (
    sha256 text NOT NULL COLLATE pg_catalog."C",
    author bigint NOT NULL,
    scope bigint NOT NULL,
    created_us bigint NOT NULL,
    used_us bigint,
    expires_us bigint,
    revoked_us bigint
);


--
-- Name: worker_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.worker ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.worker_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: worker_order; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.worker_order (
    role text NOT NULL,
    name text NOT NULL,
    drains boolean NOT NULL,
    since_us bigint NOT NULL,
    words text NOT NULL
);


--
-- Name: worker_tally; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.worker_tally (
    worker bigint NOT NULL,
    games bigint NOT NULL,
    forfeits bigint NOT NULL
);


--
-- Data for Name: author; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.author (id, name, key, student, created_us, erased_us, uploads_us, is_challenged) FROM stdin;
1	ada	fdee430d40bd57deeac186cd9790033d0f06f909a8806e7ce6e717ab7c7d5029	s-1	1795929794352878	\N	0	f
\.


--
-- Data for Name: ban; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ban (id, name, author, void, banned_us, lifted_us) FROM stdin;
1	third	\N	f	1795929798451341	\N
\.


--
-- Data for Name: batch; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.batch (season, number, opening, event, meeting_sizes) FROM stdin;
1	0	0	8	12
\.


--
-- Data for Name: bot; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bot (id, previous, name, version, author, language, sha256, built_sha256, content_sha256, submitted_us, retired_us, taken_over, reference, too_fast_turn_ms, too_fast_bank_ms, too_fast_gain_ms, too_fast_start_ms, manifest) FROM stdin;
1	\N	perl	1	ada	Perl	c5a2a5c4a63c8e0d3b7768dda71ba8656a2a0b7b0265596eea1b95f4711a6da9	c5a2a5c4a63c8e0d3b7768dda71ba8656a2a0b7b0265596eea1b95f4711a6da9	3f8c47a4930751a349530d42c87fe00a0683ef3bfa65d5d9dd0f79bf1e81efb3	1795929794682102	\N	f	f	0	0	0	0	{"name": "perl", "version": "1", "author": "ada", "language": "Perl", "run": ["perl", "greedy.pl"]}
2	\N	lua	1	bob	Lua	65ae086b0b1c09abc120b3e29784f6cce47dcf31039b596aaa4fc7b3358e64f7	65ae086b0b1c09abc120b3e29784f6cce47dcf31039b596aaa4fc7b3358e64f7	27db097234d17f7e3075a7c327b0cec0305f951af6e47b4c295b166fe1bf51d7	1795929795141114	\N	f	t	0	0	0	0	{"name": "lua", "version": "1", "author": "bob", "language": "Lua", "run": ["lua5.4", "random.lua"]}
3	\N	third	1	eve	Lua	99348b784cf66b294c307e87240673e186587f1ecdab3a52c72d7c13a55bf351	99348b784cf66b294c307e87240673e186587f1ecdab3a52c72d7c13a55bf351	27db097234d17f7e3075a7c327b0cec0305f951af6e47b4c295b166fe1bf51d7	1795929795567069	\N	f	f	0	0	0	0	{"name": "third", "version": "1", "author": "eve", "language": "Lua", "run": ["lua5.4", "random.lua"]}
4	\N	fourth	1	fay	Lua	d7d9bd97d842aaf92740e46a3c9975946b835d276ccba94956cd8d6a44b36856	d7d9bd97d842aaf92740e46a3c9975946b835d276ccba94956cd8d6a44b36856	27db097234d17f7e3075a7c327b0cec0305f951af6e47b4c295b166fe1bf51d7	1795929795825918	\N	f	f	0	0	0	0	{"name": "fourth", "version": "1", "author": "fay", "language": "Lua", "run": ["lua5.4", "random.lua"]}
5	\N	fifth	1	guy	Lua	8daeb4dbae4f0675c411f3a641e380b13a95bc12ac4a4eedc38f1fa8ae6b65a4	8daeb4dbae4f0675c411f3a641e380b13a95bc12ac4a4eedc38f1fa8ae6b65a4	27db097234d17f7e3075a7c327b0cec0305f951af6e47b4c295b166fe1bf51d7	1795929796051464	\N	f	f	0	0	0	0	{"name": "fifth", "version": "1", "author": "guy", "language": "Lua", "run": ["lua5.4", "random.lua"]}
\.


--
-- Data for Name: bout; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bout (challenge, number, bytes) FROM stdin;
\.


--
-- Data for Name: challenge; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.challenge (id, bot, opponent, wanted, attempts, state, by_organizer, created_us, ended_us, reason) FROM stdin;
1	1	2	1	0	0	t	1795929798556167	\N	
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.claim (season, owner, identity, expires_at) FROM stdin;
\.


--
-- Data for Name: dealt_group; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.dealt_group (id, season, number, opening, due, seeds, worker, token, held_from, held_until, claimed_at) FROM stdin;
\.


--
-- Data for Name: dealt_season; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.dealt_season (season, architecture) FROM stdin;
\.


--
-- Data for Name: entry; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.entry (season, number, bot, batch) FROM stdin;
1	0	1	0
1	1	2	0
1	2	3	0
1	3	4	0
1	4	5	0
\.


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.event (id, time_us, season, of_account, what, about, who) FROM stdin;
1	1795929794363175	\N	t	author-new	author ada	someone@somewhere
2	1795929794504044	\N	t	author-token	author ada	someone@somewhere
3	1795929794843996	\N	f	submit	perl@1	someone@somewhere
4	1795929795300960	\N	f	submit	lua@1	someone@somewhere
5	1795929795683224	\N	f	submit	third@1	someone@somewhere
6	1795929795911475	\N	f	submit	fourth@1	someone@somewhere
7	1795929796141549	\N	f	submit	fifth@1	someone@somewhere
8	1795929796359874	1	f	new	budget 12 games	someone@somewhere
9	1795929797497750	1	f	closing		someone@somewhere
10	1795929797502979	1	f	close		someone@somewhere
11	1795929797606220	1	f	reopen	budget 18 games	someone@somewhere
12	1795929797706748	1	f	roster	only perl,lua	someone@somewhere
13	1795929798334359	\N	f	league	cup: a,b	someone@somewhere
14	1795929798337485	2	f	new	budget 4 games	someone@somewhere
15	1795929798340726	2	f	roster	only lua,perl,third	someone@somewhere
16	1795929798341703	3	f	new	budget 4 games	someone@somewhere
17	1795929798344200	3	f	roster	only lua,fourth,fifth	someone@somewhere
18	1795929798453587	\N	f	ban	third	someone@somewhere
19	1795929798662106	1	f	closing		someone@somewhere
20	1795929798667078	1	f	close		someone@somewhere
\.


--
-- Data for Name: game; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game (season, game_group, rotation, seats, started_us, is_pruned, checksum, forfeits, opening, seed, wall_us, decisions, worker, delay_us, replay_sha256, layers, memory_bytes, tier, "freeze", pin, machine) FROM stdin;
1	0	0	\\x010022000200196200000000000072040000000000002e00000318010c0104010402010101040106010c0105010901020102010201030103010301030101020201010201010103002a000100514400000000000002030000000000002e0000030c010d0101010201090105010102020501040103010701090105010301010102010101010102010201020201	1795929797000000	f	\\x9ce635919786968f7c109d8d6e9777c544bfc0b1237a60d6076036bb90af26e2	\N	0	\\xc065331561241c23da7c89ad7d32e32f	73725	128	\N	6644	\\x3ae63a1c8420b647279cd18eb82aa4d1bcccf3d8fef3a448299dd1185b3d5b96	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":21249,"cpu_us":[23823,17826],"waited_us":[7977,11269]}
1	0	1	\\x030027000200445c000000000000bc030000000000002600000113011501030204080108010b010401020105010102040103010101030103010101010101010031000100dd520000000000002303000000000000260000020e0114020b03010301050106010801070106010301050103010101020102010101010101	1795929797000000	f	\\x1a07b2dde1899e7f39aba0ec86138127bfd8989058e9df783b7820d91414b675	\N	0	\\x3e314389e5ca3b1da893774606b23714	75921	123	\N	5042	\\x11ba83f738e87def89e23faeee5c8503febc3f6aa30ddf41edce2efd2fa3883e	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":16885,"cpu_us":[21166,19695],"waited_us":[6686,6627]}
1	1	0	\\x00004f000100d06a000000000000110c0000000000002e0028030103010201020102010301020105010701070108010101050102010101030105010203010301010101010b01010020000200636f000000000000410400000000000028001701160102010102010601050106010401030103010101020109010301010101010201010101010302001b0003008360000000000000d30400000000000020002401090102010103010501050105010501040203010601040104020202020301	1795929796000000	f	\\xb17e546ac1441b371afec3eb271d6912fea271992aaa347cb0bd7b02397a4e26	\N	0	\\xf17560fdb3c4d8f58a70591a04251328	143494	176	\N	7009	\\xf271ed2afdbffa356552aa10b8c62b9b6360612f681183a359dad65e44146874	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":80257,"cpu_us":[20545,23418,20564],"waited_us":[40855,45470,46443]}
1	1	1	\\x0100250002004643000000000000f5030000000000002200000b1101110101010c0101040106010a010301020103010201030102010203020301020021000300bf5d000000000000d2030000000000001a003002010901090106010701020104010201040105010304010101000054000100cc57000000000000d70d000000000000280022010705010501020104010601070104010a01040102010101030102010101010101010502011201	1795929796000000	f	\\xe35b8d9ebafe0813a136d2467946b7c292a6e12dd79529efedc3694ccc4affe6	\N	0	\\x7a2f86ef25e7d21bc91d7ee49a756048	127991	176	\N	9939	\\x796af5a0102ab1cb1857781ff6c74efe8d2ba73cb2680745487127f54fbfbe2a	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":29681,"cpu_us":[22801,21754,20972],"waited_us":[12304,7198,7178]}
1	1	2	\\x02001e0003002b54000000000000540300000000000018003002010d010d010501020104010301010105020201010202000058000100045100000000000093080000000000002e000001070115010d040107010801090108010501060103010101010103010401010102010101020101010102010c01010028000200475100000000000023030000000000001c0010011f0101070107010a010a01040105010201010104010102010101	1795929797000000	f	\\xb582def402b37d0877fb92b4cc0fc078fb8a82259706bdc4b5be89a7b6b4d03f	\N	0	\\xde84e8996ededa695a9a1a9db673a79b	113412	180	\N	4260	\\xc58a4af5a521bbefdbfe489234777d747562e93f16849e1576cd602fcd88d19e	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":24747,"cpu_us":[21500,20718,20765],"waited_us":[2873,2367,3189]}
1	2	0	\\x000056000100d63400000000000090090000000000003a00001512010d0101010104010201010102010401060102010601020103010401010101010201010103010101020101020201010201010102010e0102002d000200c858000000000000260300000000000022002a010201020201050108010a010a0106010401040103010101020101010101020101	1795929798000000	f	\\x896c281e072832de752fd13740928df38d98107524a4767b074d393c79aad043	\N	1	\\xf917c06f7ddd47226749df74eb7d3adb	79202	141	\N	6044	\\x3c139edb3995c884566cd076f5b54f56e258ab35ca587183e21bc6021a899c2b	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":30295,"cpu_us":[17628,21085],"waited_us":[17293,2726]}
1	2	1	\\x0200220002003343000000000000e802000000000000300000010d010301010107011101010301020101010401040104010601050102010301020104010201010103010201010101000063000100ac4a00000000000089080000000000003600000221010101010101030103010501070107010301030107010201060102010201030103030201030101020101010201030107010301	1795929798000000	f	\\xf150f8b97a23b04bb9fc10ea6267b84321fc9b3c009633fc7d47641e259874ff	\N	1	\\x2ecf1a3e1b0184989cb15fca4044353f	73633	129	\N	4613	\\x9e5ad69da41543466407833ba48b4e3e4d83970bf492ade094c5539050dba264	1048575	805306368	1	t	f	{"cores":2,"load":0.78,"games":1,"pressed_us":14813,"cpu_us":[17509,18216],"waited_us":[3616,5531]}
\.


--
-- Data for Name: game_group; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.game_group (season, number, batch, opening, board, players, base0, base1, base2, base3) FROM stdin;
1	0	0	0	0	2	1	3	\N	\N
1	1	0	0	0	3	0	1	2	\N
1	2	0	0	0	2	0	2	\N	\N
1	3	0	0	0	3	1	4	3	\N
1	4	0	0	0	2	4	3	\N	\N
\.


--
-- Data for Name: inbox; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.inbox (id, season, game_group, rotation, opening, worker, token, wall_us, held_us, received_at, replay) FROM stdin;
\.


--
-- Data for Name: league; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.league (id, name, divisions, places, promoted, created_us) FROM stdin;
1	cup	a,b	2	0	1795929798331122
\.


--
-- Data for Name: locked_group; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.locked_group (id, season, since) FROM stdin;
\.


--
-- Data for Name: opening; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.opening (season, number, seed, commitment, by_hand, copied, opened_us, closed_us) FROM stdin;
1	0	\\xf698058d2a169e23dc934d9f2f3317da	c3b82acd9ee8884a83ef6f69a3886867ce65a8a6c53f37b0d2d4b17089ed111b	f	f	1795929796358468	1795929797502473
1	1	\\x40663f10b8ec703c095652356ead10b3	e55a550ad82e23a53656cac40ef3e7e0917a46688f12aa03301fe2be5cef5aaa	f	f	1795929797605248	1795929798666708
2	0	\\x27f55ae80e25ace10489790f28cef99e	59dab462e241383767c5098240bb61cb8c3c81cf5d153426f9486f8ec5d2d2c3	f	t	1795929798336596	\N
3	0	\\x9ea355ea19529f49f616f8c62f8fc9e7	8cd3a8420f075e3c6d43e2eaf3a5f8ea54864b46eadf270c6178361d34501101	f	t	1795929798341653	\N
\.


--
-- Data for Name: package; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.package (sha256, bytes) FROM stdin;
5670fe6fdad0964487676c5796e3676c317ce4bbcaef184de092bfa4c0e4011d	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031353120303030303030303030303020303130363431002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a20227468697264222c202276657273696f6e223a20226e657874222c2022617574686f72223a2022657665222c20226c616e6775616765223a20224c7561222c202272756e223a205b226c7561352e34222c202272616e646f6d2e6c7561225d7d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000072616e646f6d2e6c7561000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303332333220303030303030303030303020303131313530002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d2d20535044582d4c6963656e73652d4964656e7469666965723a204d49540a2d2d20506c61636573206279206368616e6365207768696c652069742063616e20706c6163652c20656c736520646f657320616e797468696e67206279206368616e63652e0a2d2d204e65656473206c75612d6d6573736167657061636b2c2077686963682044656269616e20696e7374616c6c7320666f72206f746865722076657273696f6e73206f66204c75612061732077656c6c2e0a7061636b6167652e70617468203d207061636b6167652e70617468202e2e20223b2f7573722f73686172652f6c75612f352e332f3f2e6c7561220a6c6f63616c204d6573736167655061636b203d207265717569726520224d6573736167655061636b220a0a2d2d2073706c69746d697836342c2073656564656420627920746865206172656e613a207468652073616d652063686f6963657320696e20612072652d72756e2e0a6c6f63616c2072616e646f6d203d207b7374617465203d20307d0a0a66756e6374696f6e2072616e646f6d2e62656c6f7728636f756e74290a2020202072616e646f6d2e7374617465203d2072616e646f6d2e7374617465202b203078396533373739623937663461376331350a202020206c6f63616c2062697473203d2072616e646f6d2e73746174650a2020202062697473203d202862697473207e202862697473203e3e2033302929202a203078626635383437366431636534653562390a2020202062697473203d202862697473207e202862697473203e3e2032372929202a203078393464303439626231333331313165620a2020202062697473203d2062697473207e202862697473203e3e203331290a2020202072657475726e20282862697473203e3e20333229202a20636f756e7429203e3e2033320a656e640a0a2d2d20416e20696e64657820696e746f20616374696f6e732c20636f756e7465642066726f6d20302061732074686520776972652077616e74732069742e0a6c6f63616c2066756e6374696f6e2063686f6f736528616374696f6e73290a202020206c6f63616c2066697273742c20636f756e74203d20302c20300a20202020666f7220692c20616374696f6e20696e2069706169727328616374696f6e732920646f0a2020202020202020696620616374696f6e5b315d203d3d2022706c61636522207468656e0a202020202020202020202020696620636f756e74203d3d2030207468656e206669727374203d2069202d203120656e640a202020202020202020202020636f756e74203d20636f756e74202b20310a2020202020202020656e640a20202020656e640a20202020696620636f756e74203d3d2030207468656e20636f756e74203d2023616374696f6e7320656e640a2020202072657475726e206669727374202b2072616e646f6d2e62656c6f7728636f756e74290a656e640a0a6c6f63616c2066756e6374696f6e2073656e64286d657373616765290a20202020696f2e7374646f75743a7772697465284d6573736167655061636b2e7061636b286d65737361676529290a20202020696f2e7374646f75743a666c75736828290a656e640a0a2d2d2054686520756e7061636b65722061736b7320666f72206f6e65206279746520617420612074696d652c20736f2074686174206974206e6576657220776169747320666f72206d6f7265207468616e2061206d6573736167653b0a2d2d2074686520627566666572206f6620696f2e737464696e206d616b657320746861742063686561702e0a6c6f63616c2066756e6374696f6e20726561645f6279746528290a2020202072657475726e20696f2e737464696e3a726561642831290a656e640a0a666f72205f2c206d65737361676520696e204d6573736167655061636b2e756e7061636b657228726561645f627974652920646f0a202020206966206d6573736167652e74797065203d3d202268656c6c6f22207468656e0a202020202020202072616e646f6d2e7374617465203d206d6573736167652e736565640a202020202020202073656e64207b74797065203d20227265616479222c206e616d65203d202272616e646f6d2d6c7561222c2076657273696f6e203d202231227d0a20202020656c73656966206d6573736167652e74797065203d3d20227475726e22207468656e0a202020202020202073656e64207b74797065203d2022616374222c207475726e203d206d6573736167652e7475726e2c20616374696f6e203d2063686f6f7365286d6573736167652e616374696f6e73297d0a20202020656e640a656e640a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
65ae086b0b1c09abc120b3e29784f6cce47dcf31039b596aaa4fc7b3358e64f7	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031343420303030303030303030303020303130363433002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a20226c7561222c202276657273696f6e223a202231222c2022617574686f72223a2022626f62222c20226c616e6775616765223a20224c7561222c202272756e223a205b226c7561352e34222c202272616e646f6d2e6c7561225d7d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000072616e646f6d2e6c7561000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303332333220303030303030303030303020303131313530002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d2d20535044582d4c6963656e73652d4964656e7469666965723a204d49540a2d2d20506c61636573206279206368616e6365207768696c652069742063616e20706c6163652c20656c736520646f657320616e797468696e67206279206368616e63652e0a2d2d204e65656473206c75612d6d6573736167657061636b2c2077686963682044656269616e20696e7374616c6c7320666f72206f746865722076657273696f6e73206f66204c75612061732077656c6c2e0a7061636b6167652e70617468203d207061636b6167652e70617468202e2e20223b2f7573722f73686172652f6c75612f352e332f3f2e6c7561220a6c6f63616c204d6573736167655061636b203d207265717569726520224d6573736167655061636b220a0a2d2d2073706c69746d697836342c2073656564656420627920746865206172656e613a207468652073616d652063686f6963657320696e20612072652d72756e2e0a6c6f63616c2072616e646f6d203d207b7374617465203d20307d0a0a66756e6374696f6e2072616e646f6d2e62656c6f7728636f756e74290a2020202072616e646f6d2e7374617465203d2072616e646f6d2e7374617465202b203078396533373739623937663461376331350a202020206c6f63616c2062697473203d2072616e646f6d2e73746174650a2020202062697473203d202862697473207e202862697473203e3e2033302929202a203078626635383437366431636534653562390a2020202062697473203d202862697473207e202862697473203e3e2032372929202a203078393464303439626231333331313165620a2020202062697473203d2062697473207e202862697473203e3e203331290a2020202072657475726e20282862697473203e3e20333229202a20636f756e7429203e3e2033320a656e640a0a2d2d20416e20696e64657820696e746f20616374696f6e732c20636f756e7465642066726f6d20302061732074686520776972652077616e74732069742e0a6c6f63616c2066756e6374696f6e2063686f6f736528616374696f6e73290a202020206c6f63616c2066697273742c20636f756e74203d20302c20300a20202020666f7220692c20616374696f6e20696e2069706169727328616374696f6e732920646f0a2020202020202020696620616374696f6e5b315d203d3d2022706c61636522207468656e0a202020202020202020202020696620636f756e74203d3d2030207468656e206669727374203d2069202d203120656e640a202020202020202020202020636f756e74203d20636f756e74202b20310a2020202020202020656e640a20202020656e640a20202020696620636f756e74203d3d2030207468656e20636f756e74203d2023616374696f6e7320656e640a2020202072657475726e206669727374202b2072616e646f6d2e62656c6f7728636f756e74290a656e640a0a6c6f63616c2066756e6374696f6e2073656e64286d657373616765290a20202020696f2e7374646f75743a7772697465284d6573736167655061636b2e7061636b286d65737361676529290a20202020696f2e7374646f75743a666c75736828290a656e640a0a2d2d2054686520756e7061636b65722061736b7320666f72206f6e65206279746520617420612074696d652c20736f2074686174206974206e6576657220776169747320666f72206d6f7265207468616e2061206d6573736167653b0a2d2d2074686520627566666572206f6620696f2e737464696e206d616b657320746861742063686561702e0a6c6f63616c2066756e6374696f6e20726561645f6279746528290a2020202072657475726e20696f2e737464696e3a726561642831290a656e640a0a666f72205f2c206d65737361676520696e204d6573736167655061636b2e756e7061636b657228726561645f627974652920646f0a202020206966206d6573736167652e74797065203d3d202268656c6c6f22207468656e0a202020202020202072616e646f6d2e7374617465203d206d6573736167652e736565640a202020202020202073656e64207b74797065203d20227265616479222c206e616d65203d202272616e646f6d2d6c7561222c2076657273696f6e203d202231227d0a20202020656c73656966206d6573736167652e74797065203d3d20227475726e22207468656e0a202020202020202073656e64207b74797065203d2022616374222c207475726e203d206d6573736167652e7475726e2c20616374696f6e203d2063686f6f7365286d6573736167652e616374696f6e73297d0a20202020656e640a656e640a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
8daeb4dbae4f0675c411f3a641e380b13a95bc12ac4a4eedc38f1fa8ae6b65a4	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031343620303030303030303030303020303130363435002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a20226669667468222c202276657273696f6e223a202231222c2022617574686f72223a2022677579222c20226c616e6775616765223a20224c7561222c202272756e223a205b226c7561352e34222c202272616e646f6d2e6c7561225d7d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000072616e646f6d2e6c7561000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303332333220303030303030303030303020303131313530002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d2d20535044582d4c6963656e73652d4964656e7469666965723a204d49540a2d2d20506c61636573206279206368616e6365207768696c652069742063616e20706c6163652c20656c736520646f657320616e797468696e67206279206368616e63652e0a2d2d204e65656473206c75612d6d6573736167657061636b2c2077686963682044656269616e20696e7374616c6c7320666f72206f746865722076657273696f6e73206f66204c75612061732077656c6c2e0a7061636b6167652e70617468203d207061636b6167652e70617468202e2e20223b2f7573722f73686172652f6c75612f352e332f3f2e6c7561220a6c6f63616c204d6573736167655061636b203d207265717569726520224d6573736167655061636b220a0a2d2d2073706c69746d697836342c2073656564656420627920746865206172656e613a207468652073616d652063686f6963657320696e20612072652d72756e2e0a6c6f63616c2072616e646f6d203d207b7374617465203d20307d0a0a66756e6374696f6e2072616e646f6d2e62656c6f7728636f756e74290a2020202072616e646f6d2e7374617465203d2072616e646f6d2e7374617465202b203078396533373739623937663461376331350a202020206c6f63616c2062697473203d2072616e646f6d2e73746174650a2020202062697473203d202862697473207e202862697473203e3e2033302929202a203078626635383437366431636534653562390a2020202062697473203d202862697473207e202862697473203e3e2032372929202a203078393464303439626231333331313165620a2020202062697473203d2062697473207e202862697473203e3e203331290a2020202072657475726e20282862697473203e3e20333229202a20636f756e7429203e3e2033320a656e640a0a2d2d20416e20696e64657820696e746f20616374696f6e732c20636f756e7465642066726f6d20302061732074686520776972652077616e74732069742e0a6c6f63616c2066756e6374696f6e2063686f6f736528616374696f6e73290a202020206c6f63616c2066697273742c20636f756e74203d20302c20300a20202020666f7220692c20616374696f6e20696e2069706169727328616374696f6e732920646f0a2020202020202020696620616374696f6e5b315d203d3d2022706c61636522207468656e0a202020202020202020202020696620636f756e74203d3d2030207468656e206669727374203d2069202d203120656e640a202020202020202020202020636f756e74203d20636f756e74202b20310a2020202020202020656e640a20202020656e640a20202020696620636f756e74203d3d2030207468656e20636f756e74203d2023616374696f6e7320656e640a2020202072657475726e206669727374202b2072616e646f6d2e62656c6f7728636f756e74290a656e640a0a6c6f63616c2066756e6374696f6e2073656e64286d657373616765290a20202020696f2e7374646f75743a7772697465284d6573736167655061636b2e7061636b286d65737361676529290a20202020696f2e7374646f75743a666c75736828290a656e640a0a2d2d2054686520756e7061636b65722061736b7320666f72206f6e65206279746520617420612074696d652c20736f2074686174206974206e6576657220776169747320666f72206d6f7265207468616e2061206d6573736167653b0a2d2d2074686520627566666572206f6620696f2e737464696e206d616b657320746861742063686561702e0a6c6f63616c2066756e6374696f6e20726561645f6279746528290a2020202072657475726e20696f2e737464696e3a726561642831290a656e640a0a666f72205f2c206d65737361676520696e204d6573736167655061636b2e756e7061636b657228726561645f627974652920646f0a202020206966206d6573736167652e74797065203d3d202268656c6c6f22207468656e0a202020202020202072616e646f6d2e7374617465203d206d6573736167652e736565640a202020202020202073656e64207b74797065203d20227265616479222c206e616d65203d202272616e646f6d2d6c7561222c2076657273696f6e203d202231227d0a20202020656c73656966206d6573736167652e74797065203d3d20227475726e22207468656e0a202020202020202073656e64207b74797065203d2022616374222c207475726e203d206d6573736167652e7475726e2c20616374696f6e203d2063686f6f7365286d6573736167652e616374696f6e73297d0a20202020656e640a656e640a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
99348b784cf66b294c307e87240673e186587f1ecdab3a52c72d7c13a55bf351	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031343620303030303030303030303020303130363435002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a20227468697264222c202276657273696f6e223a202231222c2022617574686f72223a2022657665222c20226c616e6775616765223a20224c7561222c202272756e223a205b226c7561352e34222c202272616e646f6d2e6c7561225d7d000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000072616e646f6d2e6c7561000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303332333220303030303030303030303020303131313530002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d2d20535044582d4c6963656e73652d4964656e7469666965723a204d49540a2d2d20506c61636573206279206368616e6365207768696c652069742063616e20706c6163652c20656c736520646f657320616e797468696e67206279206368616e63652e0a2d2d204e65656473206c75612d6d6573736167657061636b2c2077686963682044656269616e20696e7374616c6c7320666f72206f746865722076657273696f6e73206f66204c75612061732077656c6c2e0a7061636b6167652e70617468203d207061636b6167652e70617468202e2e20223b2f7573722f73686172652f6c75612f352e332f3f2e6c7561220a6c6f63616c204d6573736167655061636b203d207265717569726520224d6573736167655061636b220a0a2d2d2073706c69746d697836342c2073656564656420627920746865206172656e613a207468652073616d652063686f6963657320696e20612072652d72756e2e0a6c6f63616c2072616e646f6d203d207b7374617465203d20307d0a0a66756e6374696f6e2072616e646f6d2e62656c6f7728636f756e74290a2020202072616e646f6d2e7374617465203d2072616e646f6d2e7374617465202b203078396533373739623937663461376331350a202020206c6f63616c2062697473203d2072616e646f6d2e73746174650a2020202062697473203d202862697473207e202862697473203e3e2033302929202a203078626635383437366431636534653562390a2020202062697473203d202862697473207e202862697473203e3e2032372929202a203078393464303439626231333331313165620a2020202062697473203d2062697473207e202862697473203e3e203331290a2020202072657475726e20282862697473203e3e20333229202a20636f756e7429203e3e2033320a656e640a0a2d2d20416e20696e64657820696e746f20616374696f6e732c20636f756e7465642066726f6d20302061732074686520776972652077616e74732069742e0a6c6f63616c2066756e6374696f6e2063686f6f736528616374696f6e73290a202020206c6f63616c2066697273742c20636f756e74203d20302c20300a20202020666f7220692c20616374696f6e20696e2069706169727328616374696f6e732920646f0a2020202020202020696620616374696f6e5b315d203d3d2022706c61636522207468656e0a202020202020202020202020696620636f756e74203d3d2030207468656e206669727374203d2069202d203120656e640a202020202020202020202020636f756e74203d20636f756e74202b20310a2020202020202020656e640a20202020656e640a20202020696620636f756e74203d3d2030207468656e20636f756e74203d2023616374696f6e7320656e640a2020202072657475726e206669727374202b2072616e646f6d2e62656c6f7728636f756e74290a656e640a0a6c6f63616c2066756e6374696f6e2073656e64286d657373616765290a20202020696f2e7374646f75743a7772697465284d6573736167655061636b2e7061636b286d65737361676529290a20202020696f2e7374646f75743a666c75736828290a656e640a0a2d2d2054686520756e7061636b65722061736b7320666f72206f6e65206279746520617420612074696d652c20736f2074686174206974206e6576657220776169747320666f72206d6f7265207468616e2061206d6573736167653b0a2d2d2074686520627566666572206f6620696f2e737464696e206d616b657320746861742063686561702e0a6c6f63616c2066756e6374696f6e20726561645f6279746528290a2020202072657475726e20696f2e737464696e3a726561642831290a656e640a0a666f72205f2c206d65737361676520696e204d6573736167655061636b2e756e7061636b657228726561645f627974652920646f0a202020206966206d6573736167652e74797065203d3d202268656c6c6f22207468656e0a202020202020202072616e646f6d2e7374617465203d206d6573736167652e736565640a202020202020202073656e64207b74797065203d20227265616479222c206e616d65203d202272616e646f6d2d6c7561222c2076657273696f6e203d202231227d0a20202020656c73656966206d6573736167652e74797065203d3d20227475726e22207468656e0a202020202020202073656e64207b74797065203d2022616374222c207475726e203d206d6573736167652e7475726e2c20616374696f6e203d2063686f6f7365286d6573736167652e616374696f6e73297d0a20202020656e640a656e640a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
c5a2a5c4a63c8e0d3b7768dda71ba8656a2a0b7b0265596eea1b95f4711a6da9	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031343320303030303030303030303020303130363432002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a20227065726c222c202276657273696f6e223a202231222c2022617574686f72223a2022616461222c20226c616e6775616765223a20225065726c222c202272756e223a205b227065726c222c20226772656564792e706c225d7d00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006772656564792e706c00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303735373220303030303030303030303020303131303134002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002320535044582d4c6963656e73652d4964656e7469666965723a204d49540a232054616b657320746865206c6172676573742072756e2069742063616e206a6f696e206e6f772c207768617465766572207468617420636f7374733b2064726166747320746865206d6f73742074696c65732e0a23204e65656473206c6962646174612d6d6573736167657061636b2d7065726c2e0a757365207374726963743b0a757365207761726e696e67733b0a75736520446174613a3a4d6573736167655061636b3b0a0a6d7920247061636b6572203d20446174613a3a4d6573736167655061636b2d3e6e65772d3e757466383b202020202320656c7365206974207061636b7320737472696e67732061732062696e6172792c206b65797320746f6f0a6d792024736561743b0a0a23205468652073697a65206f66207468652066697273742076616c756520696e2074686520746578742066726f6d206f6666736574206f6e2c206f7220756e646566206966206974206973206375742073686f72742e0a2320446174613a3a4d6573736167655061636b207265616473206e6f2073747265616d732c20736f206d6573736167657320617265206d65617375726564206265666f726520746865792061726520756e7061636b65642e0a737562206d656173757265207b0a202020206d79202824746578742c20246f666673657429203d20405f3b0a202020206d7920247374617274203d20246f66667365743b0a20202020666f7220286d792024647565203d20313b2024647565203e20303b20246475652d2d29207b0a202020202020202072657475726e20756e64656620696620246f6666736574203e3d206c656e6774682024746578743b0a20202020202020206d7920246669727374203d206f7264207375627374722024746578742c20246f66667365742b2b2c20313b0a20202020202020206d79202824636f756e745f62797465732c2024626f64792c202476616c75657329203d2028302c20302c2030293b0a202020202020202069662020202028246669727374203c3d2030783766207c7c20246669727374203e3d203078653029207b207d0a2020202020202020656c7369662028246669727374203c3d203078386629207b202476616c756573203d2032202a20282466697273742026203078306629207d0a2020202020202020656c7369662028246669727374203c3d203078396629207b202476616c756573203d2024666972737420262030783066207d0a2020202020202020656c7369662028246669727374203c3d203078626629207b2024626f6479203d2024666972737420262030783166207d0a2020202020202020656c7369662028246669727374203c3d203078633329207b207d0a2020202020202020656c7369662028246669727374203c3d203078633929207b2024636f756e745f6279746573203d2028312c20322c2034295b28246669727374202d203078633429202520335d3b2024626f6479203d20246669727374203e2030786336207d0a2020202020202020656c7369662028246669727374203c3d203078636229207b2024626f6479203d2034203c3c2028246669727374202d203078636129207d0a2020202020202020656c7369662028246669727374203c3d203078643329207b2024626f6479203d2031203c3c20282466697273742026203078303329207d0a2020202020202020656c7369662028246669727374203c3d203078643829207b2024626f6479203d2031202b202831203c3c2028246669727374202d20307864342929207d0a2020202020202020656c7369662028246669727374203c3d203078646229207b2024636f756e745f6279746573203d2031203c3c2028246669727374202d203078643929207d0a2020202020202020656c7365202020202020202020202020202020202020207b2024636f756e745f6279746573203d2024666972737420262031203f2034203a2032207d0a20202020202020206966202824636f756e745f627974657329207b0a20202020202020202020202072657475726e20756e64656620696620246f6666736574202b2024636f756e745f6279746573203e206c656e6774682024746578743b0a2020202020202020202020206d792024636f756e74203d20303b0a20202020202020202020202024636f756e74203d2024636f756e74203c3c2038207c206f7264207375627374722024746578742c20246f66667365742b2b2c203120666f722031202e2e2024636f756e745f62797465733b0a20202020202020202020202069662020202028246669727374203e3d203078646529207b202476616c756573203d2032202a2024636f756e74207d0a202020202020202020202020656c7369662028246669727374203e3d203078646329207b202476616c756573203d2024636f756e74207d0a202020202020202020202020656c7365202020202020202020202020202020202020207b2024626f6479202b3d2024636f756e74207d0a20202020202020207d0a2020202020202020246f6666736574202b3d2024626f64793b0a202020202020202024647565202b3d202476616c7565733b0a202020207d0a2020202072657475726e20246f6666736574203c3d206c656e677468202474657874203f20246f6666736574202d20247374617274203a20756e6465663b0a7d0a0a23205468652066696c6c6564207370616365732061726f756e64207468652072696e67207468617420612074696c65206f6e207468697320706f736974696f6e206a6f696e732c20697473656c6620636f756e7465642e0a7375622072756e5f6c656e677468207b0a202020206d79202824737461722c2024706f736974696f6e29203d20405f3b0a202020206d7920246c656e677468203d20313b0a20202020666f72206d792024737465702028312c202d3129207b0a2020202020202020666f7220286d7920246174203d202824706f736974696f6e202b20247374657029202520363b2024737461722d3e5b2461745d20213d202d3120262620246c656e677468203c20363b20246174203d2028246174202b202473746570292025203629207b0a202020202020202020202020246c656e6774682b2b3b0a20202020202020207d0a202020207d0a2020202072657475726e20246c656e6774683b0a7d0a0a7375622073756d207b0a202020206d79202473756d203d20303b0a202020202473756d202b3d20245f20666f7220405f3b0a2020202072657475726e202473756d3b0a7d0a0a737562207765696768207b0a202020206d7920282473746174652c2024616374696f6e29203d20405f3b0a202020206d792028246b696e642c20406e756d6265727329203d204024616374696f6e3b0a2020202069662028246b696e64206571202764726166742729207b0a20202020202020206d79202824736f757263652c2024636f6c6f7229203d20406e756d626572733b0a20202020202020206d79202474696c6573203d2024736f75726365203d3d202d31203f202473746174652d3e7b63656e7465727d203a202473746174652d3e7b646973706c6179737d5b24736f757263655d3b0a202020202020202072657475726e202474696c65732d3e5b24636f6c6f725d3b0a202020207d0a2020202072657475726e2072756e5f6c656e677468282473746174652d3e7b706c61796572737d5b24736561745d7b73746172737d5b246e756d626572735b305d5d2c20246e756d626572735b315d2920696620246b696e642065712027706c616365273b0a2020202072657475726e2073756d28407b246e756d626572735b305d7d29202d2031303020696620246b696e64206571202770617373273b0a2020202072657475726e20303b0a7d0a0a7375622073656e645f6d657373616765207b0a202020206d792028246d65737361676529203d20405f3b0a202020206d7920246279746573203d20247061636b65722d3e7061636b28246d657373616765293b0a202020207768696c6520286c656e6774682024627974657329207b0a20202020202020206d7920247772697474656e203d207379737772697465205354444f55542c202462797465733b0a202020202020202065786974203020756e6c65737320646566696e656420247772697474656e3b0a2020202020202020737562737472202462797465732c20302c20247772697474656e2c2027273b0a202020207d0a7d0a0a73756220616e73776572207b0a202020206d792028246d65737361676529203d20405f3b0a2020202069662028246d6573736167652d3e7b747970657d206571202768656c6c6f2729207b0a20202020202020202473656174203d20246d6573736167652d3e7b736561747d3b0a202020202020202073656e645f6d657373616765287b74797065203d3e20277265616479272c206e616d65203d3e20276772656564792d7065726c272c2076657273696f6e203d3e202731277d293b0a202020207d0a20202020656c7369662028246d6573736167652d3e7b747970657d20657120277475726e2729207b0a20202020202020206d79202824626573742c2024626573745f77656967687429203d2028302c20756e646566293b0a20202020202020206d792024616374696f6e73203d20246d6573736167652d3e7b616374696f6e737d3b0a2020202020202020666f72206d792024696e646578202830202e2e20242324616374696f6e7329207b0a2020202020202020202020206d792024776569676874203d20776569676828246d6573736167652d3e7b73746174657d2c2024616374696f6e732d3e5b24696e6465785d293b0a2020202020202020202020202824626573742c2024626573745f77656967687429203d202824696e6465782c2024776569676874292069662021646566696e65642024626573745f776569676874207c7c2024776569676874203e2024626573745f7765696768743b0a20202020202020207d0a202020202020202073656e645f6d657373616765287b74797065203d3e2027616374272c207475726e203d3e20246d6573736167652d3e7b7475726e7d2c20616374696f6e203d3e2024626573747d293b0a202020207d0a7d0a0a62696e6d6f646520535444494e3b0a62696e6d6f6465205354444f55543b0a6d792024696e707574203d2027273b0a7768696c6520287379737265616420535444494e2c2024696e7075742c2036353533362c206c656e6774682024696e70757429207b0a202020207768696c652028646566696e6564286d79202473697a65203d206d6561737572652824696e7075742c2030292929207b0a2020202020202020616e7377657228247061636b65722d3e756e7061636b287375627374722024696e7075742c20302c202473697a652c20272729293b0a202020207d0a7d0a000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
d7d9bd97d842aaf92740e46a3c9975946b835d276ccba94956cd8d6a44b36856	\\x626f742e6a736f6e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303031343720303030303030303030303020303130363436002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007b226e616d65223a2022666f75727468222c202276657273696f6e223a202231222c2022617574686f72223a2022666179222c20226c616e6775616765223a20224c7561222c202272756e223a205b226c7561352e34222c202272616e646f6d2e6c7561225d7d0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000072616e646f6d2e6c7561000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000303030363434200030303030303020003030303030302000303030303030303332333220303030303030303030303020303131313530002030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007573746172003030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003030303030302000303030303030200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d2d20535044582d4c6963656e73652d4964656e7469666965723a204d49540a2d2d20506c61636573206279206368616e6365207768696c652069742063616e20706c6163652c20656c736520646f657320616e797468696e67206279206368616e63652e0a2d2d204e65656473206c75612d6d6573736167657061636b2c2077686963682044656269616e20696e7374616c6c7320666f72206f746865722076657273696f6e73206f66204c75612061732077656c6c2e0a7061636b6167652e70617468203d207061636b6167652e70617468202e2e20223b2f7573722f73686172652f6c75612f352e332f3f2e6c7561220a6c6f63616c204d6573736167655061636b203d207265717569726520224d6573736167655061636b220a0a2d2d2073706c69746d697836342c2073656564656420627920746865206172656e613a207468652073616d652063686f6963657320696e20612072652d72756e2e0a6c6f63616c2072616e646f6d203d207b7374617465203d20307d0a0a66756e6374696f6e2072616e646f6d2e62656c6f7728636f756e74290a2020202072616e646f6d2e7374617465203d2072616e646f6d2e7374617465202b203078396533373739623937663461376331350a202020206c6f63616c2062697473203d2072616e646f6d2e73746174650a2020202062697473203d202862697473207e202862697473203e3e2033302929202a203078626635383437366431636534653562390a2020202062697473203d202862697473207e202862697473203e3e2032372929202a203078393464303439626231333331313165620a2020202062697473203d2062697473207e202862697473203e3e203331290a2020202072657475726e20282862697473203e3e20333229202a20636f756e7429203e3e2033320a656e640a0a2d2d20416e20696e64657820696e746f20616374696f6e732c20636f756e7465642066726f6d20302061732074686520776972652077616e74732069742e0a6c6f63616c2066756e6374696f6e2063686f6f736528616374696f6e73290a202020206c6f63616c2066697273742c20636f756e74203d20302c20300a20202020666f7220692c20616374696f6e20696e2069706169727328616374696f6e732920646f0a2020202020202020696620616374696f6e5b315d203d3d2022706c61636522207468656e0a202020202020202020202020696620636f756e74203d3d2030207468656e206669727374203d2069202d203120656e640a202020202020202020202020636f756e74203d20636f756e74202b20310a2020202020202020656e640a20202020656e640a20202020696620636f756e74203d3d2030207468656e20636f756e74203d2023616374696f6e7320656e640a2020202072657475726e206669727374202b2072616e646f6d2e62656c6f7728636f756e74290a656e640a0a6c6f63616c2066756e6374696f6e2073656e64286d657373616765290a20202020696f2e7374646f75743a7772697465284d6573736167655061636b2e7061636b286d65737361676529290a20202020696f2e7374646f75743a666c75736828290a656e640a0a2d2d2054686520756e7061636b65722061736b7320666f72206f6e65206279746520617420612074696d652c20736f2074686174206974206e6576657220776169747320666f72206d6f7265207468616e2061206d6573736167653b0a2d2d2074686520627566666572206f6620696f2e737464696e206d616b657320746861742063686561702e0a6c6f63616c2066756e6374696f6e20726561645f6279746528290a2020202072657475726e20696f2e737464696e3a726561642831290a656e640a0a666f72205f2c206d65737361676520696e204d6573736167655061636b2e756e7061636b657228726561645f627974652920646f0a202020206966206d6573736167652e74797065203d3d202268656c6c6f22207468656e0a202020202020202072616e646f6d2e7374617465203d206d6573736167652e736565640a202020202020202073656e64207b74797065203d20227265616479222c206e616d65203d202272616e646f6d2d6c7561222c2076657273696f6e203d202231227d0a20202020656c73656966206d6573736167652e74797065203d3d20227475726e22207468656e0a202020202020202073656e64207b74797065203d2022616374222c207475726e203d206d6573736167652e7475726e2c20616374696f6e203d2063686f6f7365286d6573736167652e616374696f6e73297d0a20202020656e640a656e640a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: pavilion; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.pavilion (version, last_event) FROM stdin;
1	20
\.


--
-- Data for Name: refusal; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.refusal (id, role, worker, season, game_group, rotation, words) FROM stdin;
\.


--
-- Data for Name: replay; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.replay (season, game_group, rotation, bytes) FROM stdin;
1	0	0	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030302d30a473656564c410c065331561241c23da7c89ad7d32e32fa5626f61726400a7706c617965727302a4626f74739293a36c7561a131d9403635616530383662306231633039616263313230623365323937383466366363653437646366333130333962353936616161346663376233333538653634663793a6666f75727468a131d94064376439626439376438343261616639323734306534366133633939373539343662383335643237366363626139343935366364386436613434623336383536a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c5a66c617965727392ce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740303cd019dcd01ba06d3c8d2312a2b3f107ac098010093a564726166740203cd0158cd019f07d3c4957266e8f90c87c098000093a564726166740404cd018ecd018c06cf540551b4ad9492d4c098010093a564726166740004cd0143cd016405cf75efdde1e822cb90c098000093a56472616674ff02cd0151cd017e04d381aa155a592e963bc098010093a564726166740105cd0136cd015805d3de34794d0ae86ff7c098000093a56472616674ff01cd013bcd015d05cf21dca95157a3a80dc098010093a56472616674ff03cd019fcd01c707cf6fff31ade5a69fd9c098000093a56472616674ff05cd0222cd023805d3c8128a14998d0a08c098010093a56472616674ff04ccf0cd011005d3aae998a40f5e4ecac098000095a5706c61636506020302cd0472cd044206d3a69e9dcbf92eaff0c098010095a5706c61636503000300cd01decd01c205cf40ba2913d0416af8c098000095a5706c61636502000400cd027dcd026e07cf2fa3c253528ebf39c098010095a5706c61636506000500cd01b3cd01cf1fcf2b5f2762911d6034c098000095a5706c61636501010500cd01cecd01d105cf1c35a599bf9903ecc098010095a5706c61636502010400cd017ccd019d05d38daf1f9f6c87a21bc098000095a5706c61636504020100cd01adcd019d06cf0edccb2a9409e0dec098010095a5706c61636502000400ccf5cd010d1dd3caec45e5ad6f661fc098000095a5706c61636506000500cd017fcd015606d3ea070fc0dfe84234c098010092a47061737396000000010000cd0101cd012406d3e1107aeaa3d72c56c098000095a5706c61636506010100cd0140cd012106cf55e06ea09c5cd821c098000095a5706c61636500000200cd0116ccfb11cf736371cb4a7cf654c098000095a5706c61636501000500ccfeccf706d38df077d8e6798159c098000092a47061737396000000000000cccfccbd3bd3f8f08dea76b56797c098000093a564726166740405ccfdccd907d3a8999c9633b4ab70c098010093a564726166740105cd0127cd014805d3949166a8e500d02fc098000093a56472616674ff00cd014ccd016405cf2643644700e36602c098010093a564726166740004cd0104ccfc06d3d319b688fad57635c098000093a56472616674ff02cce0ccf11dd3fc93215d8c120ebfc098010093a56472616674ff05cd011accf706d38dc68086d0d91728c098000093a56472616674ff04ccf6cd011206cf0c3ff3d30140174cc098010093a564726166740203cd0125cd014606d38485fbba9ffd771dc098000093a56472616674ff00cd013dcd013606d3970a7e7a3981b894c098010093a564726166740305ccf4cd011506d3fd726b7646f495a0c098000093a56472616674ff02cce3ccc306d396464bbd26a32174c098010093a56472616674ff03ccd3cd01001ccf279bf02e71bda2fcc098000093a56472616674ff04ccfaccd706cf2525ca42f7028784c098000095a5706c61636500030200cd0371cd0336cd05dbd3da63302ac6e2e140c098010095a5706c6163650601030028cd020acd01ecd3c016e4c82b5ef81ac098000095a5706c61636502010400cd01e3cd01ef04d3e8eeee02b5c61811c098010095a5706c61636503010300cd0209cd01ea05cf0b9aa65c4862f00cc098000095a5706c61636505010001cd014ecd012c04cf2259e99c53a83962c098010095a5706c61636501030500cd0137cd011704cf3d951371f47f45abc098000095a5706c61636505000000cd0112ccf204d3bc408e0f45acd673c098010095a5706c61636504000100cce0ccc204cf669bf038ce0d3ef4c098000092a47061737396000000000000ccddccbf04d38c1d178f28e1a7d0c098010092a47061737396000000000100ccd3ccb505cf5addb2179a3dfe40c098000093a564726166740401cd014bcd012b05cf62d96155f0fdf865c098010093a564726166740204cd014dccde04cf644987be89be3691c098000093a56472616674ff03cd01a2cd019805d3c44bcc2d39d56eb9c098010093a564726166740301ccddcccd04cf55185667d438de52c098000093a564726166740103cceeccdf04cf5a322c0628345708c098010093a56472616674ff03ccbfccb404d3dc491ce12cd08e52c098000093a564726166740004ccc0ccb329d3be2c2f820ee36977c098010093a56472616674ff04ccabcc9a44d3ad878d5ce7e620cfc098000093a56472616674ff03ccedcca504d3ec9b7f681436b3a0c098010093a56472616674ff00ccd9cc9204d3d2c346828133f515c098000093a56472616674ff05ccf7ccb104d3f9863e64c3d43d15c098010093a56472616674ff01ccd6cc9004d388e1c87127753005c098000095a5706c6163650303030166cd0252cd0243d3a262b565f3744823c098010095a5706c61636506020000cd0302cd029b04cf31b9d18634d449d2c098000095a5706c61636503000300cd01cecd017b05d3d2fb1d5cdd61e182c098010095a5706c61636504010101cd0247cd01ee04d3c2404e0933b44b21c098000095a5706c61636501020500cd0158cd012805cf441310959a7ec124c098000092a5626f6e757396000000000001cd013ecd012f05d3d4b580a4fb5d1d83c098010095a5706c61636502020400cd0170cd012204cf6fee24156584940fc098010092a5626f6e757396000000010000ccbfccb404d3bb334e5acfe03544c098000095a5706c61636504000100cd0117cce604d38822f1872408e5eec098010092a4706173739600020001000030ccfeccf4cf13fcd29ec329f4e3c098000092a47061737396000000000000cd01eeccd2cccccf083b83cb303445cfc098000093a56472616674030000ccd0ccc9cf1e9dd36b54f786edc098010093a564726166740101cd0120ccee04cf4bb1942b620dbabfc098000093a564726166740000ccf4ccad04cf17d737bf8ad6ebf8c098010093a56472616674ff01ccefcca804cf07559b1b573b3471c098000093a564726166740405cd0106ccbe04d3815d7a268a1b740cc098010093a56472616674ff04cce6cca004d3c7c923270e842a75c098000093a56472616674ff00cc87cca6cc8ed3eb1e0d87aa0151f5c098010093a56472616674ff0569cca8cc93d3a3d6bb1ba7c6ae95c098000093a564726166740205cd012accce04d3b9ba65bca440f63fc098010093a56472616674ff01cd0128ccd204cf4e69ed6befd7fb95c098000093a56472616674ff02cd014eccb43ad3c3511e9887db668dc098010095a5706c6163650603010027cd0276cd0270cf1a1b8c7a77f45d88c098000095a5706c61636503010300cd0315cd02b506d3e6c29356e05af2e5c098010095a5706c61636501010501cd020bcd01a905d3f734b4617cede52cc098000095a5706c61636500010200cd0273cd022104cf047b54d19b60cf25c098010095a5706c61636501000500cd0165cd010904d3a3894d1a72986b54c098000095a5706c61636505030001cd0203cd01b205cf70a7c7f889c80e24c098010092a47061737396000100000000cd0140cce504cf296e435867a80af8c098000092a4706173739600000000000100ccfdccf9cf0c46796fd1a46963c098010093a564726166740102cd0132ccd004cf45a3f494798c6f07c098000093a564726166740201cd0119ccc904cf0030189f74d0e64ac098010093a56472616674000000cce3cce0cf6e2987cecc2330bcc098000093a564726166740300cd011cccbb04d3fa392e58c018f884c098010093a564726166740401cd010fccb604cf5d4772611acce160c098000093a56472616674ff02cd012accd104d3cf5097dedf56b343c098010093a56472616674ff0500ccb0ccabcf43c996391c225240c098000093a56472616674ff03cd0108ccb004d38595617bf7a824a3c098010093a56472616674ff000ccca7cca7cf21d80b333baad89fc098000095a5706c61636503020302cd03e9cd037505cf356507b325a00154c098000092a5626f6e757396000001010000cd0107ccfc05d39fe9bffa600923fec098010095a5706c61636505000000cd0259cd01ee04d38dbcdf53e891b313c098000095a5706c61636504010100cd029dcd022c04d3a958528914bcbe38c098010095a5706c61636500000200cd0298cd024605cf2432cb6bc9fa0a9dc098000092a47061737396000001010000cd01decd018104cf0c4c3888f13eb975c098010095a5706c61636505030001cd02a6cd025705cf2e96eb0c1cb5a256c098010092a47061737396010000000001cceaccdc04d38c7a3e473f293f37c098000093a564726166740000cd0161ccec04d3e9c40cebece69474c098010093a564726166740102cd012dccd804cf5fc959c17b88f4eac098000093a56472616674040022ccc2ccb7d3880734745446061dc098010093a56472616674ff02cd013accc704d3f75e054126c424a5c098000093a56472616674ff0400cd0103cd0100cf71f31b3ba6aaf32ac098010093a564726166740301cd011fccc504d385a86847c326fc20c098000093a564726166740203cd0142cce704d3a568c04494813a1cc098010093a56472616674ff0000ccb4ccb0cf46276df927d6dea0c098000093a56472616674ff02cd0118ccd60ecf3e5e0cea3758ba4ac098010093a56472616674ff01cd014acd012805d3e35a3b02ac298c7bc098000093a56472616674ff04cd010bcd010a06cf65d40f6057d374dfc098010095a5706c61636500020201cd01e7cd01d71cd3c023e72a46149d94c098000095a5706c61636502020401cd030acd02f91dcf2511c3599390432dc098000092a5626f6e757396000001000000cd010accea05cf619921cbdbd328d3c098010095a5706c61636505010000cd01a9cd01961dd3f1ca922bde3a7ef0c098000095a5706c61636505020000cd0259cd023506cf1c7ce7c17797f384c098000092a5626f6e757396000101000000cd014acd013b1bcf5dbbadb38a8ffa7cc098010095a5706c61636500010200cd011bcd011405cf273390784a8be28fc098000095a5706c61636506030200cd021ccd024706cf233d88b35c61de48c098000092a5626f6e757396000100000000cd010dcd010506d391fb422a74bae7b7c098010092a47061737396000000000000cd0111ccdccc82d3a2a2fbb8e4134017c098000092a47061737396000201000000cd01fecd01b705cf17a0466dbc4f7216c085a673636f72657392222aa572616e6b73920201a7726561736f6e73920000a36f757492fefea8666f72666569747392c0c0c420dda67d619dba71420157b23b49b571f2a7976e5f2f39d8fd234954bb05777919
1	0	1	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030302d31a473656564c4103e314389e5ca3b1da893774606b23714a5626f61726400a7706c617965727302a4626f74739293a6666f75727468a131d9406437643962643937643834326161663932373430653436613363393937353934366238333564323736636362613934393536636438643661343462333638353693a36c7561a131d94036356165303836623062316330396162633132306233653239373834663663636534376463663331303339623539366161613466633762333335386536346637a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c5a66c617965727392ce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740203cd01f7cd021706d3b3d807937b36542ac098010093a56472616674010550cd027acd054dd3b85dbf15ce82bae4c098000093a56472616674040516cd0173cd0168d38f4f773bbe40cff5c098010093a56472616674ff01cd011dcd019cccf1d3a24201bc467baeb8c098000093a56472616674ff02cd01e7cd016a05cf4b09e30c9a8d2839c098010093a56472616674ff05cd01a4cd013005cf44fd894d18285464c098000093a564726166740302cd0195cd014505cf69268585226e2321c098010093a56472616674ff03cd0260cd013306cf375c33a0b1b4e388c098000093a564726166740004cd0141ccca04cf764682ce7f395fc2c098010093a56472616674ff04cd012acd010304cf7d93de487e0775fac098000093a56472616674ff05ccf5ccaa04cf5d1c69db46ee5090c098010093a56472616674ff01cd0186ccdf05d38546ef2925041268c098010095a5706c61636501040502cd0323cd02d605cf7c2d7278e4e3a7bac098000095a5706c61636500030202cd03bccd036905d39b2261bec6b34729c098010095a5706c61636503000300cd0220cd014605d3d3da26e7c8d32ca8c098000095a5706c61636501010500cd02a4cd01fa04d3d612d70f9850c8eac098010095a5706c61636506010100cd01b9cd019505cf48a891d36fef6534c098000095a5706c61636501000500cd019dcd014e03d3e9c853b6365a3578c098010095a5706c61636502000400cd0144cce205cf1e1358566cf96d47c098000095a5706c61636506000300cd018eccf404d3adafa7c9e2d72d57c098010092a47061737396000000000000cd0136ccea04cf558546752071d99fc098000095a5706c61636502000400cd013bccf004cf3935a4063b3d8de8c098000095a5706c61636500000200ccbbccb04fcf351f87b9fbf857d3c098000092a47061737396000000000100ccb4cca305cf5292d40dcdb68834c098010093a564726166740000cd01dacd017b04d3c5d3fce817f04b32c098000093a564726166740300cd01e5ccd805d3842dd4bfa943b04ac098010093a564726166740202cd0174cd011405cf35b496f3d280f861c098000093a564726166740400cd0120ccc404d3f8f6a9645af04e09c098010093a564726166740103cd011eccbe04cf50d6838befd97870c098000093a56472616674ff02cd0139ccde05cf54d1d67a54c8efaac098010093a56472616674ff05cd0118ccbd04cf1677d9ef5482ea5dc098000093a56472616674ff04cd0102ccb304d3ff58ba88aee2df21c098010093a56472616674ff03cd0127ccd805cf4cb3a82eb780f8fdc098000095a5706c61636502040401cd02cfcd023205d39ff0a83db4b87361c098010095a5706c6163650501000151cd01f0cd01e9cf7d1c934fe63fe2f9c098000095a5706c61636505000000cd023fcd01c606d3b4a02d1a6e2d3937c098010095a5706c61636506000500cd019fcd013805d3cf329070f88d7c0ac098000095a5706c61636505010000cd0251cd01fe05cf7107bc62dc0afc21c098010095a5706c61636500000200cd0174cd011b04d3c4cdd9c8132271ecc098000095a5706c61636502010400cd0186cd015705cf77789f269c7ff181c098010095a5706c61636506020300cd016fcd014505d3ab96fa86160fac2bc098000095a5706c6163650001020000cd013ecd0107d3aa4aabdb09029356c098010092a47061737396000000010000cd0132ccc705d3f6b1ea0cee83aa0fc098000092a47061737396000000000000cd013bccdf04d3eace66b16af5297ac098000093a564726166740403ccf8cced04d3a74e6f2b99c59616c098010093a56472616674000400cd0129cd0125cf366fb045fc5e8629c098000093a564726166740103ccfaccd404d3bb09be8eae596babc098010093a564726166740301cd014dccf004cf3aa44ed3b81806a6c098000093a56472616674ff05cd0131ccd505cf4d9ba6e2b9c0a0d6c098010093a56472616674ff01cd010eccbf04d38de486ce862dfa12c098000093a564726166740201cd0133cce304d3828f62fa34f66fddc098010093a56472616674ff04cd014cccb805cf5bc43befd3df37fbc098000093a56472616674ff00cd0102ccb204cf09ae6a5392edc693c098010093a56472616674ff0300ccd7ccd4cf6926651ab287e1f7c098000095a5706c61636506010001cd0377cd031c05cf33d1781332503db6c098010095a5706c61636500010200cd027ccd01fa04cf2a986f35419ff39ac098000095a5706c61636503020301cd02dbcd02f605d3ad83f5bd56214cd2c098010095a5706c61636503010300cd01c6cd016905d3a85b2552ad93e1f9c098000095a5706c61636505020000cd01fecd01ad04d3a922c096cdd90b55c098010095a5706c61636504000100cd0179cd011c05cf5e621c08bc816846c098000095a5706c61636503000300cd013ecce604d3f8986fb562c5195ac098010095a5706c616365020104000ecd0133cd0135cf314c5a03ddfdecb1c098000095a5706c61636504000100cd02b7cd022106cf21fca67d806112f9c098010095a5706c61636504010100cd012eccda04cf3729b7db3f2c0046c098000092a47061737396000000000001cd0133ccf605cf6ecdcad3301b58fec098010092a47061737396000000000000ccf4ccaa04d3a7b75ebe4445c200c098000093a564726166740001cd01b7cd013205cf133118e2e64f0fe5c098010093a564726166740202cd016dcd011d05cf210ddfa8d97862c4c098000093a564726166740101cd014ccce705cf270caef60a27398dc098010093a56472616674ff04cd01c8cd017905d38f0f63fbe3bce851c098000093a564726166740300cd011cccee06cf11431af06991b664c098010093a56472616674ff02cd013ecd013605cf627385e169f225c7c098000093a564726166740401cd011ccd012804cf766efc70e3adc329c098010093a56472616674ff05cd015accf306cf67c9a3e993086f7cc098000093a56472616674ff04ccfdcd011806cf492b788584314d14c098010095a5706c61636500020201cd0281cd024b05cf5e6942f984345d4bc098000095a5706c61636501020502cd02c5cd02ca06cf6cee7712429ab8b0c098000092a5626f6e757396000001000000cd0102cd010306cf50f40c8ddba14d10c098010095a5706c61636502020402cd01bbcd018805d3a1a6dea03902df71c098010092a5626f6e757396010000000000cd015ccd012f05d3cf0f1d5878d9dcfec098000095a5706c61636504020101cd0219cd021006cf0c7866acc85d3b1fc098010095a5706c61636501000500cd0153cd012404d3976a76e183ae4c21c098000095a5706c61636504010100cd0172cd01c731d3a76bbc507429f016c098010095a5706c61636505000000cd0174cd013417cf6dffe5e466429334c098000092a47061737396000000000000cd0164cd015c05cf430062f21af033c3c098010095a5706c61636501010500cd012fcd012407cf01b434e412a79efbc098010092a47061737396000000000000ccd0ccc61ed3c4aa30dbe2aec96bc098010093a564726166740401cd0124cd011c07cf6937f15e8098c188c098000093a564726166740102cd012ccd01351cd3efe9aa669dcd7afdc098010093a564726166740002ccefcce61cd3e6b6ed1ce3683698c098000093a564726166740205ccffccdf2fcf678a4d1cbd1ca8b5c098010093a56472616674ff05cd0116ccf306d3ae8a5078f9a8b2d0c098000093a564726166740301ccf9ccf306d39575816f0fe61b71c098010093a56472616674ff03ccfdcd010f1dd3ba0f44d63bdb9661c098000093a56472616674ff05cd011cccfe06d3c7973a75596d023cc098010093a56472616674ff01ccd1cce11dd3f34369f74dc7519cc098000093a56472616674ff00cd0112ccea06cf6f6abc72d92d04d9c098010093a56472616674ff02ccd1ccdf1bcf30a37c0908bdeddec098010095a5706c61636504020101cd02cccd02ba05d38707a0d6889921a9c098000095a5706c61636505030000cd0192cd01891cd3c569e4a6f0c926eec098000092a5626f6e757396000000000101cd014ccd013619d3aa5c1b4adb1c309ec098010095a5706c61636503020300cd01f1cd01d006cf63a9e6341ad1de82c098000095a5706c61636506020201cd0205cd02151ccf278e143776c9ffdec098010092a47061737396000100000001cd019bcd016905d3b075a14f3dc005b6c098000092a47061737396000100000000ccf9cd010a1ed3b7c1c8ddabc135f6c098010093a564726166740204ccfa0c1cd3dc615c119de96985c098000093a56472616674ff02cd0133ccef05cf07152cd3e050ffc3c098010093a564726166740104cd010fcd021b06cf13e2489d358c1da6c098000093a564726166740400cd012dcd010d07d3942a01df39e436d7c098010093a564726166740002cce3ccf31cd3d3fc3a3c07c733dcc098000093a56472616674ff03ccf6ccd405cf7c8f67208d9d17d6c098010093a564726166740301ccfacd010c1ed3bfb07edab31ca24bc098000093a56472616674ff04cc8bccbacd017ad39782761e2ff2be85c098010093a56472616674ff02ccf5cce906cf7bf602a333fcf228c098000093a56472616674ff00cd010acd010405d3d7148de55b14dae5c098010093a56472616674ff01ccebccc81bd3a5ad3240ea25888ec098000095a5706c61636502030401cd030bcd02ea06d3ffab51578af6bcaec098010095a5706c61636502030402cd022acd022007cf5558723d0421a8ebc098010092a5626f6e757396000100000100cd01b3cd01aa06d3bcba322a275f2f85c098000095a5706c61636503010301cd02b7cd02ab1ed3c60b630dbcecba9bc098010095a5706c61636504050100cd01bdcd01e207d3a2f2750efa058eefc098000092a47061737396020000000100cd0157cd01642fd3abf3c1e0b59f7a99c098010092a47061737396000001000000cd0159cd010c05d3fd8592341d1bc361c085a673636f726573922731a572616e6b73920201a7726561736f6e73920000a36f757492fefea8666f72666569747392c0c0c420abbbc9e432daa7d7ba012e3e703728c1443cfe6c0696b8adca97b88500995f0c
1	1	0	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030312d30a473656564c410f17560fdb3c4d8f58a70591a04251328a5626f61726400a7706c617965727303a4626f74739393a47065726ca131d9406335613261356334613633633865306433623737363864646137316261383635366132613062376230323635353936656561316239356634373131613664613993a36c7561a131d9403635616530383662306231633039616263313230623365323937383466366363653437646366333130333962353936616161346663376233333538653634663793a57468697264a131d94039393334386237383463663636623239346333303765383732343036373365313836353837663165636461623361353263373264376331336135356266333531a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c4a66c617965727393ce000fffffce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740204cd0c11cd0acb0bd39b34ebd5d5021f76c098010093a564726166740004cd0275cd020807cf4eb32629c4597085c098020093a56472616674040263cd028acd0f27cf6e8af4e45dbad22dc098000093a56472616674ff05cd0191cd014f11cf4bd3d086b45e98b5c098010093a56472616674ff01cd0431cd039109d39c008be53f8c164ac098020093a564726166740305cd0277cd024e09d3b533832cd3213526c098000093a564726166740103cd018fcd016e16cf46d1b8d62c278b8ec098010093a56472616674ff011ecd028fcd0266cf168f6773c237c241c098020093a56472616674ff02cd0302cd029406cf362fd7aff4778e7fc098000093a56472616674ff04cd01efcd014f05d3d3919964a07d685ac098010093a564726166740501cd0240cd01a605cf472d38511bfa03d1c098020093a56472616674ff03cd01e7cd015b04cf35e9cc0b4b624625c098000093a564726166740601cd0227cd011d05cf1dd876ed9224cfd3c098010093a56472616674ff00cd0353cd023805cf00e9237283c02271c098000095a5706c61636501000500cd04dbcd0571cd01efcf2cfda6b422cac8b0c098010095a5706c61636504020100cd0395cd036e05d38400d16ba0f4791ac098020095a5706c61636506020200ccdfcd04accd047ad3f69a17c9834b53b7c098000095a5706c61636501010501cd045acd036d05cf06dc1e3b479dd6b7c098010095a5706c61636506000400cd029ccd020405cf426fb6ff7c4c48d4c098020095a5706c61636506010500cd03a6cd032505d3caedfea7c2e91e32c098000095a5706c61636502000400cd026bcd01c305d3c5b2a5588391db0cc098010095a5706c61636505010000cd014acd013604d3f7cf39759cda8fb4c098020095a5706c61636506000300cd026dcd024705cf09144b79bdf65a45c098000095a5706c61636502010400cd01fecd018505d391c99d83590d7909c098010092a47061737396000000000000cd01efcd01b405cf4739683a87f023c9c098020095a5706c61636505000000cd020ccd015105d3d0315c5173e8405dc098000095a5706c61636502020401cd0227cd01b705cf52b7ccf8817b75a9c098020095a5706c61636500010201cd01a3cd014604d386e1dded9f2079b9c098000095a5706c61636503000300cd0138ccd305cf01275fa988130a7fc098020092a47061737396000000000000cd01f6cd014204cf7336369f03677c95c098000095a5706c61636504000100cd01b5cced05d3bf1776a179209049c098000095a5706c61636506000100cca57804d3b1a5794b9ba734c3c098000092a47061737396000000010000cc816604d3990e65dac8999a39c098000093a564726166740003cd0182cd010305cf79834f3147840a26c098010093a56472616674ff00cd027ccd023505d3a3a4e00d4c22385cc098020093a564726166740102cd0216cd01da05cf14e5a350d59092f5c098000093a564726166740204cd0144cc9705d3c966483650b8cf07c098010093a56472616674ff02cd0305cd019305cf59d810e7c9cb6766c098020093a56472616674ff03cd0290cd01b405cf4cacb4b99a6574eac098000093a564726166740505ccfecc9304cf5f77e74044207b0bc098010093a564726166740605cd018ecd017605cf274d4708bd6bb2d9c098020093a56472616674ff02cd0131cce404cf692ee5af80d3c1acc098000093a56472616674ff00ccd77a04cf69d28246c98a0819c098010093a564726166740304cd01bdcd015705d3f246863ac4cca7d8c098020093a56472616674ff03cd04d3cd012e06d3d0a46c885b5bdc12c098000093a56472616674ff00cd0156ccd805d3b7dbf655fde4548bc098010093a564726166740405cd0128cd010b04cf3cf9f92161c8315dc098020093a56472616674ff03cd0203cd017e05d393f3ddf11795557ec098000093a56472616674ff04cd0148cc9805cf68c78b7d68bf15b9c098010093a56472616674ff05cd013bcce804cf49312f1d8301efc8c098010095a5706c61636506010201cd0411cd037706cf1c9c9ea0b4245200c098020095a5706c61636503020301cd027ccd020105d3fb7ecc1e0e01c700c098000095a5706c61636502030401cd022dcd01bb05d3ce241714b4963803c098000092a5626f6e757396000000000002cd0101cc8d04d390e4422e2dcfd229c098010095a5706c61636501010500cd02eccd02ba05d3de17f2b7bca38894c098020095a5706c61636500000200cd01b7cd018104cf05e3f3b93be55fd7c098000095a5706c61636501020500cd015accfc04d3bfa76291ca5d1b9dc098010095a5706c61636501000500cd0263cd020e05cf3b3aae1753582d90c098020095a5706c61636503010300cd0120cd011204cf7b90b82fc8059a7bc098000095a5706c61636503010300cd0124ccf205cf5a61114c34d52833c098010095a5706c61636505020002cd01d6cd01bb05cf7af7122237c8a37bc098020092a47061737396000002000000ccf2cce704cf785a66ae0408b6cbc098000095a5706c61636506010000ccf5ccd905d3c930c963244894a8c098000092a5626f6e757396000000000001ccc8cc9e04d3a890ef1cb0e17d66c098010095a5706c61636502000400cd0287cd021e06d3fb6541097edd13e3c098000092a47061737396000000010002cc987d05d3cbd6b4e32a40ad40c098010095a5706c61636500000200cd0125cce504cf58073adef820b4ddc098010092a47061737396000000000000ccd8ccbf04d39bf02b01cd03840cc098010093a564726166740100cd012bcd011204cf6112686ef6e107c1c098020093a564726166740300cd0164cd011804d3bb055cc67ce1b940c098000093a564726166740201cd0114cc9004cf61512b7aa66cac59c098010093a564726166740401cd0156cd012605cf6df09a56379ddfc6c098020093a56472616674ff03cd0157ccee04cf54787970328d3d6cc098000093a56472616674ff05cd0104cc8604cf08dcf1503a3c1adac098010093a564726166740605cd013dcd010b04cf5adff2960ab80e7bc098020093a564726166740001cd01a6cd010a04cf1f87dc9b0702bd68c098000093a56472616674ff04cd01adccb906cf22c3983375d89c76c098010093a564726166740505cd0176cd015904cf4ce06fbc3b62d66dc098020093a56472616674ff04cd0118ccc905cf0a1a1e5309aeec98c098020095a5706c61636506050004cd03b8cd030e05cf57a56de4f59f91d5c098000095a5706c61636502040402cd0233cd01c905cf66fc37b8bd8d011bc098010095a5706c61636505040003cd02adcd027305d3ef440f2517a20571c098020095a5706c61636502010400cd027ecd01f705cf5fa58a38d834e290c098000095a5706c61636501030500cd014dccf305cf725592d68199d4bfc098010095a5706c61636504000100cd01dacd01ba06d3832b433f8d897741c098020095a5706c61636504000100cd0197cd012705d3858750030f83a71ec098000095a5706c61636504010100cd0105cca904d3a23ae5c1bfdc1d96c098010092a47061737396000000000000cd013dcd012105d3e212a91f8be61019c098020095a5706c61636503000300cd0187cd013904d383c50ae31d8ac1aac098000092a47061737396000000010001ccdc7f05cf4d9129207bc0425fc098020092a47061737396000000010000cd0188cd011304d3ae02c1d4a9ec0a81c098020093a564726166740100cd013dcd013104d3a31354da118e9887c098000093a564726166740001ccc8cc9004cf02982cf442391eb1c098010093a56472616674ff01cd01b6cd013804d3e52972a0ebfb87fcc098020093a56472616674ff02cd016ccd011404cf7871bde814801aa7c098000093a564726166740504cd0140ccb504d3e024232fe9a89bf6c098010093a564726166740305cd0161cd010704cf08506d8e84cf65fbc098020093a564726166740600cd014dccf405cf6bb7f4fe7cf23051c098000093a56472616674ff00cd0131cca605d3bad74efc3b2069e4c098010093a564726166740204cd014accf304d3a573d90df41406fcc098020093a56472616674ff02cd011dccd104d3b3222a868c5b54aec098000093a56472616674ff00cd012fcca304d394a7f675e512841ec098010093a56472616674ff05cd0159cd011805cf44c6c2f9281144b0c098020093a564726166740401cd017ecce304d3fcaa2484d4a4722dc098000093a56472616674ff01cd011dccac05cf0cadb8eab91ef791c098010093a56472616674ff02cd0109ccd904cf0ecdf831aa2cbd46c098010095a5706c61636501020502cd026dcd022005d3dccf06c7a7c91ef6c098010092a5626f6e757396000000000100ccfdcce304d3e1c23675b931ed16c098020095a5706c61636505010000cd028ccd027c05cf68b52e1be3d93601c098000095a5706c61636502050404cd0242cd01e604d39a97961e35ebf936c098000092a5626f6e757396000000000102ccf2ccd605d3e3e3f0ce1e0cc5f6c098010095a5706c61636502010400cd027dcd01fc04d3d764283ccad298f0c098020095a5706c61636505040003cd029acd024e05d3aa79fb0a39907dfcc098000095a5706c61636504020100cd016dcd011205cf149946975dc15a0bc098010092a47061737396000101000001cd0172cd013104cf0dccb6fad201128dc098020092a47061737396010000000000cd0210cd011a05cf20b44e620bf27736c098000095a5706c61636506020500cd0180ccd905cf53583cfe166d97b6c098000092a5626f6e757396000000000100cc8d7204d3cc0129a3525bac47c098000095a5706c61636505000000cc9dcc8404cf007d78d7f6dbce6cc098000095a5706c61636505010000cc937904cf02e19268782d689ec098000092a47061737396000000000200cc806804cf22b22490c3ff3667c098010093a564726166740405cd026dcd01a905cf0f743db277745979c098020093a564726166740105cd01b4cd015705cf00658f8640aa1d4fc098000093a56472616674ff01ccf3cccc05cf2d9b8907c67d570dc098010093a564726166740303cd0168cd011c04cf30cd0eaa23e6c54cc098020093a56472616674ff01cd016fcd011204cf735494821e44dd83c098000093a56472616674ff00cd0102cc9705cf4ae22a677ab99f9fc098010093a564726166740202cd0140cd010504d3d530c018a1c74bd5c098020093a564726166740500cd018fccfd05cf67fdd4ee56123466c098000093a56472616674ff03ccf2ccae04d3e54c27cbb35fd7ffc098010093a564726166740002cd017fcd011b05cf0255dd39a3ad7c22c098020093a56472616674ff05cd0144ccfc05d381b835dd119e148cc098000093a56472616674ff01cce27b05d3fb0d377839b7daa7c098010093a56472616674ff02cd017ecd010f04d3d08050c57f472ccfc098020093a564726166740600cd0115cccc04d3dd0bbba6fbbcaa3cc098000093a56472616674ff01cce47104cf4ff52f24ea8b1dbdc098000095a5706c61636504030100cd019ecd016904cf1ac73635621c2938c098000092a5626f6e757396000000020000cca3cc8504cf32c6e830d8cbb115c098010095a5706c61636500030200cd035acd032604cf0811e249277a47b6c098020095a5706c61636501030501cd0293cd027104cf3cc6faa2c62176dcc098000095a5706c61636504040102cd01ebcd018205cf0d01fad041a01cf8c098010095a5706c61636506030502cd024fcd01ef05d39544ddece296262fc098020095a5706c61636505020000cd0131cd012305cf3a3789a67d5418f4c098000095a5706c61636506030300ccd6ccca05d3d0851cf6cee86406c098010095a5706c61636503000300cd01afcd017105cf4bb225336c76b391c098020095a5706c61636504010100cd012fcd012405cf77dc65d01a3621b5c098000092a47061737396020000010000ccbaccaa04d3bf1bcfbd19e2e87cc098010095a5706c61636504010101cd019ccd015005cf5cb0208078f34ad1c098020092a47061737396000000000000cd015ecd013305cf2e918cc9ad06f7b7c098010092a47061737396000000000000cd0118cd010005cf562e4ef759be8450c098000093a564726166740200cd0120ccbc0dd3ba08ee36edaaacdbc098010093a564726166740004cd026fcd014405cf2861d52502a5dc88c098020093a564726166740603cd0218cd018405d3d4b168d784f00734c098000093a56472616674ff02cd014fccb204d3989b2418a25361b8c098010093a564726166740403cd01c4cd013e05cf1c742c06f00152b3c098020093a564726166740502cd0172cd011e04d3c89ec4daa6fb0cedc098000093a56472616674ff04cd013dccba05cf3ccfb5464295ee39c098010093a56472616674ff02cd0186cd012404d390efc961578477bcc098020093a564726166740300cd015acd010505cf246e5546db236884c098000093a56472616674ff02cd013bccbe0cd3cb934d980b9996e2c098010093a564726166740104cd03c6cd011706d3d5f95dc8d88a88bfc098020093a56472616674ff02cd019dcd010e05cf06d59af811e41914c098000093a56472616674ff03cd0156ccd604d3fc55b0af1b7408f3c098010093a56472616674ff00cd018ccd011a05d3895c57b9ddfa26c7c098000095a5706c61636506040200cd031acd02bf05d3b53eee1308bb7643c098000092a5626f6e757396000000000001cd0106cc9004cf4ad2b8073bd31705c098010095a5706c61636502040403cd0441cd03a205cf4da2832dfd7e0c76c098020095a5706c61636500020201cd0310cd02a305d3e6e3a9e56a4d504dc098020092a5626f6e757396000000010000cd01f0cd018005cf6781bc1f768f8cefc098000095a5706c61636503020300cd0234cd01da05cf0ec523e9530a3ac9c098000092a5626f6e757396000000000100ccbacc9504cf0fd12d8d936da504c098010095a5706c61636505000000cd023bcd01f505d3a7c64b38d4193979c098020092a47061737396000000010000cd023ecd01f00dcf71ef02272258d8bcc098000095a5706c61636505020000cd01decd01510dd3db1ddc73e3366121c098010092a47061737396000000000000cd0200cd015f04d3d9260556c0e801c8c098000092a47061737396000000000202cd03dccd037a05d3a73620ffb52434a3c085a673636f726573934f201ba572616e6b7393010203a7726561736f6e7393000000a36f757493fefefea8666f72666569747393c0c0c0c4207f74d2de6257ff50b603dccde06cc2368caa5e5f3a253e5769651d1b302bbbdd
1	1	1	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030312d31a473656564c4107a2f86ef25e7d21bc91d7ee49a756048a5626f61726400a7706c617965727303a4626f74739393a36c7561a131d9403635616530383662306231633039616263313230623365323937383466366363653437646366333130333962353936616161346663376233333538653634663793a57468697264a131d9403939333438623738346366363662323934633330376538373234303637336531383635383766316563646162336135326337326437633133613535626633353193a47065726ca131d94063356132613563346136336338653064336237373638646461373162613836353661326130623762303236353539366565613162393566343731316136646139a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c4a66c617965727393ce000fffffce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740602cd0246cd02d8cd0293cf1067923839230a8fc098010093a564726166740503cd03d2cd032a06cf7b967a8e9e037a0cc098020093a56472616674ff05cd0dd7cd0d9208cf3c37c0e17852e957c098000093a56472616674040257cd02cccd027cd3940ea1b64ac3fa02c098010093a564726166740204cd02b6cd025e0ed3babe47bded25cbbec098020093a56472616674ff05cd01cdcd01a106cf4bc398456d3cf110c098000093a56472616674010559cd022dcd01ffcf630966c898471a3ac098010093a56472616674ff02cd02b2cd024c05d3d8b0d70b2ae4378fc098020093a56472616674ff01cd0183ccbb05d3d848b7f09ba34595c098000093a564726166740004cd0176cd013104d3fa5d8045656d30a3c098010093a564726166740302cd01e0cd015204d3ed49ca2276aed4b9c098020093a56472616674ff04cd0127cca405cf789bfe79f288a8bfc098000093a56472616674ff03cd0145ccf705cf42591e99b0f1181cc098010093a56472616674ff05cd0185ccef04d38dc57643331cf209c098020095a5706c61636501000500cd0244cd01e106cf05e620cb0524d65ec098000095a5706c61636506030203cd03f5cd03cc05d3954611c42739ae51c098010095a5706c61636506000400cd0386cd030505d399171eddacdeb527c098020095a5706c61636501010500cd026ecd022305d396ccd429151a2916c098000095a5706c61636500000200cd01bfcd018705cf0e0efc617293893bc098010095a5706c61636506010201cd02a5cd02470ed38da8f40dc82e6176c098020095a5706c61636501020501cd01facd020906d397e7e93e95e2cfa6c098000095a5706c61636503000300cd01c3cd019f07d38196fa5012d5e313c098010095a5706c61636501010500cd01f5cd01d1ccb3cf2f9ee6979d6e0709c098020095a5706c61636502000400cd01adcd016a05cf72ffe7023fb59902c098000095a5706c61636506000300cd0172cd018705cf7da55e0ca17bfd9dc098010095a5706c61636503000300cd0204cd01a105cf5fefc3815c002daec098020095a5706c61636502010400cd0119cd013104d3a35bc9e3cca5b65fc098000095a5706c61636502000400cd0199cd019a1dcf380321b7cf2702e5c098010095a5706c61636500000200cd01aacd01a409cf44129e6c625f1bc2c098020095a5706c61636504000100ccf7ccdb05d38b09f40c9ee79292c098000095a5706c61636501000500cd0154cd015306d3e0095011562c7a61c098010092a47061737396000000000000cd0108cd012222cf58d8c29420d50602c098020095a5706c61636506000100ccc3ccc405d3f3bdddab2ff954c3c098000092a47061737396000000000000cd015ecd014005cf114e3f6e64c81b8fc098020092a47061737396000000000000cc93cc8d1ccf1c67f7ce1b7295f4c098020093a564726166740103ccd3cccf06cf7944f3faeedc7f93c098000093a564726166740002cd0158cd01471bd3e544dccdcb07c206c098010093a564726166740203cd0141cd01551ed3d60bb4567ff46f02c098020093a564726166740303cd0199ccd406d3b87354e2ce92ac1ec098000093a564726166740600cd01bccd01d81fcf636e079ca774e79cc098010093a56472616674ff02cd013ccd01513acf05b1c3472daf0e6fc098020093a56472616674ff04ccaccccbcd0357cf780b5f4242665e79c098000093a56472616674ff05cd0153cd013105d3e0d9f4ae7212022ac098010093a56472616674ff00cd013dcd012506cf5d5b413e652685d4c098020093a564726166740400cd0120cd011606cf49fc3e80f77d9febc098000093a56472616674ff04cd0159cd01591ed3866216f19a0d095bc098010093a564726166740502cd0140cd017420cf570bc85095831b5cc098020093a56472616674ff00cce4ccd305d3bbf651cac6815df8c098000093a56472616674ff03cd0160cd015805d3c4a9627713d057eac098010093a56472616674ff05cd0186cd018905d3ccbef8366b178495c098010095a5706c61636504000100cd0264cd024819cf0d641f24695964edc098020095a5706c61636502020400cd015acd016305cf446ddc58707a7907c098000095a5706c61636500010201cd0337cd03421ccf627dea9954ffa526c098010095a5706c61636500010200cd0219cd024512d3a4183f6da2c3c4e4c098020095a5706c61636506010000ccf0ccf51dd3fdf6529c3812284dc098020092a5626f6e757396000000000001cce8cccb05d3fbdbab449ee073cac098000095a5706c61636505000000cd01d7cd01ec1cd387e6ca2827393cfbc098010095a5706c61636505000000cd01ddcd01cf1dd398a447dcddfdee72c098020095a5706c61636506020300cd0101ccea06cf6eb7b71fd9fc81f0c098020092a5626f6e757396000000000001cc96cc8d1ad384428446bc4b0e88c098000095a5706c61636506010500cd01e4cd01bd06cf134845139bd84df2c098010095a5706c61636503010300cd01a0cd01be20d3ce57d9af09b814c0c098020095a5706c61636503000300cd0111ccf60fcf07a6914ae4f50ae8c098000092a47061737396000000000100cd0159cd01b3cd01adcf7a5c1be8f6efd49dc098010095a5706c61636501000500cd0177cd013905d3ea5eab377ae7ad14c098020095a5706c61636503010300cd010bccf806d3aa5ad2a9b6627021c098010092a47061737396000000000000cd0124cd010406cf5cd838ff5703c386c098020095a5706c61636505000000cca2ccb71ccf4e0a0ac3194fbd8ac098020092a47061737396000000000002cce7ccbe06cf30d3bd7c578bb03cc098010093a564726166740404cd0160cd014406d3e629cb6c6b767640c098020093a564726166740303cca9ccac1ccf185881bb2f05ee20c098000093a56472616674ff05cd01ebcd023211d384801394656cbc66c098010093a564726166740104cd0140cd012306d3a4b85bcec6d0c4f5c098020093a564726166740601ccd3cce51ecf1d06e57fd7b956aac098000093a564726166740204cd014dcd017304d3fc634499d461bfd1c098010093a564726166740000cd014ccd010b05cf256bcb0fbc3f825cc098020093a56472616674ff00cc9cccb31cd3bbd0ce7452e67e05c098000093a56472616674ff05cd0122cd014905d3bf2c5cbd20fe1bdfc098010093a564726166740504cd014ccd012506cf0086a77c43a38433c098020093a56472616674ff01cca2ccac1dcf3ff292d37ebaff4fc098000093a56472616674ff04cd010dcd010906d3b9f3d9278b189bdac098010093a56472616674ff05cd0124cd011d1dcf771ead9f4a623829c098000095a5706c61636506020401cd01bacd016c06cf1b27fb1d75f2fff7c098010095a5706c61636502040402cd023acd023f1bd38dc4fa3a10c0f500c098020095a5706c61636503020300cd017fcd018305cf65d980de155cebecc098000095a5706c61636501010500cd0180cd01711cd3c5a7d6da929131b9c098010095a5706c61636502010400cd01d1cd01cd06d3c16bd4290fd154fdc098020095a5706c61636504010100cd011fcd010806d3cdd16678bcfa8dd9c098000092a47061737396000000000000cd0131cd014e1ecf403b0da4ff2f72eac098010095a5706c61636505010001cd016ccd014f05cf31e97ad057f0b679c098020095a5706c61636504020100cd0110ccfa06cf22d82f2d427d7293c098010092a47061737396000000000001cd0139ccf806d391230723a99d75cec098020095a5706c61636505010000cccbcce01ccf21f61298a7d398b6c098020092a47061737396010100000002cce8cce506cf3ae4f330534fa197c098000093a564726166740401cd020ccd02211ecf3acf230b02a36476c098010093a564726166740002cd0135cd01311dd3f84f07fe29edf1cec098020093a564726166740202cce9ccad06d3f58b5903def040e6c098000093a564726166740101cd0130cd01341dd3fe1fa84af9b4f955c098010093a564726166740305cd0133cd013005cf2097481e95de432ac098020093a56472616674ff00ccc5ccc41bd3ceeff2dcdb433adec098000093a564726166740602cd015fcd015a06cf4469c1f017cf84a4c098010093a56472616674ff04cd010dcd01071ed3bedeb935d1befd13c098020093a564726166740501ccaeccaf06cf16c874d1b7c05fa5c098000093a56472616674ff02cd010ccd01061dd3b31411a2a4d44c7bc098010093a56472616674ff05cd0139cd013406d3da6c9c462b6cb4cdc098020093a56472616674ff01cc9ecc9b1bd3fe01c6bda84654ddc098000093a56472616674ff00cd0113cd010f06cf51a3e1574c8b816cc098020095a5706c61636504030100cd0194cd01a91bcf13e62f6807a8ae63c098020092a5626f6e757396000000000200ccbfccb706d3a2b1280291a8ae5bc098000095a5706c61636505010001cd0226cd021e1ecf566101185d37fdb6c098010095a5706c61636502020402cd0276cd023d06cf3844f51551854822c098020095a5706c61636505020000cd0253cd023f06cf667295e659cf4594c098000095a5706c61636504010100cd025ecd02af2bd3a794655471209f6ec098010095a5706c61636501020500cd0240cd022c05cf243dcf3ab17c15c6c098010092a5626f6e757396000000000001cd0135cd012d06d38e9e55e91ab7d43bc098020095a5706c61636500000200cd0213cd020a07cf3484362f7ceb0b1cc098000095a5706c61636500020201cd01f5cd01d105d3dc5bd39e170c8e17c098010095a5706c61636502000400cd016ccd016d25d3af070eeb5c4c11a4c098020095a5706c61636500010200cd01a3cd01c505cf7ab96d194edb8aa7c098000095a5706c6163650400010000cd0197cd017dd3bb3bb7b0b2b0d671c098010092a47061737396000001000101cd0180cd013605cf42fde1e8839f34ffc098020092a47061737396000000000202cd0124cd010e06cf7105802a6e74dcc9c098000092a47061737396000000000000ccf2cd011820d3d4550cdc106270f7c098020093a564726166740000ccd8ccbe06d3d2d38b557ccaf1cec098000093a564726166740200cd0120cd014620cf0bc952266b0ec456c098010093a564726166740402cd0196cd019605cf2ac6a366a40a2e3cc098020093a56472616674ff00ccebcca405d38d29154f4672b8f2c098000093a56472616674060100cd011acd010ecf7ad77d54bd1e425ac098010093a564726166740505cd0185cd016005d3fb686702a015b87cc098020093a56472616674ff03cd0103ccb805d3c3d9920654fc3c2fc098000093a56472616674030000cd0142cd013ad3a05622be78daf409c098010093a56472616674ff00cd0150cd012a05d3dbf2065b90a055a9c098020093a56472616674ff01ccfcccb305cf021a5c8451b7cf9dc098000093a56472616674ff0200cd0143cd013ad3dfa8a877b3fdff6ec098010093a564726166740102cd01c9cd01a105d3b627d50b3eb7064dc098020093a56472616674ff03ccf7ccbf10cf5af81aa4a5d93ec3c098000093a56472616674ff0500ccedcce4cf23d5c17fbeb88ea0c098020095a5706c61636504040103cd02d8cd029506cf360b312d6df0fa07c098000095a5706c61636502010400cd0300cd02cb08cf5942a30d24d569fcc098010095a5706c61636500040202cd0248cd02312bd3dbce56b463afcf92c098020095a5706c61636503030300cd0110cd011e06d3f41f6c39bcb6a563c098020092a5626f6e757396000000010001ccd1cccd06cf0ea0b16e6ff83092c098000095a5706c6163650502000000cd0257cd0250d3e3470f9250133c43c098010092a47061737396010000000001cd01d1cd015106d3df890f07253f86cdc098020095a5706c61636505030000cd0122cd010c06d3fb860a7f08b598b3c098020092a5626f6e757396000001010000cc9fcc9519cf4b008bda8658500fc098000092a47061737396000001000000cd0149cd018c27d3ee991af207a59ab2c098020092a47061737396000000010003cd0101ccd005d3a35c5fde3025b93ec098020093a564726166740501ccbbcc9705d3807d7c8df86aac9dc098000093a56472616674040200cd0144cd013ad380a8ead30aa107aec098010093a564726166740602cd0192cd014405d3a2183444698616fec098020093a56472616674ff04cce0ccbd05cf1fc5c5673b46dddfc098000093a564726166740203cd0137cd013706d394c472aa6994d1bac098010093a564726166740002cd015fcd015805d39fa8de0eda2121b7c098020093a56472616674ff00cd0101ccda06d39a0dacd65e796271c098000093a56472616674ff03cd011acd010208cf6d31d656477d9710c098010093a564726166740104cd0144cd011305d39532d22efef9a842c098020093a56472616674ff01ccdeccb706cf7b578ffff98d784ac098000093a56472616674030400cd0104ccfecf068b57281601acbcc098010093a56472616674ff02cd0190cd012305cf6581c0a1521e9b5dc098020093a56472616674ff0350ccadcd0164cf16f66f5795fe0947c098000093a56472616674ff0013ccefcce7d3ba5ed56c60aeba16c098010093a56472616674ff04cd016dcd016306d3d98937169ee62e3fc098020095a5706c61636504050101cd024bcd027205cf672a5742a175fd07c098020092a5626f6e757396000002000001ccc4ccc906cf62b3bcd234fcf132c098000095a5706c6163650302030100cd023bcd0231d39c79067fbf6cb43ac098010095a5706c61636500020200cd0241cd01e305cf651656dcf3f56fe8c098020095a5706c61636503040302cd0261cd026105d3f756c913c72ae420c098000095a5706c6163650301030000cd01e9cd01dcd3d8c9b7eb701e5ee2c098000092a5626f6e757396010000000000cd0132cd011205cf1055834e7c84e377c098010095a5706c61636506020002cd0220cd01da05cf472641258fe556e8c098010092a5626f6e757396000100000000cd015fcd011b05d3d5e410989fd966e8c098020095a5706c61636505040003cd0153cd01571fcf188fadee2004fedac098000092a4706173739601000200010000cd017acd016ecf3292dc2ec300f16bc098010092a47061737396000000000100cd0165cd011606cf06b23bfde549509ac098020092a47061737396000002000200ccdfccbf05d395c42855e15be62cc085a673636f72657393252154a572616e6b7393020301a7726561736f6e7393000000a36f757493fefefea8666f72666569747393c0c0c0c4200519d54ac11ba7ccf07bb5cffa5cef2011fcb0f227d1291ec920d66aed3ba32d
1	1	2	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030312d32a473656564c410de84e8996ededa695a9a1a9db673a79ba5626f61726400a7706c617965727303a4626f74739393a57468697264a131d9403939333438623738346366363662323934633330376538373234303637336531383635383766316563646162336135326337326437633133613535626633353193a47065726ca131d9406335613261356334613633633865306433623737363864646137316261383635366132613062376230323635353936656561316239356634373131613664613993a36c7561a131d94036356165303836623062316330396162633132306233653239373834663663636534376463663331303339623539366161613466633762333335386536346637a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c5a66c617965727393ce000fffffce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740004cd0228cd024406d39d490c8f67a5d8a3c098010093a564726166740105cd0893cd089306cf0fec566009bc1eb4c098020093a564726166740405cd01c7cd020327d3ca668eac4dce9782c098000093a564726166740604cd023ecd022606cf1e5dc102bece4bcbc098010093a56472616674ff01cd0102cd011805cf238b09eb539ff8d1c098020093a564726166740504cd01a8cd019606cf6f2109662f3f00cbc098000093a564726166740203cd01b6cd01ed20d38293862908e548d3c098010093a56472616674ff02ccbfccc506cf5bbea0aac841cdfdc098020093a564726166740301cd017acd017e1dd3958f32004fa1d0c8c098000093a56472616674ff04cd0121cd018004cf547f2379c2ca12c5c098010093a56472616674ff01ccd0ccba05cf6c4939c6730b2310c098020093a56472616674ff05cd018fcd018604cf4901466278307164c098010095a5706c61636500000200cd0197cd018007d3c9420b0abaf91ce2c098020095a5706c61636506010401cd027bcd02841cd3e554c13e8f9933dac098000095a5706c61636506010401cd0228cd022d06cf342b5463e1f2b6a5c098010095a5706c61636500010200cd0192cd017805cf206e1a9911803e25c098020095a5706c6163650602050010cd0179cd017fcf2bac17a85c6fe291c098000095a5706c61636502030400cd019ccd01a406cf1659e722a3d5d588c098010095a5706c61636501000500cd0164cd01a41ed3c0cf7ddb509012e9c098020095a5706c61636506000100cd019fcd01b81dcf3a15b20bd4c4511fc098000095a5706c61636503000300cd012bcd01321ccf64d65670e6b671f0c098010095a5706c61636504000100ccf2ccf11bcf4ba04f251b102713c098020095a5706c61636502000400cd01a4cd01b106cf74f96336621c54e4c098000092a47061737396000000000000cd0127cd010e05d3a21c4f9f70fb3ddec098010095a5706c61636504010100ccf2ccf51cd39b9c35c8f7990379c098020092a47061737396000000000000cd017bcd019805cf2dbcf09c9578545ac098010095a5706c61636504020100ccf0ccf306cf3e6430c62810f354c098010095a5706c61636506000100cce2cccc05d3a4fb8b431757d50fc098010095a5706c61636506010200ccc8ccbe18d3c45ca0ee01438ee1c098010092a47061737396000000000001ccf1ccef06d3fdbfed3bfbdb31efc098010093a564726166740004cca8cc9d1acf044fa4c0834d7313c098020093a56472616674ff00cd0172cd017e1bcf353d0dcb78393805c098000093a564726166740100cd016fcd015406d3eb5fe39cb98df7ffc098010093a56472616674ff02ccd9ccbf04cf3c60ea02d6512e20c098020093a56472616674ff05cd0178cd017404cf51c0828ecac4c6d9c098000093a564726166740203cd0148cd01451cd3d50c88d0c0a4c6b9c098010093a564726166740300ccf0ccd006cf559d8e391ba47a79c098020093a56472616674ff05cd011ecd011a1bd3a4e5da76b76a5582c098000093a564726166740400cd0146cd016d04d3ccb10aaf27ebb188c098010093a56472616674ff04ccb4cc9e06cf0a646aa3f017ab99c098020093a56472616674ff03cd0129cd012606d3a8c7e318d87471aec098000093a564726166740500cd0154cd019a04cf4a97001a7d4d2678c098010093a56472616674ff02ccb0cc9906cf3b370a6c416dae6ec098020093a564726166740604cd0103cd01191cd3fd6cabe94438496ec098000093a56472616674ff02cd014bcd014206d3cb881790e0202085c098010093a56472616674ff05ccc2ccaa05cf42e03e1db231d5fcc098020095a5706c61636501010501cd020acd02421acf56857fa825d70fd7c098000095a5706c61636505040000cd034bcd030c06cf04d0caaef032c7dac098010095a5706c61636500020200cd01fccd01d01ecf05268293c131fad2c098020095a5706c61636505000000cd01adcd01a406d3ed7cad6aad25a0d7c098000095a5706c61636500020202cd022bcd020a05d3eab4250280bda38fc098010095a5706c61636506020400cd016fcd018207cf1fa3a06073f7d042c098020095a5706c61636501000500cd016ccd016a1ccf796cb53f8a567cfcc098000095a5706c61636506000300cd01a5cd019b05d39fbfb42a91547ec6c098010095a5706c61636501010500cd014fccf804d3b061a88a2f37e885c098020095a5706c61636503000300cd0161cd016106d38a3932b62a316989c098000095a5706c61636500000200cd01c2cd01df1ed3eb067b9497e6fe9ec098010095a5706c6163650200040033cd016acd0148cf6c9d715b0cd1bd9fc098020092a47061737396000000000100cd018ccd013a04cf6c19ac7291460b1bc098000092a47061737396000000000000cd012acd011306d3d2dd5b2165f0f2fac098010095a5706c61636505000000ccf7cce806cf22659d51a881404fc098010092a47061737396010001000000ccc5ccc405d3b4d7213a3906a8bbc098020093a564726166740001cd0188cd01a41bd3ca6c55dbb2d7be00c098000093a564726166740300cd013fcd013a1dd3eab3f4eb0855a4a9c098010093a564726166740503ccd3ccbd06d3de4c61baa0891aebc098020093a564726166740605cd0176cd01721cd3e9b5b7ef9fe3cc3ec098000093a56472616674ff05cd0143cd014406d3f7305351c915dbe6c098010093a56472616674ff03ccacccae1cd3806c3b3fea46f8d6c098020093a564726166740403cd0134cd011806cf6cc7cd95cb85887fc098000093a564726166740100cd0118cd01131cd3cc9b55b8906cb31bc098010093a56472616674ff01ccd3ccf606cf499c92a370378a7ac098020093a56472616674ff04cd011acd01121bcf7e38f1c362be4d50c098000093a564726166740203cd0122cd011f06d3ec5ede74e2eb6bb6c098010093a56472616674ff00ccc6ccbc1cd3f8a30a2e5fb02edac098020093a56472616674ff01cd011fcd011c05cf6081e4b241ef84f6c098000093a56472616674ff05cd012fcd011205cf6f9d896101351cd0c098010093a56472616674ff03ccb6ccce1bd392db479f68d8d1b0c098000095a5706c61636506030002cd0295cd027306d3dd06454ba1ee0daec098010095a5706c61636506030001cd0173cd017506d3c237411fbec9d486c098020095a5706c61636501020502cd0323cd03211dd3e6a6b573c5f6e3bec098020092a5626f6e757396000000000100cd0151cd013210cf36a34ffbff10942bc098000095a5706c61636506020500cd01efcd01ab05cf7821acb7dc4e4367c098010095a5706c61636506040300cce0cce41dd3afe9b79b9c101ae5c098010092a5626f6e757396000000000001cc97cc8d18cf0499a20e59bf3d08c098020095a5706c61636502020400cd022fcd021506cf293b118eeed40ad2c098000095a5706c61636501000500cd0129cd01281cd3f41316a5a2eaeb12c098010095a5706c61636503000300cce4cce906cf000f5d36f102a048c098020095a5706c61636504010100cd0150cd014c1bd3b36cba190e18033dc098000092a47061737396000000010000cd014fcd014606cf0a35e4fbe12737d7c098010092a47061737396000200000001ccafccad1bcf522533162ffd3079c098020095a5706c61636504000100cd0148cd014606cf05a0286d12aefcffc098020092a47061737396000000010100cd0130cd011919cf008f35b594a9edddc098000093a564726166740200cd0153cd013706d3ff18252bf64eace1c098010093a564726166740300ccb1cccb1bd3aafe8229433beff5c098020093a564726166740501cd01b4cd01af06d3c01ed69170fc5455c098000093a564726166740005cd0123cd011e1cd3a507495cf7e1bac3c098010093a56472616674ff02ccc4ccc806d3ee994daa8851dddbc098020093a564726166740101cd011acd01141bcf700020cf17add93dc098000093a56472616674ff01cd013ccd015206d38f54a25ccaadd0ffc098010093a564726166740404cc9ecc9b1ad3d90729080af89d76c098020093a564726166740605cd0126cd012306d3a5e348eb37b6bb4bc098000093a56472616674ff01cd0135cd01251ad3fd0efa059702e3b2c098010093a56472616674ff02ccb7ccad06d3ab4df472cc360309c098020093a56472616674ff05ccfeccf81ccf485f04ae458650f0c098000093a56472616674ff04cd013acd013806cf652da33601918544c098010095a5706c61636500030200cd030fcd031a1dd3d2603a01b7bd96dec098020095a5706c61636504030101cd0222cd022305cf3d532b73240c2868c098000095a5706c61636504050104cd0354cd03481cd3b94fb65aaca44a99c098010095a5706c61636502010400cd026ecd02aa04d3b5f5acaa9bb10f6ac098020095a5706c61636501030501cd01a2cd018706d3a888c272832bbdbfc098000095a5706c61636505000000cd01d7cd01d306d3e92e8aa2df7aa64ac098010095a5706c61636505010000cd0189cd01b806d3bb818cb13bb49157c098010092a5626f6e757396000000000002ccb7ccc506cf3ec67373f14c3570c098020092a47061737396000000000100cd0116cd01161cd399e057e333a461f6c098000095a5706c61636502000400cd01a6cd019d06cf5c218075c89f1761c098010095a5706c61636501020500cd0115cd01191dcf02630b33e0ad51d6c098010092a5626f6e757396000000000001ccc0ccbe06d38bb7fb23f8ee09dec098000095a5706c61636504000100cd0154cd014d1dd399f3c66d0f35ea3cc098010092a47061737396000002010001ccddccdb1dcf06b9367eb03fbdd4c098000092a47061737396010000000000cd0151cd013106d3ca3609eda9e527fac098010093a564726166740103cca6ccd81bcf1f47a2f76f6fbe6dc098020093a564726166740200cd0170cd016d05d38d31b778629fa6d0c098000093a564726166740300cd0184cd01751cd3a0752b3914141616c098010093a56472616674ff01ccc0ccc306d39cef591745cc8856c098020093a564726166740502cd0141cd011c1ccf6649103c0e1381d7c098000093a564726166740400cd016acd017106d3be4096a9c4a35257c098010093a56472616674ff02cca3cca71dd3c182ea6855d6e938c098020093a56472616674ff01cd015ecd015706d386462a8cfa0cfc3bc098000093a56472616674ff05cd011dcd012a05d3f2e756b7729cb3a0c098010093a56472616674ff03ccb0ccb206d380f7fe9c85fb56a9c098020093a564726166740002cd015fcd010319cf7df3db362d380367c098000093a56472616674ff03cd0141cd013c05d3a55945a43377d02ec098010093a5647261667406050779cd0170cf2a34e7d3900a4af5c098020093a56472616674ff04cd0152cd014906cf28bda18b7ccb1a84c098010095a5706c61636500040200cd0220cd020706d3f73ed60e8b0b1c3ec098020095a5706c61636500030203cd02e7cd026305cf580a49f118c60268c098000095a5706c61636505010001cd0205cd022e05cf701716dd24ee3104c098010095a5706c61636501030501cd028bcd01c178cf642671ab41d7d244c098010092a5626f6e757396000000000101ccdacc9704cf526f9ba2a16e3c32c098020095a5706c61636500020202cd01c1cd01db1ed3da6a9608ac7f950ac098000095a5706c61636501010500cd01d4cd01cd05d3e34214f8fee58addc098010095a5706c61636504030101cd0199cd018605cf44075aab6e79f19ac098020092a47061737396000100000000cd01e8cd01c906cf2996c9197b070fe1c098000092a47061737396020000010000cd0147cd016e21cf39fd9204664e5b21c098010095a5706c61636503010300cce9ccee06d3a1407443649ccf14c098010092a5626f6e757396000000010100ccc8ccbf1bcf6d5466b89a2261acc098010095a5706c6163650302030000cd011dcd0220cf5025130e2d5cca5fc098010092a5626f6e757396000000000001cd01dcccda07d3ebfab4d3a0b9868fc098010092a47061737396000000010102cd0123ccfa04cf3b23f30122ad88bfc098010093a564726166740101ccd8ccc619cf2f6464da9cbf61d8c098020093a564726166740602cd015ecd016820d3c8e6203bca7b4d5dc098000093a56472616674ff04cd0179cd01a706d3eb5cf3e1f9cc7d57c098010093a56472616674ff03ccadccaf1ccf3f5087793ef175e8c098020093a564726166740002cd0126cd01211cd3d427ce101124e973c098000093a56472616674ff01cd0158cd01531ccf27566a120f438728c098010093a564726166740200ccd5ccd31bd3a57daae3f0013b70c098020093a564726166740404cd0121cd011b1bd3c23ef489a41d1493c098000093a564726166740502cd0161cd013e06d38f8f4e28a7cad608c098010093a56472616674ff01cc9bcc9a1bcf2b4a23ea9a807a16c098020093a56472616674ff02cd0120cd012006d3d9fdbfae5938931bc098000093a56472616674ff03cd0131cd013e06cf3b125ef77c9f7c6bc098010093a564726166740301ccaeccb106d39f5d2f5ed3034056c098020093a56472616674ff02cd0108cd01031cd3fd8389e42e42abb9c098000093a56472616674ff00cd0168cd016d04cf370440149fb06d58c098000095a5706c61636502010400cd02e0cd02a823d39befc124cc1d90b4c098010095a5706c61636504040100cd0211cd01fd04cf271147fb0f0e080dc098020095a5706c61636500040200cd021ccd022c06cf120734d4c8f10813c098000095a5706c61636503030300cd02a5cd02be1dd3bc6ac18532d4d501c098010095a5706c61636503030301cd01b9cd01c11dd384503566cfb05162c098010092a5626f6e757396000000020000cce6cce405cf36458994064b874bc098020095a5706c61636502010401cd016ccd016c06d3efa2a95a94e2ef4dc098020092a5626f6e757396000000000001cd0166cd015819cf682dd1e2b43f3216c098000095a5706c61636505020000cd01bbcd01c906d3973ebc2ccdfcdd98c098010095a5706c61636502020402cd01c1cd01ad06cf2d66b9cb4926a731c098010092a5626f6e757396000000000001cc9fcc971ad3803873ae1a4dc00cc098020095a5706c61636504020102cd0145cd012c06cf23e9ae1092435288c098000092a47061737396000000000000cd0140cd014006cf6d525bef9f7a4f65c098010095a5706c61636505020001cd011fcd012506cf0d2fbda29c635002c098020092a47061737396000000000000cd0150cd012906d3c0484811a2d22198c098010092a47061737396000200020000ccc0cca606cf530b6d4adb0340a4c085a673636f726573931e5828a572616e6b7393030102a7726561736f6e7393000000a36f757493fefefea8666f72666569747393c0c0c0c420c5824449421ec57298ddf108a905b15eed44566efb38ee67fabb90ff8e0dc165
1	2	0	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030322d30a473656564c410f917c06f7ddd47226749df74eb7d3adba5626f61726400a7706c617965727302a4626f74739293a47065726ca131d9406335613261356334613633633865306433623737363864646137316261383635366132613062376230323635353936656561316239356634373131613664613993a57468697264a131d94039393334386237383463663636623239346333303765383732343036373365313836353837663165636461623361353263373264376331336135356266333531a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c6a66c617965727392ce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740102cd0990cd094013d3f01ebefccfdd2576c098010093a564726166740404cd0215cd022907cf6efd49548d511176c098000093a56472616674ff03ccb6cca706d3fb859d5e09e85bbdc098010093a564726166740002cd01b6cd01b408cf7c0f890109074051c098000093a56472616674ff04ccb2cca805d3fc6d998aa00fddddc098010093a564726166740202cd014ecd017105cf4e804bab2b89d0a3c098000093a56472616674ff014f7d68d3b0be13a6a55f3453c098010093a564726166740302cd01bbcd017e05cf1140420210938ad6c098000093a56472616674ff0300796ad3ebc7cce3888db808c098010093a56472616674ff05cd0196cd017805d3dbb856083be852fec098000093a56472616674ff04ccb36c05cf648ff0c17fb361b4c098010093a56472616674ff01cd0120cce805cf35448d8e8b5ad025c098000095a5706c6163650000020000cd01a1cd0172d3b1759f68e5256bf6c098010095a5706c61636502010401cd02f8cd02b306cf76c30a4e9cde20f7c098000095a5706c61636502000400cd012ccd016704cf156decbb5c54c7c3c098010095a5706c61636506000400cd01a5cd01ba07cf6c1e3c3b1ff55207c098000095a5706c61636502010400cd0144cd012805d3d555269cb5f6c235c098010095a5706c61636500020200cd01d9cd01b305cf6d283f9513ff408ac098000095a5706c6163650300030000cce1cccccf588259f8265fdb6cc098010095a5706c61636500000200cd014fcd015705cf13383381800b0f38c098000095a5706c61636503010300cd010cccc305cf0206fb2191706dbec098010095a5706c61636501000500cd010dccec05cf28844475ff44f797c098000095a5706c616365040001004fccaecc9bd3abb0218955db8b43c098010095a5706c61636504000100cd014fcd012b05cf3534d5bd2bfe9132c098000095a5706c61636506000200cd01a9ccbccc89d3a5fc2a1312c7ddbac098010092a47061737396000000000000cd0139cd011807cf29a9b5d13e81aeb5c098000092a47061737396000000010100cd010bcca905d3ddeb88ca9ee8bb8fc098000093a564726166740003716504cf2cce1f6356b379b9c098010093a564726166740400cd013dcd017a05d3be5a73ad4c26c0b1c098000093a56472616674020500cc856acf4859b40744af2bdec098010093a56472616674ff05ccf8ccf404d3c42bda17db85bb5dc098000093a56472616674ff04007566cf4aef1042ad8524dac098010093a564726166740104cd0148cd013d05cf1088ee1308018d12c098000093a56472616674ff00006d60d3ab8bba007c033aa2c098010093a564726166740303ccf2ccee05cf6d3b921e812a05cec098000093a56472616674ff03006b5fd38f228c7eef42ffb9c098010093a56472616674ff05cd0101ccfa05cf328a379e18dac51fc098000093a56472616674ff0442671ed3b5abb11ff8ebe4d8c098010095a5706c61636506020001cd02f2cd02f407d3ad02632503230ce7c098000095a5706c61636502020400cd0265cd02982acf7548db3df77447d5c098010095a5706c61636501020501cd024acd022b05cf19b9e59a95895067c098000095a5706c61636503020300cd01aacd01d206cf0a30203ead95c70cc098010095a5706c61636503010301cd0139cd012e05d3fe4d78b1f6274b63c098000095a5706c61636504010100cd015bcd015f05cf2effe84960693710c098010095a5706c61636502000400cd0137cd010e05cf6553e4ccbe241103c098000095a5706c61636506010500cca5ccb806d3ca9574c73a9a0691c098010092a47061737396000000000000cd0148cd012705d3b13dc87e3fd766d5c098000095a5706c6163650500000051cc8d78cf3c9ed7cd5b3fb622c098000092a470617373960000000101005e5304cf0aab554df8bcd48ec098010093a564726166740404cd0180cd019205cf290b997ba07c0e83c098000093a564726166740001cc867e05d3c3de2f9099cef640c098010093a564726166740100cd01d4cce905d392f5e00f235b5e22c098000093a56472616674ff03ccdbcc8a04cf29d45e98c1d66ba9c098010093a564726166740301cd0137cd011d05cf24913a373dce496dc098000093a56472616674ff0579cc8f04cf63731584ec12f2adc098010093a56472616674ff01cd014acd011d04cf5c99c0ff04dbef18c098000093a56472616674ff04cc946705cf6bd3a682c91cb1bbc098010093a564726166740201cd010bcce805cf39e33da405ca6987c098000093a56472616674ff0372cc8a04d3b0623d4618cdff85c098010093a56472616674ff04cd0174cd013806d3d9b8bc257d2f71fbc098000093a56472616674ff05cce8cc9105cf080577848dfcd30ec098000095a5706c61636503030300ccf5cd01d5cd01bacf57550448f5520cf7c098000092a5626f6e757396000000000002746805cf2b80b258d207ca8ec098010095a5706c61636506010100cd0234cd01f806cf0a4ed5ec82aac9f0c098000095a5706c6163650402010100cd0163cd014bd3b0c96300ac0cea31c098010095a5706c61636504010101cd019acd015707cf0c8f7d9d56e65b02c098000095a5706c6163650100050000ccbccca9cf499919b79ac4de3bc098010095a5706c61636505000000cd0178cd015106cf39b4816bc1e9f5c7c098000095a5706c61636501010500cd0113cccb04cf4e57a94633462eb9c098010092a47061737396000000000200cd017fcd014206cf220e87d396caa984c098000095a5706c61636501020500ccafcca605d3f44512139d338f3cc098000092a5626f6e757396000000000001635804cf7aa3e1a641d21ebac098000092a47061737396000000000202ccaacc9f04d3954ab45b1d727341c098000093a5647261667401006b6005cf6aca6c8121de7f3ac098010093a564726166740402cd0129cd010705cf4c7b46ce803309c3c098000093a56472616674ff05007d68d3931906fb7ebd1db9c098010093a56472616674ff02cca9ccffccb3d3e65804d4f8c4f1dcc098000093a56472616674020214cca06ecf759f127a359b9495c098010093a564726166740005ccfcccf105d3d9042828e93bb277c098000093a56472616674ff0100cc9dcc8bd3c163e8bbe991d67cc098010093a56472616674ff04cd012dcd010405cf6b0e38d3d5c6958cc098000093a56472616674ff02cc85cc9504cf7fd6844fd4c6d586c098010093a564726166740301cd0141ccf005cf273573de5adc4ecec098000093a56472616674ff00cc8f6836d3ba7d7aa787297ce2c098010093a56472616674ff05cd0116cd010505cf7b5ddb347562a60ec098000093a56472616674ff02006657cf36f27b1121189cc4c098000095a5706c61636501030500cd02fdcd02a907cf45f487fa885deec9c098010095a5706c61636502030402cd0326cd02ed06d3e8feed373c0652ffc098000095a5706c61636506020000cd0215cd026f05d3c4e1316e14ee825ac098000092a5626f6e7573960000000001006c6004cf2dc6e9d427057176c098010095a5706c61636501010500cd01f7cd01ee05d3a26dd51fc5d962dec098010092a5626f6e757396000001000000cd012fcd012519cf61baa52801dbb59ec098000095a5706c6163650203040100cd014dcd0131d3f8a7968ffc696eaac098000092a5626f6e757396000000020000cccb5906d3bfd16b9a1be713f1c098010095a5706c61636500010200cd0162cd014405d38f6bcbc3939a800fc098000095a5706c6163650001020050ccf2ccdad386a1c636e8bc9f5dc098000092a5626f6e757396000000020000cc90cc8504cf58da2ddbf2eb7358c098010092a47061737396000000000000cd0146cd010d05cf5d9c0a2c6529e6f5c098000095a5706c616365010405044dccefccdecf3dda044c88ca6c47c098000092a47061737396000102000000cc887d05d3a93f70a84b94040ec098000093a564726166740000665b05cf7f6712162a4d61f4c098010093a56472616674ff04cd0110ccef05cf48e199570ce9c664c098000093a564726166740100007765cf6bc468486a56cdb4c098010093a564726166740403cd014fcd012e05cf121173fdee6946b0c098000093a56472616674ff00ccb0ccc304d3cd6f6525f26c89f7c098010093a564726166740205ccf2ccd704cf42a9c44073fb3786c098000093a5647261667403013d6d23d3a96501bb11740729c098010093a56472616674ff00cd0113ccf105cf41a07a60ddf37683c098000093a56472616674ff0100cc935bcf203b43e3e58f179fc098010093a56472616674ff05cce5cce005cf290a852867817b50c098000093a56472616674ff02006c5ccf6a9ff33f9d72a0c4c098010095a5706c61636505020002cd01b5cd01b005d3ef7b29d811c2bb8bc098000095a5706c61636504030100cd0167cd01881ed39a3e04db8211cf4ac098000092a5626f6e757396000001000100726705d38bd5bdebb480f8bfc098010095a5706c61636503000300cd015ccd012105d3fbcc4ec29efbc371c098000095a5706c61636506030400cce4cd011426d38e19e1c55bc30a02c098000092a5626f6e757396000001000000cc887d04d3b58250ee7151b0b2c098010092a47061737396000000000001cd0173cd013405d3cee4463c2ede0021c098000095a5706c6163650002020000ccb6cca2cf7199ccab909bfa35c098000095a5706c61636505010000cc827105d3b7854f6f8b054f38c098000095a5706c616365050200007b7004d3913018a4bfecc605c098000092a47061737396010002000000685c04d3d4e928d71384d580c098010093a564726166740201cd0119cd011106cf2deeecfd7e9729aec098000093a564726166740101487b25d3fd7518368c7170f1c098010093a564726166740000cd0101ccdc05cf29e99e1560d0b579c098000093a56472616674ff0200ccc565d3f6ab389cd7c91a83c098010093a564726166740403ccf4ccef05cf3b920a0473b249c1c098000093a56472616674ff0100cca2cc93cf36d6f9a3e4744846c098010093a564726166740303cce8cce734d3e886f7e0a941bda6c098000093a56472616674ff0477cc8404d3b08e7ef45a199a01c098010093a56472616674ff03cccfccd104d3bfc6ee90b515fcdec098000093a56472616674ff0174cca805d3eaf73cde2f71ad30c098000095a5706c61636504040100cd01c0cd014b05cf74730e597a42f59ac098010095a5706c61636506030300cd0290cd025506cf64e4d5039a2c3486c098000095a5706c6163650003020000cd0137cd010ecf10edc443199edda8c098000092a5626f6e7573960000010100006b5a05cf3d5b4b66e31270bcc098010095a5706c61636505030003cd01c3cd01b306cf78e2c2318077a698c098010092a5626f6e757396010100000000cd019ccd017c06cf124b427d6a53e927c098000092a4706173739600000001020100cd014ccd012ecf4c34b53b3e59e8f7c098010095a5706c61636505010001cd0173cd017806d3f5cd31b3959b099bc098010092a47061737396000100000000cd012dcd012406d3885f735f5d115b9ac085a673636f72657392562da572616e6b73920102a7726561736f6e73920000a36f757492fefea8666f72666569747392c0c0c420d7f1098fae08ee8df8825680109a4b36ba84b7bfe6569b2beb05168542dc1a4d
1	2	1	\\x8ba67265706c617901a56d61746368af737072696e672d3030303030322d31a473656564c4102ecf1a3e1b0184989cb15fca4044353fa5626f61726400a7706c617965727302a4626f74739293a57468697264a131d9403939333438623738346366363662323934633330376538373234303637336531383635383766316563646162336135326337326437633133613535626633353193a47065726ca131d94063356132613563346136336338653064336237373638646461373162613836353661326130623762303236353539366565613162393566343731316136646139a5636c6f636b94cd0fa0cd4e2000cd1388a773746172746564ce6b0bb6c6a66c617965727392ce000fffffce000fffffaa6e616d65735f746f6c64c2a66d656d6f7279ce3000000098000093a564726166740204cd01becd020208d3e5f178cc66d19da6c098010093a564726166740305cd0889cd087c08cf383b76c2e432991ac098000093a564726166740001cd01aecd019607d3b6fbde0e1a2c535fc098010093a56472616674ff02ccb9ccf406d3cb5830b6e1d7fb4bc098000093a564726166740101cd01a6cd017b06d3aa236f58c5cf10d7c098010093a56472616674ff01cca4ccc020cf75e8b143851cb19ac098000093a564726166740402cd01c3cd019d05cf7e21eb2260c5e0b1c098010093a56472616674ff05ccfcccec06cf4170098deccae39ec098000093a56472616674ff01cd017bcd021205d396488774e6a15a83c098010093a56472616674ff0372cc80cc81d3f3b06c299478725ac098000093a56472616674ff04cd0147cd014605cf3f3a147e583f5d1fc098010095a5706c61636500000200cd02cecd02d207cf4a0674c30d399ed9c098000095a5706c61636505020000cd02e8cd02f61ed39ab0680f3b788bd4c098010095a5706c61636500010201cd01aecd01aa06d3c054a6450db1b236c098000095a5706c61636506010100cd0218cd01f517cf712db5239a3f2ce4c098010095a5706c61636501000500cd013acd012206d3c53ee3364da47aeac098000095a5706c61636506000200cd01c3cd01ce1ccf7895653355a3c47cc098010095a5706c61636501010500cd010fccf606d3a41a1090a70ee618c098000095a5706c61636502000400cd0123cd013c1dcf26c1dd5346d96b3bc098010095a5706c61636501020501ccecccd306cf1d4fb704494b5978c098000095a5706c61636504000100cce8ccfa1dcf64af61d7cb4972c9c098010095a5706c61636503000300ccc4ccb206cf791874bc02c46d3dc098000092a47061737396000000000000cca5ccd77ed3d29cb1f471a9301cc098010095a5706c61636504000100cca1cc8206d3c19bff95adc6f5fec098010092a47061737396000000000000786d1ad3b09f7d19e4c5c41fc098010093a564726166740103cca3ccbe05d38fdd8d4505f9f528c098000093a564726166740003cd0144cd01521bd3d4667a5f610d5744c098010093a564726166740204cc837e1ecf267894580368b13bc098000093a564726166740403cd0116cd010219d3ed3e569e2975d139c098010093a56472616674ff02cc987906cf1971286a258ac1dac098000093a56472616674ff04ccd6cce61cd3c6880024c6136d5dc098010093a56472616674ff05cc917406d3bd957a8a03b722b6c098000093a564726166740303ccf0cce806cf4a8816f305d19c7bc098010093a56472616674ff00cc8e7206cf547e9b7943ec1d65c098010095a5706c61636501030502cd039dcd039918cf3751c2470df0da7cc098010092a5626f6e757396000000000200cd013acce105d3d6282330a1941b9dc098000095a5706c61636506020301cd0179cd017307cf775b7a62ea895ba1c098010095a5706c61636503010300cd018dcd019f06d3b5d7581879cbd1acc098000095a5706c61636503020300cd011bcd010006cf4ba238900e618a4bc098010095a5706c61636502000400cce9ccff1ccf13b9723eb9f21b68c098000092a47061737396000000000100ccf3ccd306d3a56d75cfe8f3caf6c098010095a5706c61636502010400ccdccd01281cd3c02c8a2a844d502ac098010095a5706c61636505000000cd0125ccf319d39ed1809f74a6b387c098010095a5706c61636505010000ccdfcca105cf603abbabaffe36f4c098010095a5706c616365060002007bcc9805d3b5ba3db7d6665ae1c098010092a47061737396000001000100cc817318cf4af3376003eff040c098010093a5647261667400004b6018d3ca3fd7d72d2b7692c098000093a564726166740301cd012ccd014b3bcf444c395f2a375c09c098010093a564726166740105cc84cc971bd3f4cc4431b05036a4c098000093a564726166740403ccf7ccd806cf1fa6b0592cb2443fc098010093a56472616674ff0477cc9104cf2239015415b965fdc098000093a56472616674ff00cce8ccca05d3e4a5a50f36026cdfc098010093a5647261667402047bcc8b1acf6b0bd33b8fcfb9e6c098000093a56472616674ff01cd0120ccf506d3d2623a4fdbdff6cec098010095a5706c61636501040503cd01a2cd01b91cd3bd63e3abc2f72a8ac098000095a5706c61636504040101cd025ecd023606cf4874d417a43b363cc098010095a5706c61636502020400ccd9ccf01fd3def8e24c226b5485c098000095a5706c61636505000000cd019ecd017b06d3a1fc00c8d8d85b37c098010095a5706c61636502030401ccdbccda06d3908cdce6f2d0dc4dc098010092a5626f6e757396000000010100ccbfccb806d38a13f6308969832cc098000095a5706c61636503000300cd01aacd01b706cf1d46010a68dc8839c098010095a5706c61636506010000ccb7cc9d06cf3e25f976d9872e2ac098010092a5626f6e757396000000010000cc817419d3fb294637257f93d6c098000092a47061737396000000010100cd0105cd010806cf1dcf56d7f3213fa1c098010092a47061737396000000020100cc89cc9f1ed3cf5737d37e3b1bc7c098010093a56472616674000577cc9305d3aacaf724144c27e8c098000093a564726166740101cd0125cd01181acf37b7536a66e5539ac098010093a56472616674ff00cc8ccc861cd38a5c7c68eeaf77b9c098000093a56472616674020111ccbbcd01dccf737f2121921db9e2c098010093a56472616674ff02ccb0ccd118cf62b9c76b0a66d686c098000093a564726166740301ccfbccda06d3b4b5051cc534a0d6c098010093a56472616674ff057dcc8e1ccf198a69a3aff021a6c098000093a564726166740404cceacccb07cf617935dfb58b7088c098010093a56472616674ff007bccb41acf3534a33153072a7cc098000093a56472616674ff03ccd2ccc104d3b05acc2509692661c098010095a5706c61636501050501cd0224cd020c06d383fc37eca8745a08c098010092a5626f6e7573960000010200006ecc8b69d385ed11abb15ce665c098000095a5706c61636504030103cd022fcd021505cf4915c02b8e0eb6b6c098010095a5706c61636502040404cd01a4cd01a1cd01fbd3ee54af2c62c9c0e8c098000095a5706c6163650201040000cd0124ccffd3e9ee75cbf1edb769c098010095a5706c61636500020200cd0109cce205cf2d1c69a5f6e45158c098000095a5706c61636504010100ccd6ccc805cf5441926b500d9975c098010095a5706c616365050200007e7305d3b36977e9ca0a5e8ec098000092a47061737396000000000000ccbbccae04cf2bec0a365680489cc098010092a47061737396000000010000615604cf12f73b21f1e78469c098010093a5647261667400037b5f04d38ddf10f027c2c4cec098000093a564726166740102cd0130ccee05d3ffa7064bea73040dc098010093a56472616674ff05736505cf50c43fd1251f6809c098000093a564726166740305ccd7ccba04d38aea8d33521d17ddc098010093a56472616674ff00736404d380a3ac0b14320975c098000093a564726166740205cceaccb204cf0f1eea3992b4e319c098010093a56472616674ff02635704d3ce96ec7f74b39aefc098000093a56472616674ff0013ccadccb2cf04e234c86f27dcd5c098010093a56472616674ff036b5e05cf52b3397bca855543c098000093a564726166740400cca9cc9c04cf481d934c9a5a9b73c098010093a56472616674ff015b5005d3c1837186aaf51dc7c098000093a56472616674ff05ccbecca32bcf042ab4cc56af221ac098010095a5706c61636503020300cd0116cd01e7ccefd39ccb5f8fdbbc2534c098000095a5706c61636501010500cd027ecd023218cf33d98e290ad6057cc098010095a5706c6163650602050100cd017acd0181cf1fc96b292ef6a441c098010092a5626f6e757396000000000001695706cf128e070ecdce915cc098000095a5706c61636500000200cd0223cd020404cf7aa60a95e19d0748c098010092a47061737396000002010001ccf1ccd004d3e14bb827e4040a26c098000095a5706c61636506030503cd0193cd017404d3b497e7b749a25c57c098000095a5706c61636505010000ccc3ccb704d393d0a77f68e83179c098000092a47061737396000000000100ccaccca104d3b4cfec6a35c6fb59c098010093a564726166740201567a1dcf0cda17df70f044d6c098000093a564726166740001cd0113cccf04d3f693f2ac3aa964c6c098010093a56472616674ff04007066d3c0ad98a7e02b4f27c098000093a564726166740101cd016fcce205cf7ceacda69de136dbc098010093a564726166740303cccfccc704cf00979f3d7a78bef5c098000093a56472616674ff03cc9fcce4cc81d390f1515b8a96bc43c098010093a56472616674ff00ccb95e04cf1a0ee734c918e3c1c098000093a5647261667404020dccb0ccb0d3a13d37e76cca90e9c098010093a56472616674ff03ccb05d04cf07996a21cefdf783c098000093a56472616674ff0220ccd5ccd0d3bd6b21d4823655a4c098010093a56472616674ff04ccb15604cf040c8d3b8b3be69cc098000093a56472616674ff01cd0105ccaa04d3e1f0f7b497f1d30bc098010095a5706c61636503030300cd06ddcd02871bd3fbd5eb4b8ab81c75c098010092a5626f6e757396000002000000635c0ad3a50e57021302934ac098000095a5706c61636500030202cd02a3cd02ce0ecf7bab3488086b00f6c098010095a5706c61636500030200cd0246cd024c09cf7dc206225d27ff0ec098010092a5626f6e757396000001000100cc9d7fcc8dcf300cd85677a8c6eac098000095a5706c61636504020100cd01f4cd01cf07d3c3ccfee4f18a287ec098010095a5706c61636502050401cd01d4cd01c406d399c79991c70a774bc098010092a5626f6e757396000001010001ccd7ccca19cf0311f58664256f41c098000092a47061737396000000010000cd0107cd014c06cf0682708f50b3b1eec098010095a5706c61636504010100cd0181cd01791dd39b13113ef96972d8c098010092a47061737396000001020001ccdcccd118cf26fab3b6eb4a1c40c085a673636f726573922263a572616e6b73920201a7726561736f6e73920000a36f757492fefea8666f72666569747392c0c0c4200f3d3859ebb9d76a78854172ce42de996a94d53a37338b75a00c3c2228169e18
\.


--
-- Data for Name: roster; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.roster (season, name) FROM stdin;
1	lua
1	perl
2	lua
2	perl
2	third
3	fifth
3	fourth
3	lua
\.


--
-- Data for Name: season; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.season (id, name, players, board, turn_ms, bank_ms, gain_ms, start_ms, memory_bytes, tier, "freeze", pin, authors_free, division, is_practice, publishes_errors, prunes, keep_games, budget_games, games_a_day, until_decided, from_us, deadline_us, until_us, live_delay_s, created_us, closing_us, closed_us, decided_us, voided_us, paused, league, round) FROM stdin;
1	spring	2,3	0	4000	20000	0	5000	805306368	1	t	f	f		f	f	f	0	18	0	f	\N	\N	\N	30	1795929796358468	1795929858661675	1795929798666708	\N	\N		\N	0
2	cup-1-a	2	0	1000	10000	0	5000	805306368	1	t	f	f	a	f	f	f	0	4	0	f	\N	\N	\N	30	1795929798336596	\N	\N	\N	\N		1	1
3	cup-1-b	2	0	1000	10000	0	5000	805306368	1	t	f	f	b	f	f	f	0	4	0	f	\N	\N	\N	30	1795929798341653	\N	\N	\N	\N		1	1
\.


--
-- Data for Name: submission; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.submission (id, name, version, author, sha256, state, takes_over, reference, check_only, received_us, building_us, checking_us, ended_us, failures, since_us, retry_us, alone, bot, report) FROM stdin;
1	third	next	eve	5670fe6fdad0964487676c5796e3676c317ce4bbcaef184de092bfa4c0e4011d	0	f	f	f	1795929796234932	\N	\N	\N	0	\N	\N	f	\N	\N
\.


--
-- Data for Name: token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.token (sha256, author, scope, created_us, used_us, expires_us, revoked_us) FROM stdin;
4aa8fc2fe04f392e081b07817753c0951dcf1c474549a7d3339bb989186f938d	1	0	1795929794503357	\N	\N	\N
\.


--
-- Data for Name: worker; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.worker (id, identity, role, version, name, host, processor, architecture, layers, tier, jobs, cores, playouts_per_s, started_us, seen_us, ended_us) FROM stdin;
\.


--
-- Data for Name: worker_order; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.worker_order (role, name, drains, since_us, words) FROM stdin;
\.


--
-- Data for Name: worker_tally; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.worker_tally (worker, games, forfeits) FROM stdin;
\.


--
-- Name: dealt_group_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.dealt_group_id_seq', 1, false);


--
-- Name: inbox_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.inbox_id_seq', 1, false);


--
-- Name: lease_token; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.lease_token', 1, false);


--
-- Name: refusal_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.refusal_id_seq', 1, false);


--
-- Name: worker_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.worker_id_seq', 1, false);


--
-- Name: author author_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_key_key UNIQUE (key);


--
-- Name: author author_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_name_key UNIQUE (name);


--
-- Name: author author_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_pkey PRIMARY KEY (id);


--
-- Name: ban ban_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ban
    ADD CONSTRAINT ban_pkey PRIMARY KEY (id);


--
-- Name: batch batch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_pkey PRIMARY KEY (season, number);


--
-- Name: bot bot_name_version_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_name_version_key UNIQUE (name, version);


--
-- Name: bot bot_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_pkey PRIMARY KEY (id);


--
-- Name: bout bout_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bout
    ADD CONSTRAINT bout_pkey PRIMARY KEY (challenge, number);


--
-- Name: challenge challenge_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.challenge
    ADD CONSTRAINT challenge_pkey PRIMARY KEY (id);


--
-- Name: claim claim_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (season);


--
-- Name: dealt_group dealt_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dealt_group
    ADD CONSTRAINT dealt_group_pkey PRIMARY KEY (id);


--
-- Name: dealt_season dealt_season_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dealt_season
    ADD CONSTRAINT dealt_season_pkey PRIMARY KEY (season);


--
-- Name: entry entry_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (season, number);


--
-- Name: entry entry_season_bot_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_season_bot_key UNIQUE (season, bot);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);


--
-- Name: game_group game_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_pkey PRIMARY KEY (season, number);


--
-- Name: game game_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (season, game_group, rotation);


--
-- Name: inbox inbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (season, game_group, rotation, token);


--
-- Name: league league_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.league
    ADD CONSTRAINT league_name_key UNIQUE (name);


--
-- Name: league league_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.league
    ADD CONSTRAINT league_pkey PRIMARY KEY (id);


--
-- Name: locked_group locked_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.locked_group
    ADD CONSTRAINT locked_group_pkey PRIMARY KEY (id);


--
-- Name: opening opening_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.opening
    ADD CONSTRAINT opening_pkey PRIMARY KEY (season, number);


--
-- Name: package package_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.package
    ADD CONSTRAINT package_pkey PRIMARY KEY (sha256);


--
-- Name: refusal refusal_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refusal
    ADD CONSTRAINT refusal_pkey PRIMARY KEY (id);


--
-- Name: replay replay_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replay
    ADD CONSTRAINT replay_pkey PRIMARY KEY (season, game_group, rotation);


--
-- Name: roster roster_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.roster
    ADD CONSTRAINT roster_pkey PRIMARY KEY (season, name);


--
-- Name: season season_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.season
    ADD CONSTRAINT season_name_key UNIQUE (name);


--
-- Name: season season_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.season
    ADD CONSTRAINT season_pkey PRIMARY KEY (id);


--
-- Name: submission submission_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.submission
    ADD CONSTRAINT submission_pkey PRIMARY KEY (id);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (sha256);


--
-- Name: worker worker_identity_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_identity_key UNIQUE (identity);


--
-- Name: worker_order worker_order_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.worker_order
    ADD CONSTRAINT worker_order_pkey PRIMARY KEY (role, name, drains);


--
-- Name: worker worker_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);


--
-- Name: worker_tally worker_tally_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.worker_tally
    ADD CONSTRAINT worker_tally_pkey PRIMARY KEY (worker);


--
-- Name: bot_built; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bot_built ON public.bot USING btree (built_sha256);


--
-- Name: bot_content; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bot_content ON public.bot USING btree (content_sha256);


--
-- Name: bot_package; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bot_package ON public.bot USING btree (sha256);


--
-- Name: bot_previous; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bot_previous ON public.bot USING btree (previous);


--
-- Name: challenge_bot; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX challenge_bot ON public.challenge USING btree (bot);


--
-- Name: challenge_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX challenge_open ON public.challenge USING btree (id) WHERE (state = 0);


--
-- Name: challenge_opponent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX challenge_opponent ON public.challenge USING btree (opponent);


--
-- Name: dealt_group_free; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dealt_group_free ON public.dealt_group USING btree (season, number) WHERE ((due <> 0) AND (worker IS NULL));


--
-- Name: dealt_group_held; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dealt_group_held ON public.dealt_group USING btree (worker) WHERE (worker IS NOT NULL);


--
-- Name: dealt_group_number; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX dealt_group_number ON public.dealt_group USING btree (season, number, id);


--
-- Name: dealt_group_played; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX dealt_group_played ON public.dealt_group USING btree (season) WHERE (due = 0);


--
-- Name: entry_bot; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX entry_bot ON public.entry USING btree (bot);


--
-- Name: event_season; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX event_season ON public.event USING btree (season);


--
-- Name: game_forfeits; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_forfeits ON public.game USING btree (started_us, season, game_group, rotation) WHERE (forfeits IS NOT NULL);


--
-- Name: game_worker; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX game_worker ON public.game USING btree (worker);


--
-- Name: inbox_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_order ON public.inbox USING btree (season, id);


--
-- Name: inbox_worker; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_worker ON public.inbox USING btree (worker);


--
-- Name: refusal_role; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refusal_role ON public.refusal USING btree (role);


--
-- Name: refusal_worker; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX refusal_worker ON public.refusal USING btree (worker);


--
-- Name: submission_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submission_author ON public.submission USING btree (author);


--
-- Name: submission_bot; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submission_bot ON public.submission USING btree (bot);


--
-- Name: submission_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submission_open ON public.submission USING btree (id) WHERE (state < 4);


--
-- Name: token_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX token_author ON public.token USING btree (author);


--
-- Name: batch batch_season_opening_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_season_opening_fkey FOREIGN KEY (season, opening) REFERENCES public.opening(season, number);


--
-- Name: bot bot_built_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_built_sha256_fkey FOREIGN KEY (built_sha256) REFERENCES public.package(sha256);


--
-- Name: bot bot_previous_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_previous_fkey FOREIGN KEY (previous) REFERENCES public.bot(id);


--
-- Name: bot bot_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bot
    ADD CONSTRAINT bot_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.package(sha256);


--
-- Name: bout bout_challenge_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bout
    ADD CONSTRAINT bout_challenge_fkey FOREIGN KEY (challenge) REFERENCES public.challenge(id);


--
-- Name: challenge challenge_bot_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.challenge
    ADD CONSTRAINT challenge_bot_fkey FOREIGN KEY (bot) REFERENCES public.bot(id);


--
-- Name: challenge challenge_opponent_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.challenge
    ADD CONSTRAINT challenge_opponent_fkey FOREIGN KEY (opponent) REFERENCES public.bot(id);


--
-- Name: dealt_group dealt_group_season_number_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dealt_group
    ADD CONSTRAINT dealt_group_season_number_fkey FOREIGN KEY (season, number) REFERENCES public.game_group(season, number);


--
-- Name: dealt_group dealt_group_worker_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dealt_group
    ADD CONSTRAINT dealt_group_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id);


--
-- Name: dealt_season dealt_season_season_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.dealt_season
    ADD CONSTRAINT dealt_season_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);


--
-- Name: entry entry_bot_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_bot_fkey FOREIGN KEY (bot) REFERENCES public.bot(id);


--
-- Name: entry entry_season_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);


--
-- Name: event event_season_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);


--
-- Name: game_group game_group_season_base0_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_season_base0_fkey FOREIGN KEY (season, base0) REFERENCES public.entry(season, number);


--
-- Name: game_group game_group_season_base1_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_season_base1_fkey FOREIGN KEY (season, base1) REFERENCES public.entry(season, number);


--
-- Name: game_group game_group_season_base2_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_season_base2_fkey FOREIGN KEY (season, base2) REFERENCES public.entry(season, number);


--
-- Name: game_group game_group_season_base3_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_season_base3_fkey FOREIGN KEY (season, base3) REFERENCES public.entry(season, number);


--
-- Name: game_group game_group_season_opening_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game_group
    ADD CONSTRAINT game_group_season_opening_fkey FOREIGN KEY (season, opening) REFERENCES public.opening(season, number);


--
-- Name: game game_season_game_group_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_season_game_group_fkey FOREIGN KEY (season, game_group) REFERENCES public.game_group(season, number);


--
-- Name: game game_worker_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id);


--
-- Name: inbox inbox_worker_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id);


--
-- Name: opening opening_season_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.opening
    ADD CONSTRAINT opening_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);


--
-- Name: refusal refusal_worker_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refusal
    ADD CONSTRAINT refusal_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id);


--
-- Name: replay replay_season_game_group_rotation_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replay
    ADD CONSTRAINT replay_season_game_group_rotation_fkey FOREIGN KEY (season, game_group, rotation) REFERENCES public.game(season, game_group, rotation);


--
-- Name: roster roster_season_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.roster
    ADD CONSTRAINT roster_season_fkey FOREIGN KEY (season) REFERENCES public.season(id);


--
-- Name: submission submission_bot_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.submission
    ADD CONSTRAINT submission_bot_fkey FOREIGN KEY (bot) REFERENCES public.bot(id);


--
-- Name: token token_author_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_author_fkey FOREIGN KEY (author) REFERENCES public.author(id);


--
-- Name: worker_tally worker_tally_worker_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.worker_tally
    ADD CONSTRAINT worker_tally_worker_fkey FOREIGN KEY (worker) REFERENCES public.worker(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--



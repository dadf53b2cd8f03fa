-- Workers on other machines, in PostgreSQL only: run once, after the tables of schema.c.
--
-- The daemon deals: a row of dealt_group for each group that is to be played, with the seeds of its
-- games. Workers call the functions worker_*, which run with their owner's rights: their own role has
-- none on any table. They claim groups, play, and put what they played into the inbox. The daemon
-- takes the games from the inbox and judges them in C; no function here judges a game.
--
-- A worker that calls these functions in a transaction and leaves the transaction open keeps rows
-- locked: the row of the worker, and its groups. So the daemon never waits for such a row, and its
-- statements lock no more than keys.

CREATE TABLE dealt_season (
    season bigint PRIMARY KEY REFERENCES season (id),
    architecture text NOT NULL); -- of the daemon's machine, on which bots are built

CREATE TABLE dealt_group (
    season bigint NOT NULL,
    number bigint NOT NULL,
    opening bigint NOT NULL,    -- the opening under which the games are played
    due bigint NOT NULL,        -- bit r: the game of rotation r is to be played
    seeds bytea NOT NULL,       -- the seeds of the games: 16 bytes each, by rotation
    worker bigint REFERENCES worker (id), -- the worker that leased the group; NULL: none
    token bigint,               -- token of that lease
    held_from timestamptz,      -- time of the claim or the last renewal, by the server's clock
    held_until timestamptz,
    PRIMARY KEY (season, number),
    FOREIGN KEY (season, number) REFERENCES game_group (season, number));
CREATE INDEX dealt_group_free ON dealt_group (season, number) WHERE due <> 0 AND worker IS NULL;
CREATE INDEX dealt_group_held ON dealt_group (worker) WHERE worker IS NOT NULL;
CREATE INDEX dealt_group_played ON dealt_group (season) WHERE due = 0;
CREATE SEQUENCE lease_token;

CREATE TABLE inbox (
    id bigint GENERATED ALWAYS AS IDENTITY,
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    opening bigint NOT NULL,
    worker bigint NOT NULL REFERENCES worker (id),
    token bigint NOT NULL,
    wall_us bigint NOT NULL,    -- duration of the game, which the replay does not have
    replay bytea NOT NULL,
    PRIMARY KEY (season, game_group, rotation));
CREATE INDEX inbox_order ON inbox (season, id);
CREATE INDEX inbox_worker ON inbox (worker);
ALTER TABLE inbox ALTER COLUMN replay SET STORAGE EXTERNAL;

-- Deliveries that the daemon did not believe. A worker with 8 of them gets no more groups.
CREATE TABLE refusal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    worker bigint NOT NULL REFERENCES worker (id) ON DELETE CASCADE,
    season bigint NOT NULL,
    game_group bigint NOT NULL,
    rotation bigint NOT NULL,
    words text NOT NULL);
CREATE INDEX refusal_worker ON refusal (worker);

-- Notifies waiting workers of new groups, and playing workers of a ban or of a season that closes.
CREATE FUNCTION workers_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pavilion_work', '');
    RETURN NULL;
END $$;
CREATE TRIGGER group_dealt AFTER INSERT ON dealt_group FOR EACH STATEMENT EXECUTE FUNCTION workers_told();
CREATE TRIGGER ban_changed AFTER INSERT OR UPDATE ON ban FOR EACH STATEMENT EXECUTE FUNCTION workers_told();
CREATE TRIGGER season_closing AFTER UPDATE OF closing_us ON season FOR EACH ROW
    WHEN (NEW.closing_us IS DISTINCT FROM OLD.closing_us) EXECUTE FUNCTION workers_told();

CREATE FUNCTION now_us() RETURNS bigint LANGUAGE sql
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;

-- Returns the bots that are banned and whose games do not count.
CREATE FUNCTION void_bots() RETURNS bigint[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
        WHERE ban.void AND ban.lifted_us IS NULL) $$;

CREATE FUNCTION group_has_bot(of_season bigint, of_group bigint, bots bigint[]) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM game_group g JOIN entry e ON e.season = g.season
            AND e.number IN (g.base0, g.base1, g.base2, g.base3)
        WHERE g.season = of_season AND g.number = of_group AND e.bot = ANY (bots)) $$;

-- ---- what workers call ----

-- Registers a worker. Of the workers without games and groups, keeps only the 1000 that were seen
-- last, so that nobody fills the disk with names.
CREATE FUNCTION worker_hello(given bytea, of_name text, of_host text, of_processor text,
        of_architecture text, of_tier bigint, of_jobs bigint, of_cores bigint, of_playouts_s bigint)
    RETURNS TABLE (worker_id bigint, at_us bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
BEGIN
    IF (octet_length(given) = 16 AND octet_length(of_name) BETWEEN 1 AND 64
            AND octet_length(of_host) BETWEEN 1 AND 64 AND octet_length(of_processor) BETWEEN 1 AND 64
            AND octet_length(of_architecture) BETWEEN 1 AND 64
            AND of_name || of_host || of_processor || of_architecture
                !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'
            AND of_tier BETWEEN 0 AND 3 AND of_jobs BETWEEN 1 AND 1000000000
            AND of_cores BETWEEN 1 AND 1000000000
            AND of_playouts_s BETWEEN 0 AND 9007199254740992) IS NOT TRUE THEN
        RAISE 'a worker out of range' USING ERRCODE = 'check_violation';
    END IF;
    DELETE FROM worker WHERE id IN (SELECT id FROM worker w
        WHERE NOT EXISTS (SELECT FROM game WHERE game.worker = w.id)
            AND NOT EXISTS (SELECT FROM dealt_group d WHERE d.worker = w.id)
            AND NOT EXISTS (SELECT FROM inbox i WHERE i.worker = w.id)
        ORDER BY seen_us DESC OFFSET 1000 FOR UPDATE SKIP LOCKED);
    RETURN QUERY INSERT INTO worker (identity, name, host, processor, architecture, layers, tier, jobs,
            cores, playouts_s, started_us, seen_us)
        VALUES (given, of_name, of_host, of_processor, of_architecture, 0, of_tier, of_jobs, of_cores,
            of_playouts_s, now_us(), now_us())
        ON CONFLICT (identity) DO UPDATE SET seen_us = excluded.seen_us, ended_us = NULL
        RETURNING id, started_us;
END $$;

-- Leases groups. Returns a row for each player of each leased group. Does not wait for the disk: after a
-- crash of the server, the groups are leased anew. A lease ends at held_until, or when the server's clock
-- is set back to before held_from.
CREATE FUNCTION worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[])
    RETURNS TABLE (place bigint, number bigint, players bigint, board bigint, token bigint, opening bigint,
        due bigint, seeds bytea, bot bot, terms season)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off
    SET jit = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '10s' AS $$
#variable_conflict use_column
DECLARE
    me worker%ROWTYPE;
    s season%ROWTYPE;
    o opening%ROWTYPE;
    picked bigint[];
    built_for text;
    left_count bigint;
    now_at timestamptz := clock_timestamp();
    barred bigint[] := refused[1:4096] || void_bots();
BEGIN
    SELECT * INTO me FROM worker w WHERE w.identity = given;
    IF NOT FOUND THEN
        RAISE 'the store does not know this worker: start the worker again' USING ERRCODE = 'no_data_found';
    END IF;
    IF (SELECT count(*) FROM refusal r WHERE r.worker = me.id) >= 8 THEN
        RAISE 'worker % gets no more groups, because too many of its games were refused: `arena workers` shows why,'
            ' `arena workers release %` gives it another try', me.name, me.name
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT architecture INTO built_for FROM dealt_season d WHERE d.architecture <> me.architecture LIMIT 1;
    IF FOUND THEN
        RAISE 'the bots are built for % on the daemon''s machine, and this machine is %: let another machine play',
            built_for, me.architecture USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    IF me.seen_us NOT BETWEEN now_us() - 1000000 AND now_us() OR me.ended_us IS NOT NULL THEN
        UPDATE worker w SET seen_us = now_us(), ended_us = NULL WHERE w.id = me.id;
    END IF;
    left_count := least(wanted, 64, 1024 - (SELECT count(*) FROM dealt_group d WHERE d.worker = me.id));
    FOR s IN SELECT season.* FROM season JOIN dealt_season d ON d.season = season.id
            WHERE closed_us IS NULL AND closing_us IS NULL
            AND tier <= me.tier AND (NOT pin OR me.jobs <= me.cores)
            -- Practice comes first in a tenth of the claims.
            ORDER BY is_practice AND random() > 0.1, random() LOOP
        EXIT WHEN (left_count > 0) IS NOT TRUE;
        SELECT * INTO o FROM opening WHERE season = s.id ORDER BY number DESC LIMIT 1;
        CONTINUE WHEN o.closed_us IS NOT NULL;
        picked := ARRAY(SELECT number FROM dealt_group d WHERE season = s.id AND opening = o.number
            AND worker IS NOT NULL AND due <> 0
            AND (held_until < now_at OR held_from > now_at + interval '1 minute')
            AND (cardinality(barred) = 0 OR NOT group_has_bot(season, number, barred))
            LIMIT left_count FOR NO KEY UPDATE SKIP LOCKED);
        picked := picked || ARRAY(SELECT number FROM dealt_group d WHERE season = s.id
            AND opening = o.number AND worker IS NULL AND due <> 0
            AND (cardinality(barred) = 0 OR NOT group_has_bot(season, number, barred))
            ORDER BY number LIMIT left_count - cardinality(picked) FOR NO KEY UPDATE SKIP LOCKED);
        left_count := left_count - cardinality(picked);
        CONTINUE WHEN cardinality(picked) = 0;
        RETURN QUERY WITH taken AS (UPDATE dealt_group d SET worker = me.id,
                token = nextval('lease_token'), held_from = now_at,
                held_until = now_at + least(lease_us, 3600000000) * interval '1 microsecond'
                WHERE d.season = s.id AND d.number = ANY (picked) RETURNING d.*)
            SELECT seat.place, t.number, g.players, g.board, t.token, t.opening, t.due, t.seeds, b, s
            FROM taken t JOIN game_group g ON g.season = t.season AND g.number = t.number
            CROSS JOIN unnest(ARRAY[g.base0, g.base1, g.base2, g.base3]) WITH ORDINALITY AS seat (entry, place)
            JOIN entry e ON e.season = g.season AND e.number = seat.entry JOIN bot b ON b.id = e.bot
            ORDER BY t.number, seat.place;
    END LOOP;
END $$;

-- Renews all leases of the worker and returns them. state 0: the worker plays the games; 1: the worker
-- begins no further game, because the season closes; 2: no game counts any more.
CREATE FUNCTION worker_renew(given bytea, lease_us bigint)
    RETURNS TABLE (season bigint, number bigint, token bigint, state integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
#variable_conflict use_column
DECLARE
    me bigint;
    void bigint[] := void_bots();
    now_at timestamptz := clock_timestamp();
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE worker w SET seen_us = now_us() WHERE w.identity = given RETURNING w.id INTO me;
    RETURN QUERY UPDATE dealt_group d SET held_from = now_at,
            held_until = now_at + least(lease_us, 3600000000) * interval '1 microsecond'
        FROM season s JOIN dealt_season ON dealt_season.season = s.id
        WHERE d.worker = me AND s.id = d.season AND EXISTS (SELECT FROM opening o
            WHERE o.season = d.season AND o.number = d.opening AND o.closed_us IS NULL)
        RETURNING d.season, d.number, d.token, CASE
            WHEN s.closing_us <= now_us() OR group_has_bot(d.season, d.number, void) THEN 2
            WHEN s.closing_us IS NOT NULL THEN 1 ELSE 0 END;
END $$;

-- Gives a lease back. of_season NULL: gives all leases back and records the worker's end.
CREATE FUNCTION worker_give_back(given bytea, of_season bigint, of_group bigint, of_token bigint)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
DECLARE
    me bigint;
BEGIN
    SELECT id INTO me FROM worker WHERE identity = given;
    UPDATE dealt_group SET worker = NULL WHERE worker = me
        AND (of_season IS NULL OR (season = of_season AND number = of_group AND token = of_token));
    IF FOUND THEN
        PERFORM pg_notify('pavilion_work', '');
    END IF;
    IF of_season IS NULL THEN
        UPDATE worker SET ended_us = now_us() WHERE id = me;
    END IF;
END $$;

-- Puts a game into the inbox. Returns kept, stale, closed, full or long; kept also if the game was
-- delivered before. Does not wait for the disk: after a crash of the server, the game is played again.
-- The inbox has each dealt game at most once, so only long replays need a limit. Only the first game in
-- an empty inbox notifies the daemon, because commits that notify wait for each other; the daemon reads
-- the inbox again after each delivery that it took.
CREATE FUNCTION worker_deliver(given bytea, of_season bigint, of_group bigint, of_token bigint,
        of_rotation bigint, of_wall_us bigint, bytes bytea)
    RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
DECLARE
    me bigint;
    mask bigint;
    in_opening bigint;
BEGIN
    IF (of_rotation BETWEEN 0 AND 3 AND of_wall_us IS NOT NULL AND octet_length(bytes) <= 16777216) IS NOT TRUE THEN
        RETURN 'long';
    END IF;
    IF octet_length(bytes) > 65536 AND (SELECT sum(octet_length(replay)) FROM inbox) > 268435456 THEN
        RETURN 'full';
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT id INTO me FROM worker WHERE identity = given;
    mask := 1::bigint << of_rotation::integer;
    UPDATE dealt_group d SET due = due & ~mask, worker = CASE WHEN due & ~mask <> 0 THEN worker END
        WHERE season = of_season AND number = of_group AND worker = me AND token = of_token AND due & mask <> 0
            AND EXISTS (SELECT FROM dealt_season s WHERE s.season = d.season)
            AND EXISTS (SELECT FROM opening o WHERE o.season = d.season AND o.number = d.opening
                AND o.closed_us IS NULL)
        RETURNING opening INTO in_opening;
    IF FOUND THEN
        IF NOT EXISTS (SELECT FROM inbox WHERE season = of_season) THEN
            PERFORM pg_notify('pavilion_results', '');
        END IF;
        INSERT INTO inbox (season, game_group, rotation, opening, worker, token, wall_us, replay)
            VALUES (of_season, of_group, of_rotation, in_opening, me, of_token, of_wall_us, bytes)
            ON CONFLICT DO NOTHING;
        RETURN 'kept';
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

-- Returns a part of the built package of a bot in a group of the worker, and the package's length.
CREATE FUNCTION worker_package(given bytea, hash text, from_byte bigint, wanted bigint)
    RETURNS TABLE (whole bigint, part bytea)
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
    SELECT length(bytes)::bigint, substring(bytes FROM from_byte::integer + 1 FOR least(wanted, 4194304)::integer)
    FROM package WHERE sha256 = hash AND EXISTS (SELECT FROM worker w
        JOIN dealt_group d ON d.worker = w.id
        JOIN game_group g ON g.season = d.season AND g.number = d.number
        JOIN entry e ON e.season = g.season AND e.number IN (g.base0, g.base1, g.base2, g.base3)
        JOIN bot ON bot.id = e.bot WHERE w.identity = given AND bot.built_sha256 = hash) $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['workers_told', 'now_us', 'void_bots', 'group_has_bot', 'worker_hello',
            'worker_claim', 'worker_renew', 'worker_give_back', 'worker_deliver', 'worker_package'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    END LOOP;
END $$;

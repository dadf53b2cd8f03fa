-- SPDX-License-Identifier: MIT
-- The view and the functions over the tables of leases.sql: made after those, and replaced by each upgrade
-- of the schema, so that they keep the rights that were granted on them.

-- The functions use only this schema (SET search_path FROM CURRENT).
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE OR REPLACE VIEW offer AS SELECT * FROM dealt_group d WHERE NOT EXISTS (SELECT FROM dealt_group newer
    WHERE newer.season = d.season AND newer.number = d.number AND newer.id > d.id);

CREATE OR REPLACE FUNCTION now_us() RETURNS bigint LANGUAGE sql
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;

-- Returns the bots that are banned and whose games do not count.
CREATE OR REPLACE FUNCTION void_bots() RETURNS bigint[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
        WHERE ban.void AND ban.lifted_us IS NULL) $$;

CREATE OR REPLACE FUNCTION group_has_bot(of_season bigint, of_group bigint, bots bigint[]) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM game_group g JOIN entry e ON e.season = g.season
            AND e.number IN (g.base0, g.base1, g.base2, g.base3)
        WHERE g.season = of_season AND g.number = of_group AND e.bot = ANY (bots)) $$;

-- Returns why a worker gets no groups, or NULL if it does.
CREATE OR REPLACE FUNCTION worker_bar(w worker, of_role text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE
        WHEN (SELECT count(*) FROM refusal r WHERE r.role = of_role) >= 8 THEN 'refused'
        WHEN EXISTS (SELECT FROM worker_order o WHERE o.role = w.role AND o.name = w.name AND NOT drains)
            THEN 'aside'
        WHEN EXISTS (SELECT FROM worker_order o WHERE o.role = w.role AND o.name = w.name AND drains
            AND since_us >= w.started_us) THEN 'drained'
        WHEN EXISTS (SELECT FROM dealt_season d WHERE d.architecture <> w.architecture) THEN 'foreign' END;
END $$;

-- ---- what the daemon calls ----

-- Deals the groups again that nobody holds, but whose rows somebody has kept locked for a minute: a
-- transaction that claimed them does not end. Returns their number, and a role whose transaction may
-- be the one. Removes what was dealt again before and is no longer locked.
CREATE OR REPLACE FUNCTION deal_locked_again(of_season bigint) RETURNS TABLE (dealt bigint, suspect text)
    LANGUAGE plpgsql AS $$
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

-- ---- what workers call ----

-- Registers a worker. Of a role's workers without games, groups and refusals, keeps only the 1000 that
-- were seen last, so that nobody fills the disk with names.
CREATE OR REPLACE FUNCTION worker_hello(given bytea, of_version text, of_name text, of_host text, of_processor text,
        of_architecture text, of_tier bigint, of_jobs bigint, of_cores bigint, of_playouts_per_s bigint)
    RETURNS TABLE (worker_id bigint, at_us bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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

-- Leases groups. Returns a row for each player of each leased group. Does not wait for the disk: after a
-- crash of the server, the groups are leased anew. A lease ends at held_until, or when the server's clock
-- is set back to before held_from.
CREATE OR REPLACE FUNCTION worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[])
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
            -- Practice comes first in a tenth of the claims.
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

-- Renews all leases of the worker and returns them. state 0: the worker plays the games; 1: the worker
-- begins no further game, because the season closes; 2: no game counts any more.
CREATE OR REPLACE FUNCTION worker_renew(given bytea, lease_us bigint)
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
    RETURN QUERY UPDATE offer d SET held_from = now_at,
            held_until = now_at + least(lease_us, 3600000000) * interval '1 microsecond'
        FROM season s JOIN dealt_season ON dealt_season.season = s.id
        WHERE d.worker = me AND s.id = d.season AND EXISTS (SELECT FROM opening o
            WHERE o.season = d.season AND o.number = d.opening AND o.closed_us IS NULL)
        RETURNING d.season, d.number, d.token, CASE
            WHEN s.closing_us <= now_us() OR group_has_bot(d.season, d.number, void) THEN 2
            WHEN s.closing_us IS NOT NULL THEN 1 ELSE 0 END;
END $$;

-- Gives a lease back. of_season NULL: gives all leases back and records the worker's end.
CREATE OR REPLACE FUNCTION worker_give_back(given bytea, of_season bigint, of_group bigint, of_token bigint)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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

-- Puts a game into the inbox. Returns first (the inbox was empty), kept, stale, closed, full or long;
-- kept also if the game was delivered before. Does not wait for the disk: after a crash of the server,
-- the game is played again. The inbox has each game of a lease at most once, so only long replays need a
-- limit.
CREATE OR REPLACE FUNCTION worker_deliver(given bytea, of_season bigint, of_group bigint, of_token bigint,
        of_rotation bigint, of_wall_us bigint, bytes bytea)
    RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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

-- Returns a part of the built package of a bot in a group of the worker, and the package's length.
CREATE OR REPLACE FUNCTION worker_package(given bytea, hash text, from_byte bigint, wanted bigint)
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
    FOREACH name IN ARRAY ARRAY['now_us', 'void_bots', 'group_has_bot', 'worker_bar', 'deal_locked_again',
            'worker_hello', 'worker_claim', 'worker_renew', 'worker_give_back', 'worker_deliver', 'worker_package'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    END LOOP;
END $$;

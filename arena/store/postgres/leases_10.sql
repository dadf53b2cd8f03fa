-- What workers may do, from schema 10 on: claims that keep their plans, results that are checked, and
-- word of seasons that close. The role of workers ends at these functions.

-- The shift is of two integers: an operator that somebody else made for a smallint is not looked for.
CREATE OR REPLACE FUNCTION game_added() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Workers ask at once what they still hold of a season that closes, or of a bot that is banned.
CREATE FUNCTION workers_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pavilion_work', '');
    RETURN NULL;
END $$;
CREATE TRIGGER season_closing AFTER UPDATE OF closing_us ON season FOR EACH ROW
    WHEN (NEW.dealt AND NEW.closing_us IS DISTINCT FROM OLD.closing_us) EXECUTE FUNCTION workers_told();
CREATE TRIGGER ban_changed AFTER INSERT OR UPDATE ON ban FOR EACH ROW
    WHEN (NEW.void) EXECUTE FUNCTION workers_told();

-- Bots whose games count for nobody.
CREATE FUNCTION void_bots() RETURNS bigint[] LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
        WHERE ban.void AND ban.lifted_us IS NULL) $$;

CREATE FUNCTION group_has_bot(g game_group, bots bigint[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT cardinality(bots) > 0 AND EXISTS (SELECT FROM entry e WHERE e.season = g.season
        AND e.bot = ANY (bots) AND e.number IN (g.base0, g.base1, g.base2, g.base3)) $$;

-- ---- what workers call ----

CREATE OR REPLACE FUNCTION worker_register(given bytea, name text, host text, processor text,
        architecture text, layers bigint, tier bigint, jobs bigint, cores bigint, playouts_s bigint)
    RETURNS TABLE (added bigint, at_us bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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
END $$;

-- NULL for a worker that is not known. What a crash of the server undoes of this costs a claim, and
-- a result names its worker beside the token, so nobody waits for the disk. All that tells a lease is
-- in statements of this function, whose plans a connection keeps.
CREATE OR REPLACE FUNCTION worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[])
    RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
    SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan SET lock_timeout = '10s' AS $$
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
    -- Games of a bot banned with its games count for nobody.
    refused := refused || void_bots();
    FOR s IN SELECT * FROM season WHERE dealt AND closed_us IS NULL AND closing_us IS NULL
            AND tier <= me.tier AND (NOT pin OR me.jobs <= me.cores)
            AND (processor IS NULL OR processor IN ('', me.processor))
            -- Practice comes first in a tenth of the claims.
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

DROP FUNCTION worker_lease(game_group, opening, json);
DROP FUNCTION worker_terms(season);

-- state 0: its games are to be played. 1: no further one is to begin, for its season closes. 2: none counts
-- any more. Who may call it stays as it was.
CREATE TEMPORARY TABLE may_call ON COMMIT DROP AS
    SELECT proname, grantee::regrole::text AS role FROM pg_proc, aclexplode(proacl)
    WHERE oid IN ('worker_renew(bytea, bigint)'::regprocedure, 'worker_package(bytea, text)'::regprocedure)
        AND grantee NOT IN (0, proowner);
DROP FUNCTION worker_renew(bytea, bigint);
CREATE FUNCTION worker_renew(given bytea, lease_us bigint)
    RETURNS TABLE (of_season bigint, of_group integer, token bigint, state integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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

-- What a game's row may hold (rows.c). The checksums alone are believed.
CREATE FUNCTION worker_game_is_sound(g game_group, at_us bigint, took_us bigint, of_layers bigint,
        decision_count bigint, words text, waited_us bigint, replay_hash bytea, sum bytea, seats json,
        replay_bytes bytea)
    RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- The result and the group's completion. Returns kept, stale, exists, closed, unsound or unknown.
CREATE OR REPLACE FUNCTION worker_game(given bytea, of_season bigint, of_group bigint, token bigint,
        of_rotation bigint, of_opening bigint, at_us bigint, took_us bigint, of_layers bigint,
        decision_count bigint, words text, waited_us bigint, replay_hash bytea, sum bytea, seats text,
        replay_bytes bytea)
    RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
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
    -- A claim that was made while the season was taken from the workers is no claim.
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

-- Part of a package: leases are renewed between two. Its length is told with each.
DROP FUNCTION worker_package(bytea, text);
CREATE FUNCTION worker_package(given bytea, hash text, from_byte bigint, wanted bigint)
    RETURNS TABLE (whole bigint, part bytea)
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
    SELECT length(bytes)::bigint, substring(bytes FROM $3::integer + 1 FOR $4::integer) FROM package
        WHERE sha256 = hash AND EXISTS (SELECT FROM bot
            WHERE (bot.sha256 = hash OR bot.built_sha256 = hash) AND worker_plays(given, bot)) $$;

ALTER FUNCTION worker_return(bytea, bigint, bigint, bigint) SET lock_timeout = '10s';

DO $$
DECLARE
    name text;
    call record;
BEGIN
    FOREACH name IN ARRAY ARRAY['workers_told', 'void_bots', 'group_has_bot', 'worker_renew',
            'worker_game_is_sound', 'worker_package'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    END LOOP;
    FOR call IN SELECT * FROM may_call LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %I TO %s', call.proname, call.role);
    END LOOP;
END $$;

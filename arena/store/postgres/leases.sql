-- Workers and leases. Everything a worker does goes through the functions worker_*, which run with
-- the rights of whoever made them: its role needs none on any table. The store's schema is the only
-- one that they look into: search_path is taken from whoever runs this.

ALTER TABLE worker ADD COLUMN identity bytea UNIQUE; -- its secret, by chance; NULL: of a store that was copied
ALTER TABLE season ADD COLUMN dealt boolean NOT NULL DEFAULT false; -- workers play it

-- The lease stands on the group's own row.
ALTER TABLE game_group
    ADD COLUMN done integer NOT NULL DEFAULT 0, -- bit r: the game of rotation r is stored
    ADD COLUMN lease_worker bigint,
    ADD COLUMN lease_token bigint NOT NULL DEFAULT 0,
    ADD COLUMN lease_until timestamptz,         -- NULL: nobody holds it
    ADD COLUMN is_open boolean GENERATED ALWAYS AS (done <> (1 << players) - 1) STORED;
UPDATE game_group SET done = played.done FROM
    (SELECT season, game_group, bit_or(1 << rotation) AS done FROM game GROUP BY 1, 2) AS played
    WHERE game_group.season = played.season AND game_group.number = played.game_group;
CREATE INDEX game_group_free ON game_group (season, number) WHERE is_open AND lease_until IS NULL;
CREATE INDEX game_group_leased ON game_group (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX game_group_holder ON game_group (lease_worker) WHERE lease_worker IS NOT NULL;
CREATE INDEX game_group_open ON game_group (season, batch) WHERE is_open;

CREATE FUNCTION worker_now_us() RETURNS bigint LANGUAGE sql
    AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint $$;

-- HMAC-SHA256, whose key is padded once for each opening.
CREATE FUNCTION hmac_pad(key bytea, byte integer) RETURNS bytea LANGUAGE sql IMMUTABLE
    AS $$ SELECT string_agg(set_byte('\x00'::bytea, 0,
              CASE WHEN i < length(key) THEN get_byte(key, i) # byte ELSE byte END), ''::bytea ORDER BY i)
          FROM generate_series(0, 63) AS i $$;
ALTER TABLE opening
    ADD COLUMN inner_key bytea GENERATED ALWAYS AS (hmac_pad(seed, 54)) STORED,
    ADD COLUMN outer_key bytea GENERATED ALWAYS AS (hmac_pad(seed, 92)) STORED;
CREATE FUNCTION game_seed(inner_key bytea, outer_key bytea, game_group integer, rotation integer)
    RETURNS bytea LANGUAGE sql IMMUTABLE
    AS $$ SELECT substring(sha256(outer_key || sha256(inner_key ||
              convert_to('group ' || game_group || ' game ' || rotation, 'UTF8'))) FROM 1 FOR 16) $$;

-- A game that is stored is done, whoever stores it; the last of a batch tells the scheduler.
CREATE FUNCTION game_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    g game_group%ROWTYPE;
BEGIN
    UPDATE game_group SET done = done | (1 << NEW.rotation),
        lease_worker = CASE WHEN done | (1 << NEW.rotation) <> (1 << players) - 1 THEN lease_worker END,
        lease_until = CASE WHEN done | (1 << NEW.rotation) <> (1 << players) - 1 THEN lease_until END
        WHERE season = NEW.season AND number = NEW.game_group RETURNING * INTO g;
    IF NOT g.is_open AND NOT EXISTS (SELECT FROM game_group
            WHERE season = g.season AND batch = g.batch AND is_open) THEN
        PERFORM pg_notify('pavilion_results', g.season::text);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER game_added AFTER INSERT ON game FOR EACH ROW EXECUTE FUNCTION game_added();

-- A batch wakes the workers if they had nothing to do. It is added before its groups.
CREATE FUNCTION batch_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM season WHERE id = NEW.season AND dealt) AND NOT EXISTS (SELECT FROM game_group
            WHERE season = NEW.season AND is_open AND lease_until IS NULL) THEN
        PERFORM pg_notify('pavilion_work', '');
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER batch_added AFTER INSERT ON batch FOR EACH ROW EXECUTE FUNCTION batch_added();

-- Takes a season's groups from whoever holds them: what comes of them now is refused.
CREATE FUNCTION season_fence(of_season bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE game_group SET lease_worker = NULL, lease_until = NULL, lease_token = lease_token + 1
    WHERE season = of_season AND lease_worker IS NOT NULL $$;
CREATE FUNCTION opening_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM season_fence(NEW.season);
    RETURN NULL;
END $$;
CREATE TRIGGER opening_closed AFTER UPDATE OF closed_us ON opening FOR EACH ROW
    WHEN (NEW.closed_us IS NOT NULL) EXECUTE FUNCTION opening_closed();

-- ---- what workers call ----

CREATE FUNCTION worker_register(given bytea, name text, host text, processor text, architecture text,
        layers bigint, tier bigint, jobs bigint, cores bigint, playouts_s bigint)
    RETURNS TABLE (added bigint, at_us bigint)
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    INSERT INTO worker (identity, name, host, processor, architecture, layers, tier, jobs, cores,
            playouts_s, started_us, seen_us)
        VALUES ($1, $2, $3, $4, $5, $6, $7::integer, $8::integer, $9::integer, $10, worker_now_us(),
            worker_now_us())
        ON CONFLICT (identity) DO UPDATE SET seen_us = excluded.seen_us, ended_us = NULL
        RETURNING id, started_us $$;

-- A season's terms, without its secret.
CREATE FUNCTION worker_terms(s season) RETURNS json LANGUAGE sql AS $$
    SELECT json_build_object('id', s.id, 'name', s.name, 'players', s.players, 'board', s.board,
        'turn_ms', s.turn_ms, 'bank_ms', s.bank_ms, 'gain_ms', s.gain_ms, 'start_ms', s.start_ms,
        'budget_games', s.budget_games, 'memory_bytes', s.memory_bytes, 'tier', s.tier,
        'freeze', s."freeze", 'pin', s.pin, 'created_us', s.created_us,
        'practice', to_json(s)->'is_practice') $$; -- a column of a later version

CREATE FUNCTION worker_lease(g game_group, o opening, terms json) RETURNS text LANGUAGE sql AS $$
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
            JOIN entry e ON e.season = g.season AND e.number = seat.entry JOIN bot b ON b.id = e.bot))::text $$;

-- NULL for a worker that is not known. What a crash of the server undoes of this costs a claim, and
-- a result names its worker beside the token, so nobody waits for the disk.
CREATE FUNCTION worker_claim(given bytea, wanted bigint, lease_us bigint, refused bigint[])
    RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
    SET enable_seqscan = off SET jit = off AS $$
DECLARE
    me worker%ROWTYPE;
    s season%ROWTYPE;
    o opening%ROWTYPE;
    g game_group%ROWTYPE;
    terms json;
    picked integer[];
    left_count integer := least(wanted, 64);
    now_at timestamptz := clock_timestamp();
BEGIN
    SELECT * INTO me FROM worker WHERE identity = given;
    IF NOT FOUND THEN
        RETURN NEXT NULL;
        RETURN;
    END IF;
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE worker SET seen_us = worker_now_us(), ended_us = NULL
        WHERE id = me.id AND seen_us < worker_now_us() - 1000000;
    -- Games of a bot banned with its games count for nobody.
    refused := refused || ARRAY(SELECT bot.id FROM ban JOIN bot ON bot.name = ban.name OR bot.author = ban.author
        WHERE ban.void AND ban.lifted_us IS NULL);
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
            AND is_open AND (cardinality(refused) = 0 OR NOT EXISTS (SELECT FROM entry e
                WHERE e.season = s.id AND e.bot = ANY (refused) AND e.number IN (base0, base1, base2, base3)))
            LIMIT left_count FOR UPDATE SKIP LOCKED);
        IF cardinality(picked) < left_count THEN
            picked := picked || ARRAY(SELECT number FROM game_group WHERE season = s.id
                AND is_open AND lease_until IS NULL AND (cardinality(refused) = 0 OR NOT EXISTS (SELECT FROM entry e
                    WHERE e.season = s.id AND e.bot = ANY (refused) AND e.number IN (base0, base1, base2, base3)))
                ORDER BY number LIMIT left_count - cardinality(picked) FOR UPDATE SKIP LOCKED);
        END IF;
        CONTINUE WHEN cardinality(picked) = 0;
        terms := worker_terms(s);
        FOR g IN UPDATE game_group SET lease_worker = me.id, lease_token = lease_token + 1,
                lease_until = now_at + lease_us * interval '1 microsecond'
                WHERE season = s.id AND number = ANY (picked) RETURNING * LOOP
            RETURN NEXT worker_lease(g, o, terms);
            left_count := left_count - 1;
        END LOOP;
    END LOOP;
END $$;

CREATE FUNCTION worker_renew(given bytea, lease_us bigint)
    RETURNS TABLE (of_season bigint, of_group integer, token bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    me bigint;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE worker SET seen_us = worker_now_us() WHERE identity = given RETURNING id INTO me;
    RETURN QUERY UPDATE game_group SET lease_until = clock_timestamp() + lease_us * interval '1 microsecond'
        WHERE lease_worker = me RETURNING season, number, lease_token;
END $$;

-- of_season NULL: all, and the worker ends.
CREATE FUNCTION worker_return(given bytea, of_season bigint, of_group bigint, token bigint)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

-- The result and the group's completion. Returns kept, stale, exists, closed or unknown.
CREATE FUNCTION worker_game(given bytea, of_season bigint, of_group bigint, token bigint,
        of_rotation bigint, of_opening bigint, at_us bigint, took_us bigint, of_layers bigint,
        decision_count bigint, words text, waited_us bigint, replay_hash bytea, sum bytea, seats text,
        replay_bytes bytea)
    RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    me bigint;
    g game_group%ROWTYPE;
    o opening%ROWTYPE;
    kept game%ROWTYPE;
BEGIN
    SELECT id INTO me FROM worker WHERE identity = given;
    SELECT * INTO g FROM game_group WHERE season = of_season AND number = of_group FOR UPDATE;
    IF me IS NULL OR g IS NULL OR of_rotation NOT BETWEEN 0 AND g.players - 1 THEN
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
    IF g.lease_worker IS DISTINCT FROM me OR g.lease_token <> token THEN
        RETURN 'stale';
    END IF;
    INSERT INTO game (season, game_group, rotation, opening, seed, started_us, wall_us, layers,
            decisions, forfeits, memory_bytes, tier, "freeze", pin, replay_sha256, checksum, worker,
            delay_us)
        SELECT of_season, of_group, of_rotation, of_opening,
            game_seed(o.inner_key, o.outer_key, g.number, of_rotation::integer), at_us, took_us,
            of_layers, decision_count, words, s.memory_bytes, s.tier, s."freeze", s.pin, replay_hash,
            sum, me, waited_us FROM season s WHERE s.id = of_season;
    INSERT INTO seat (season, game_group, rotation, seat, entry, score, rank, reason, decisions, us,
            us_max, times, checksum)
        SELECT of_season, of_group, of_rotation, x.seat,
            (ARRAY[g.base0, g.base1, g.base2, g.base3])[(x.seat + of_rotation) % g.players + 1],
            x.score, x.rank, x.reason, x.decisions, x.us, x.us_max, decode(x.times, 'hex'), x.sum
        FROM json_to_recordset(seats::json) AS x (seat integer, score smallint, rank smallint,
            reason smallint, decisions integer, us bigint, us_max bigint, times text, sum bigint)
        WHERE x.seat BETWEEN 0 AND g.players - 1;
    INSERT INTO replay (season, game_group, rotation, bytes)
        VALUES (of_season, of_group, of_rotation, replay_bytes);
    RETURN 'kept';
END $$;

CREATE FUNCTION worker_plays(given bytea, of_bot bot) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM worker w JOIN game_group g ON g.lease_worker = w.id
        JOIN entry e ON e.season = g.season AND e.number IN (g.base0, g.base1, g.base2, g.base3)
        WHERE w.identity = given AND e.bot = of_bot.id) $$;

CREATE FUNCTION worker_manifest(given bytea, of_bot bigint) RETURNS SETOF text
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT manifest FROM bot WHERE id = of_bot AND worker_plays(given, bot) $$;

CREATE FUNCTION worker_package(given bytea, hash text) RETURNS SETOF bytea
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT bytes FROM package WHERE sha256 = hash AND EXISTS (SELECT FROM bot
        WHERE (bot.sha256 = hash OR bot.built_sha256 = hash) AND worker_plays(given, bot)) $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['worker_now_us', 'hmac_pad', 'game_seed', 'game_added', 'batch_added',
            'season_fence', 'opening_closed', 'worker_register', 'worker_terms', 'worker_lease',
            'worker_claim', 'worker_renew', 'worker_return', 'worker_game', 'worker_plays',
            'worker_manifest', 'worker_package'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    END LOOP;
END $$;

-- Results, from schema 11 on: the server computes the checksums of a game that a worker brings, and looks
-- at all that lists read of it. A fault is told to the worker in words, and the game stays to be played.

-- ---- checksums, as checksums.c computes them ----

-- All are in plpgsql, whose plans a connection keeps: those of a function in SQL last for a transaction.

-- 8 bytes each, the least significant first.
CREATE FUNCTION number_bytes(VARIADIC numbers bigint[]) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    bytes bytea := '';
    number bigint;
BEGIN
    FOREACH number IN ARRAY numbers LOOP
        bytes := bytes || int8send(((number & 255::bigint) << 56) | (((number >> 8) & 255::bigint) << 48)
            | (((number >> 16) & 255::bigint) << 40) | (((number >> 24) & 255::bigint) << 32)
            | (((number >> 32) & 255::bigint) << 24) | (((number >> 40) & 255::bigint) << 16)
            | (((number >> 48) & 255::bigint) << 8) | ((number >> 56) & 255::bigint));
    END LOOP;
    RETURN bytes;
END $$;

-- FNV-1a of 64 bits, in halves of 32, whose products a bigint holds: the prime is 2^40 + 435.
CREATE FUNCTION fnv_1a(bytes bytea) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    high bigint := 3421674724;
    low bigint := 2216829733;
BEGIN
    FOR i IN 0 .. length(bytes) - 1 LOOP
        low := low # get_byte(bytes, i)::bigint;
        high := (high * 435::bigint + (low << 8) + ((low * 435::bigint) >> 32)) & 4294967295;
        low := (low * 435::bigint) & 4294967295;
    END LOOP;
    RETURN (high << 32) | low;
END $$;

CREATE FUNCTION seat_checksum(of_season bigint, game_group bigint, rotation bigint, seat bigint, entry bigint,
        score bigint, rank bigint, reason bigint, us bigint, us_max bigint, decisions bigint, times bytea)
    RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN coalesce(nullif(fnv_1a(number_bytes(of_season, game_group, rotation, seat, entry, score, rank, reason,
        us, us_max, decisions) || times), 0), 1);
END $$;

-- Over the seats' checksums too, by seat.
CREATE FUNCTION game_checksum(g game_group, s season, o opening, rotation integer, at_us bigint, took_us bigint,
        layers bigint, decisions bigint, forfeits text, seats bigint[], replay_hash bytea)
    RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    words bytea := convert_to(coalesce(forfeits, ''), 'UTF8');
BEGIN
    RETURN sha256(number_bytes(s.id, g.number, rotation, g.players, o.number)
        || game_seed(o.inner_key, o.outer_key, g.number, rotation)
        || number_bytes(at_us, took_us, layers, decisions, s.memory_bytes, s.tier, s."freeze"::integer,
            s.pin::integer, length(words)) || words || number_bytes(VARIADIC seats) || replay_hash);
END $$;

-- ---- what a game's row may hold: NULL, or the fault ----

-- Packed by latency.c: pairs of numbers, seven bits a byte; a step to the next bucket and its count. The
-- counts are those of the seat's decisions.
CREATE FUNCTION times_are_sound(times bytea, decisions bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    byte bigint;
    number bigint := 0;
    shift integer := 0;
    bucket bigint := 0;
    is_count boolean := false;
    left_count bigint := decisions;
BEGIN
    FOR i IN 0 .. length(times) - 1 LOOP
        byte := get_byte(times, i);
        number := number + ((byte & 127::bigint) << shift);
        shift := shift + 7;
        IF byte < 128 THEN
            IF is_count THEN
                left_count := left_count - number;
            ELSE
                bucket := bucket + number;
            END IF;
            IF bucket > 311 OR left_count < 0 THEN
                RETURN false;
            END IF;
            is_count := NOT is_count;
            number := 0;
            shift := 0;
        ELSIF shift > 14 THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN NOT is_count AND shift = 0 AND left_count = 0;
END $$;

CREATE FUNCTION seat_fault(score bigint, rank bigint, reason bigint, decisions bigint, us bigint, us_max bigint,
        times bytea, players bigint)
    RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE
        WHEN (score BETWEEN -10000 AND 10000) IS NOT TRUE THEN 'score out of range'
        WHEN (rank BETWEEN 1 AND players) IS NOT TRUE THEN 'rank out of range'
        WHEN (reason BETWEEN 0 AND 9) IS NOT TRUE THEN 'reason out of range'
        WHEN (decisions BETWEEN 0 AND 512) IS NOT TRUE THEN 'decisions out of range'
        WHEN (us BETWEEN 0 AND 1000000000000) IS NOT TRUE THEN 'us out of range'
        WHEN (us_max BETWEEN 0 AND us AND us <= us_max * decisions) IS NOT TRUE THEN 'us_max does not fit us'
        WHEN (octet_length(times) <= 4096) IS NOT TRUE THEN 'times too long'
        WHEN NOT times_are_sound(times, decisions) THEN 'times do not fit its decisions'
    END;
END $$;

-- A forfeit as json.c writes it, by its keys. Who forfeited by reason may have one.
CREATE FUNCTION forfeit_is_sound(forfeit jsonb, reason integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN jsonb_typeof(forfeit) = 'null' OR (jsonb_typeof(forfeit) = 'object' AND reason <> 0
        AND forfeit ->> 'reason' = (ARRAY['start', 'timeout', 'illegal', 'protocol', 'exit', 'crash', 'forbidden',
            'memory', 'cpu'])[reason]
        AND coalesce(octet_length(forfeit ->> 'words') BETWEEN 0 AND 191, false)
        AND (SELECT bool_and(CASE
            WHEN key IN ('reason', 'words', 'request', 'reply', 'stderr', 'request_decoded', 'reply_decoded',
                    'request_sha256', 'reply_sha256', 'stderr_sha256')
                THEN jsonb_typeof(value) = 'string' AND octet_length(value::text) <= 65536
            WHEN key = 'call' THEN jsonb_typeof(value) IN ('string', 'null') AND octet_length(value::text) <= 256
            WHEN key IN ('turn', 'limit_us', 'wall_us', 'cpu_us', 'delay_us', 'status', 'signal', 'request_bytes',
                    'reply_bytes', 'stderr_bytes', 'request_left_out', 'reply_left_out', 'stderr_left_out')
                THEN jsonb_typeof(value) = 'null' OR value::text ~ '^-?[0-9]{1,18}$'
            ELSE key = 'command' AND jsonb_typeof(value) = 'null'
            END) FROM jsonb_each(forfeit))) IS TRUE;
END $$;

-- jsonb has no character 0, which standard error may hold.
CREATE FUNCTION forfeits_fault(words text, reasons integer[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    forfeits jsonb;
BEGIN
    IF words IS NULL THEN
        RETURN NULL;
    END IF;
    IF octet_length(words) > 1048576 THEN
        RETURN 'forfeits too long';
    END IF;
    forfeits := replace(words, '\u0000', '\u0001')::jsonb;
    IF jsonb_typeof(forfeits) <> 'array' OR jsonb_array_length(forfeits) <> cardinality(reasons) THEN
        RETURN 'forfeits are not a list by seat';
    END IF;
    FOR seat IN 0 .. cardinality(reasons) - 1 LOOP
        IF NOT forfeit_is_sound(forfeits -> seat, reasons[seat + 1]) THEN
            RETURN format('forfeits: that of seat %s is not one of its reason', seat);
        END IF;
    END LOOP;
    RETURN NULL;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN 'forfeits cannot be read';
END $$;

CREATE FUNCTION game_fault(at_us bigint, took_us bigint, of_layers bigint, decision_count bigint, waited_us bigint,
        replay_hash bytea, replay_bytes bytea, seats text)
    RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE
        WHEN (at_us BETWEEN 0 AND 9007199254740992) IS NOT TRUE THEN 'started_us out of range'
        WHEN (took_us BETWEEN 0 AND 9007199254740992) IS NOT TRUE THEN 'wall_us out of range'
        WHEN (of_layers BETWEEN 0 AND 4294967295) IS NOT TRUE THEN 'layers out of range'
        WHEN (decision_count BETWEEN 0 AND 512) IS NOT TRUE THEN 'decisions out of range'
        WHEN (waited_us BETWEEN 0 AND 1000000000000) IS NOT TRUE THEN 'delay_us out of range'
        WHEN (octet_length(replay_bytes) <= 16777216) IS NOT TRUE THEN 'its replay is longer than 16 MiB'
        WHEN (sha256(replay_bytes) = replay_hash) IS NOT TRUE THEN 'its replay does not fit its hash'
        WHEN (octet_length(seats) <= 65536) IS NOT TRUE THEN 'seats too long'
    END;
END $$;

-- What worker_game was given; its seats are JSON.
CREATE FUNCTION worker_game_fault(g game_group, s season, o opening, of_rotation integer, at_us bigint,
        took_us bigint, of_layers bigint, decision_count bigint, words text, waited_us bigint, replay_hash bytea,
        sum bytea, seats text, replay_bytes bytea)
    RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    x record;
    seat_count integer := 0;
    left_count bigint := decision_count;
    ranks integer[];
    reasons integer[];
    sums bigint[];
    fault text := game_fault(at_us, took_us, of_layers, decision_count, waited_us, replay_hash, replay_bytes, seats);
BEGIN
    IF fault IS NOT NULL THEN
        RETURN fault;
    END IF;
    FOR x IN SELECT * FROM json_to_recordset(seats::json) AS x (seat integer, score integer, rank integer,
            reason integer, decisions integer, us bigint, us_max bigint, times text, sum bigint) ORDER BY seat LOOP
        IF x.seat IS DISTINCT FROM seat_count OR seat_count >= g.players THEN
            RETURN 'seats are not one each player';
        END IF;
        fault := seat_fault(x.score, x.rank, x.reason, x.decisions, x.us, x.us_max, decode(x.times, 'hex'), g.players);
        IF fault IS NULL AND x.sum IS DISTINCT FROM seat_checksum(s.id, g.number, of_rotation, x.seat,
                (ARRAY[g.base0, g.base1, g.base2, g.base3])[(x.seat + of_rotation) % g.players + 1], x.score, x.rank,
                x.reason, x.us, x.us_max, x.decisions, decode(x.times, 'hex')) THEN
            fault := 'its checksum is not that of its row';
        END IF;
        IF fault IS NOT NULL THEN
            RETURN format('seat %s: %s', x.seat, fault);
        END IF;
        seat_count := seat_count + 1;
        left_count := left_count - x.decisions;
        ranks := ranks || x.rank;
        reasons := reasons || x.reason;
        sums := sums || x.sum;
    END LOOP;
    IF seat_count <> g.players THEN
        RETURN 'seats are not one each player';
    END IF;
    IF left_count < 0 THEN
        RETURN 'decisions are fewer than those of its seats';
    END IF;
    -- Tied seats share the better rank.
    IF EXISTS (SELECT FROM unnest(ranks) AS a WHERE a <> (SELECT count(*) + 1 FROM unnest(ranks) AS b WHERE b < a)) THEN
        RETURN 'its ranks are no ranking';
    END IF;
    fault := forfeits_fault(words, reasons);
    IF fault IS NULL AND sum IS DISTINCT FROM game_checksum(g, s, o, of_rotation, at_us, took_us, of_layers,
            decision_count, words, sums, replay_hash) THEN
        fault := 'its checksum is not that of its row';
    END IF;
    RETURN fault;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN -- no JSON, no hex, or a number that does not fit
    RETURN 'seats cannot be read';
END $$;

-- ---- notifications ----

-- Groups of a bot that is banned with its games are open for ever, and nobody plays them: a batch is
-- complete, and a queue empty, without them.
CREATE OR REPLACE FUNCTION game_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    g game_group%ROWTYPE;
    played integer := 1 << NEW.rotation::integer;
BEGIN
    UPDATE game_group SET done = done | played,
        lease_worker = CASE WHEN done | played <> (1 << players::integer) - 1 THEN lease_worker END,
        lease_until = CASE WHEN done | played <> (1 << players::integer) - 1 THEN lease_until END
        WHERE season = NEW.season AND number = NEW.game_group RETURNING * INTO g;
    IF g.is_open THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM game_group WHERE season = g.season AND batch = g.batch AND is_open)
            OR NOT EXISTS (SELECT FROM game_group WHERE season = g.season AND batch = g.batch AND is_open
                AND NOT group_has_bot(game_group, void_bots())) THEN
        PERFORM pg_notify('pavilion_results', g.season::text);
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION batch_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    void bigint[] := void_bots();
BEGIN
    IF EXISTS (SELECT FROM season WHERE id = NEW.season AND dealt) AND NOT EXISTS (SELECT FROM game_group
            WHERE season = NEW.season AND is_open AND lease_until IS NULL
            AND NOT group_has_bot(game_group, void)) THEN
        PERFORM pg_notify('pavilion_work', '');
    END IF;
    RETURN NULL;
END $$;

-- ---- what workers call ----

-- Texts as store_text_is_valid has them: no control characters, no separators of lines.
CREATE OR REPLACE FUNCTION worker_register(given bytea, name text, host text, processor text,
        architecture text, layers bigint, tier bigint, jobs bigint, cores bigint, playouts_s bigint)
    RETURNS TABLE (added bigint, at_us bigint)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '10s' AS $$
BEGIN
    IF (octet_length(given) = 16 AND octet_length($2) BETWEEN 1 AND 64 AND octet_length($3) BETWEEN 1 AND 64
            AND octet_length($4) BETWEEN 1 AND 64 AND octet_length($5) BETWEEN 1 AND 64
            AND $2 || $3 || $4 || $5 !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' AND $6 BETWEEN 0 AND 4294967295
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

-- The result and the group's completion. Returns kept, stale, exists, closed, unknown or "unsound: FAULT".
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
    fault text;
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
    fault := worker_game_fault(g, s, o, of_rotation::integer, at_us, took_us, of_layers, decision_count, words,
        waited_us, replay_hash, sum, seats, replay_bytes);
    IF fault IS NOT NULL THEN
        RETURN 'unsound: ' || fault;
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

DROP FUNCTION worker_game_is_sound(game_group, bigint, bigint, bigint, bigint, text, bigint, bytea, bytea, json, bytea);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['number_bytes', 'fnv_1a', 'seat_checksum', 'game_checksum', 'times_are_sound',
            'seat_fault', 'forfeit_is_sound', 'forfeits_fault', 'game_fault', 'worker_game_fault'] LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', name);
    END LOOP;
END $$;

/**
 * The tables, with those rules that constraints can hold. Times are microseconds since 1970; texts of clients are as
 * `storedText` makes them, and stand in the order of their bytes; payload, raw, extra, metadata and the other objects are
 * JSON as it was written: jsonb would refuse U+0000 and change numbers.
 */
export const tables = `
-- What tells this store from others, and which migrations it has had.
CREATE TABLE trace_store (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  identity uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO trace_store (version) VALUES (0);

-- Every append changes the counters of its trace: room for that beside the row.
CREATE TABLE trace_rows (
  rid bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  org text COLLATE "C" NOT NULL,
  run text COLLATE "C",
  group_key text COLLATE "C",
  step double precision,
  status text NOT NULL CHECK (status IN ('running', 'finished', 'error', 'abandoned')),
  reward_sum double precision,
  reward_last double precision,
  reward_max double precision,
  reward_count bigint NOT NULL,
  block_count bigint NOT NULL,
  bytes bigint NOT NULL,
  error_count bigint NOT NULL,
  created_us bigint NOT NULL,
  finished_us bigint,
  updated_us bigint NOT NULL CHECK (updated_us >= created_us),
  environment text COLLATE "C",
  variant text COLLATE "C",
  split text COLLATE "C",
  task_index double precision,
  task_key text COLLATE "C",
  group_id text COLLATE "C",
  rollout_index double precision,
  model text COLLATE "C",
  name text COLLATE "C",
  CHECK ((reward_count = 0) = (reward_sum IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX traces_by_time ON trace_rows (org, created_us, id);
CREATE INDEX traces_by_run ON trace_rows (org, run, step, reward_sum);
CREATE INDEX traces_by_group ON trace_rows (org, run, group_key, created_us, reward_sum);

-- What may be large, and is not needed where many traces are counted.
CREATE TABLE trace_details (
  trace_rid bigint PRIMARY KEY REFERENCES trace_rows (rid) ON DELETE CASCADE,
  input_key text NOT NULL,
  task_spec text CHECK (task_spec IS NULL OR task_spec::json IS NOT NULL),
  tags text NOT NULL CHECK (tags::json IS NOT NULL),
  metadata text NOT NULL CHECK (metadata::json IS NOT NULL),
  run_info text NOT NULL CHECK (run_info::json IS NOT NULL),
  rollout_info text NOT NULL CHECK (rollout_info::json IS NOT NULL)
);

CREATE TABLE trace_tags (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  tag text COLLATE "C" NOT NULL,
  PRIMARY KEY (trace_rid, tag)
);

CREATE INDEX trace_tags_by_tag ON trace_tags (tag);

CREATE TABLE trace_blocks (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  ord bigint NOT NULL,
  id text COLLATE "C" NOT NULL UNIQUE,
  block_type text GENERATED ALWAYS AS (
    CASE sub_type WHEN 'MESSAGE' THEN 'MESSAGE' WHEN 'TOOL_RESULT' THEN 'OBSERVE' ELSE 'ACT' END
  ) STORED,
  sub_type text NOT NULL CHECK (sub_type IN ('MESSAGE', 'TOOL_CALL', 'TOOL_RESULT', 'THINK')),
  parent_block_id text COLLATE "C",
  call_id text COLLATE "C",
  call_key text COLLATE "C",
  seq bigint CHECK (seq >= 0),
  name text COLLATE "C",
  role text,
  reward double precision,
  is_error smallint NOT NULL CHECK (is_error IN (0, 1)),
  bytes bigint NOT NULL,
  created_us bigint NOT NULL,
  preview text NOT NULL,
  metadata text NOT NULL CHECK (metadata::json IS NOT NULL),
  extra text CHECK (extra IS NULL OR extra::json IS NOT NULL),
  raw text CHECK (raw IS NULL OR raw::json IS NOT NULL),
  payload text NOT NULL CHECK (payload::json IS NOT NULL),
  PRIMARY KEY (trace_rid, ord),
  CHECK ((sub_type = 'MESSAGE') = (parent_block_id IS NULL)),
  CHECK ((sub_type IN ('TOOL_CALL', 'TOOL_RESULT')) = (call_key IS NOT NULL)),
  CHECK (call_id IS NULL OR call_id = call_key),
  CHECK (sub_type <> 'TOOL_CALL' OR call_key = coalesce(call_id, id))
);

CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id) WHERE parent_block_id IS NOT NULL;
CREATE UNIQUE INDEX one_call_of_an_id ON trace_blocks (trace_rid, call_key) WHERE sub_type = 'TOOL_CALL';
CREATE UNIQUE INDEX one_result_of_a_seq ON trace_blocks (trace_rid, call_key, seq)
  WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL;

-- Where a trace was deleted; its id is never given again.
CREATE TABLE tombstones (
  trace_id text COLLATE "C" PRIMARY KEY,
  org text COLLATE "C" NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE idempotency (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  body_sha256 text NOT NULL,
  appended text NOT NULL CHECK (appended::json IS NOT NULL),
  expires_us bigint NOT NULL,
  PRIMARY KEY (trace_rid, key)
);

CREATE INDEX idempotency_by_end ON idempotency (expires_us);

-- Events of rollouts that wait for those before them; settled ones have no text.
CREATE TABLE rollout_events (
  trace_rid bigint NOT NULL REFERENCES trace_rows (rid) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  place double precision NOT NULL,
  text text,
  PRIMARY KEY (trace_rid, id)
);

CREATE INDEX pending_events ON rollout_events (trace_rid, place, id) WHERE text IS NOT NULL;

CREATE TABLE blobs (
  org text COLLATE "C" NOT NULL,
  sha256 text NOT NULL,
  media_type text NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (org, sha256)
);

-- The keys themselves are stored nowhere.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  org text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text NOT NULL CHECK (scopes::json IS NOT NULL),
  sha256 text NOT NULL UNIQUE,
  created_at text COLLATE "C" NOT NULL,
  revoked_at text
);

-- Written to find out whether anything can be.
CREATE TABLE probe (rid integer PRIMARY KEY CHECK (rid = 1), at_us bigint NOT NULL);

-- For means and squares of rewards, which may leave the doubles on the way: there and back, as near as a double comes.
CREATE FUNCTION exact(double precision) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT $1::text::numeric';
CREATE FUNCTION nearest(numeric) RETURNS double precision LANGUAGE sql IMMUTABLE AS '
  SELECT CASE WHEN abs($1) < 1e-307 THEN 0
    ELSE least(greatest($1, -1.7976931348623157e308), 1.7976931348623157e308) END::double precision';
`;

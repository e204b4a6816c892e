/**
 * Scopes the ids of traces and blocks to their organization. Blocks name it by a number, which keeps their rows and the
 * index of their ids small. Where there is one organization, PostgreSQL adds that column without touching a row; otherwise
 * it writes the table of blocks once more.
 */
export const organizationScopes = `
CREATE TABLE organizations (
  rid integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE
);
INSERT INTO organizations (name) SELECT org FROM trace_rows UNION SELECT org FROM tombstones;

CREATE TRIGGER organizations_stay BEFORE UPDATE OR DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: organizations are never changed');
CREATE TRIGGER organizations_are_not_emptied_away BEFORE TRUNCATE ON organizations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: organizations are never changed');

ALTER TABLE trace_rows ADD COLUMN org_rid integer;
UPDATE trace_rows SET org_rid = o.rid FROM organizations AS o WHERE o.name = org;
ALTER TABLE trace_rows ALTER COLUMN org_rid SET NOT NULL, DROP CONSTRAINT trace_rows_id_key,
  ADD CONSTRAINT trace_rows_id_key UNIQUE (id, org), ADD CONSTRAINT trace_rows_org_key UNIQUE (rid, org_rid);

DROP TRIGGER traces_stay_what_they_are ON trace_rows;
CREATE TRIGGER traces_stay_what_they_are BEFORE UPDATE OF rid, id, org, org_rid, run, environment, variant, split,
  task_index, task_key, group_id, group_key, step, rollout_index, model, created_us ON trace_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: only name, status and counters of a trace change');

ALTER TABLE tombstones DROP CONSTRAINT tombstones_pkey, ADD CONSTRAINT tombstones_pkey PRIMARY KEY (trace_id, org);

-- Not a foreign key: that would lock the row of the organization for every new trace, and it never changes.
CREATE OR REPLACE FUNCTION check_trace() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id AND org = NEW.org) THEN
    RAISE EXCEPTION 'duplicate: there was a trace with this id' USING ERRCODE = 'unique_violation';
  END IF;
  IF NEW.org IS DISTINCT FROM (SELECT name FROM organizations WHERE rid = NEW.org_rid) THEN
    RAISE EXCEPTION 'organization: org and org_rid of a trace name different organizations'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

ALTER TABLE trace_blocks ADD COLUMN org_rid integer;
CREATE FUNCTION org_of(trace bigint) RETURNS integer LANGUAGE sql STABLE SET search_path FROM CURRENT AS
  'SELECT org_rid FROM trace_rows WHERE rid = trace';
DO $$
DECLARE
  sole integer := (SELECT min(rid) FROM organizations HAVING count(*) = 1);
BEGIN
  IF sole IS NULL THEN
    ALTER TABLE trace_blocks ALTER COLUMN org_rid TYPE integer USING org_of(trace_rid);
  ELSE
    ALTER TABLE trace_blocks DROP COLUMN org_rid;
    EXECUTE format('ALTER TABLE trace_blocks ADD COLUMN org_rid integer DEFAULT %s', sole);
    ALTER TABLE trace_blocks ALTER COLUMN org_rid DROP DEFAULT;
  END IF;
END $$;
DROP FUNCTION org_of;

DROP INDEX blocks_by_parent;
ALTER TABLE trace_blocks ALTER COLUMN org_rid SET NOT NULL, DROP CONSTRAINT trace_blocks_id_key,
  ADD CONSTRAINT trace_blocks_id_key UNIQUE (id, org_rid), DROP CONSTRAINT trace_blocks_trace_rid_fkey,
  ADD CONSTRAINT trace_blocks_trace_rid_fkey FOREIGN KEY (trace_rid, org_rid) REFERENCES trace_rows (rid, org_rid)
    ON DELETE CASCADE;
CREATE INDEX blocks_by_parent ON trace_blocks (parent_block_id, org_rid) WHERE parent_block_id IS NOT NULL;

CREATE OR REPLACE FUNCTION check_blocks() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (
    SELECT FROM written AS block WHERE (
      CASE block.ord WHEN 1 THEN 0 ELSE (
        SELECT created_us FROM trace_blocks AS last
        WHERE last.trace_rid = block.trace_rid AND last.ord = block.ord - 1) END < block.created_us
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'order: a block takes the next place of its trace, and a later time'
      USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
    SELECT FROM written AS block WHERE sub_type <> 'MESSAGE' AND (
      SELECT parent.trace_rid = block.trace_rid AND parent.ord < block.ord
        AND parent.sub_type = CASE block.sub_type WHEN 'TOOL_RESULT' THEN 'TOOL_CALL' ELSE 'MESSAGE' END
        AND (block.sub_type <> 'TOOL_RESULT' OR (
          coalesce(block.call_id = parent.call_id, true) AND block.call_key = coalesce(block.call_id, parent.call_key)))
      FROM trace_blocks AS parent WHERE parent.id = block.parent_block_id AND parent.org_rid = block.org_rid
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'parent: not in this trace, of a wrong sub_type, or with another call_id'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
`;

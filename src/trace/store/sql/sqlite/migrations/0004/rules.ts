/** The rules of migration 0001, with ids that are unique within an organization. */
export const rules = `
CREATE TRIGGER traces_stay_what_they_are BEFORE UPDATE OF rid, id, org, org_rid, run, environment, variant, split,
  task_index, task_key, group_id, group_key, step, rollout_index, model, created_us ON trace_rows
BEGIN
  SELECT RAISE(ABORT, 'immutable: only name, status and counters of a trace change');
END;

CREATE TRIGGER traces_are_new BEFORE INSERT ON trace_rows
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE id = NEW.id AND org = NEW.org)
  OR EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id AND org = NEW.org)
BEGIN
  SELECT RAISE(ABORT, 'duplicate: this organization has, or had, a trace with this id');
END;

CREATE TRIGGER traces_belong_to_their_organization BEFORE INSERT ON trace_rows
WHEN NEW.org IS NOT (SELECT name FROM organizations WHERE rid = NEW.org_rid)
BEGIN
  SELECT RAISE(ABORT, 'organization: org and org_rid of a trace name different organizations');
END;

CREATE TRIGGER organizations_stay_what_they_are BEFORE UPDATE ON organizations
BEGIN
  SELECT RAISE(ABORT, 'immutable: organizations are never changed');
END;

CREATE TRIGGER organizations_stay BEFORE DELETE ON organizations
BEGIN
  SELECT RAISE(ABORT, 'immutable: the number of an organization is never given again');
END;

CREATE TRIGGER traces_take_all_with_them AFTER DELETE ON trace_rows
BEGIN
  INSERT INTO tombstones (trace_id, org) VALUES (OLD.id, OLD.org);
  DELETE FROM trace_blocks WHERE trace_rid = OLD.rid;
  DELETE FROM trace_details WHERE trace_rid = OLD.rid;
  DELETE FROM trace_tags WHERE trace_rid = OLD.rid;
  DELETE FROM idempotency WHERE trace_rid = OLD.rid;
  DELETE FROM rollout_events WHERE trace_rid = OLD.rid;
END;

CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
BEGIN
  SELECT RAISE(ABORT, 'immutable: an id is never given again');
END;

CREATE TRIGGER blocks_stay_what_they_are BEFORE UPDATE ON trace_blocks
BEGIN
  SELECT RAISE(ABORT, 'immutable: blocks are never changed');
END;

CREATE TRIGGER blocks_stay_where_they_are BEFORE DELETE ON trace_blocks
WHEN EXISTS (SELECT 1 FROM trace_rows WHERE rid = OLD.trace_rid)
BEGIN
  SELECT RAISE(ABORT, 'immutable: blocks go only with their trace');
END;

-- Before INSERT OR REPLACE can take others away.
CREATE TRIGGER blocks_are_new BEFORE INSERT ON trace_blocks
WHEN EXISTS (SELECT 1 FROM trace_blocks WHERE id = NEW.id AND org_rid = NEW.org_rid)
  OR (NEW.sub_type = 'TOOL_CALL' AND EXISTS (
    SELECT 1 FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND sub_type = 'TOOL_CALL'))
  OR (NEW.sub_type = 'TOOL_RESULT' AND NEW.seq IS NOT NULL AND EXISTS (
    SELECT 1 FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND call_key = NEW.call_key AND seq = NEW.seq
      AND sub_type = 'TOOL_RESULT' AND seq IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'duplicate: there is a block with this id, call_id or seq');
END;

CREATE TRIGGER blocks_follow_each_other BEFORE INSERT ON trace_blocks
WHEN NEW.ord IS NOT 1 + coalesce((SELECT max(ord) FROM trace_blocks WHERE trace_rid = NEW.trace_rid), 0)
  OR NEW.created_us <= coalesce(
    (SELECT created_us FROM trace_blocks WHERE trace_rid = NEW.trace_rid AND ord = NEW.ord - 1), 0)
BEGIN
  SELECT RAISE(ABORT, 'order: a block takes the next place of its trace, and a later time');
END;

CREATE TRIGGER blocks_belong_to_their_organization BEFORE INSERT ON trace_blocks
WHEN NEW.org_rid IS NOT (SELECT org_rid FROM trace_rows WHERE rid = NEW.trace_rid)
BEGIN
  SELECT RAISE(ABORT, 'organization: a block has the org_rid of its trace');
END;

CREATE TRIGGER blocks_hang_under_their_parent BEFORE INSERT ON trace_blocks
WHEN NEW.sub_type <> 'MESSAGE' AND NOT EXISTS (
  SELECT 1 FROM trace_blocks AS parent
  WHERE parent.id = NEW.parent_block_id AND parent.org_rid = NEW.org_rid AND parent.trace_rid = NEW.trace_rid
    AND parent.sub_type = CASE NEW.sub_type WHEN 'TOOL_RESULT' THEN 'TOOL_CALL' ELSE 'MESSAGE' END
    AND (NEW.sub_type <> 'TOOL_RESULT' OR (
      coalesce(NEW.call_id = parent.call_id, 1) AND NEW.call_key = coalesce(NEW.call_id, parent.call_key))))
BEGIN
  SELECT RAISE(ABORT, 'parent: not in this trace, of a wrong sub_type, or with another call_id');
END;
`;

/**
 * What no statement may do, whoever writes it, as far as constraints do not say it. Each message begins with a word that
 * tells the rule.
 */
export const rules = `
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER traces_stay_what_they_are BEFORE UPDATE OF rid, id, org, run, environment, variant, split, task_index,
  task_key, group_id, group_key, step, rollout_index, model, created_us ON trace_rows
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: only name, status and counters of a trace change');

CREATE TRIGGER blocks_stay_what_they_are BEFORE UPDATE ON trace_blocks
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: blocks are never changed');

CREATE TRIGGER blocks_are_not_emptied_away BEFORE TRUNCATE ON trace_blocks
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: blocks go only with their trace');

CREATE TRIGGER tombstones_stay BEFORE UPDATE OR DELETE ON tombstones
  FOR EACH ROW EXECUTE FUNCTION refuse('immutable: an id is never given again');

CREATE TRIGGER tombstones_are_not_emptied_away BEFORE TRUNCATE ON tombstones
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: an id is never given again');

CREATE FUNCTION keep_block() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM trace_rows WHERE rid = OLD.trace_rid) THEN
    RAISE EXCEPTION 'immutable: blocks go only with their trace' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER blocks_stay_where_they_are BEFORE DELETE ON trace_blocks
  FOR EACH ROW EXECUTE FUNCTION keep_block();

-- After the index of the ids has waited for whoever deletes a trace with this one.
CREATE FUNCTION check_trace() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM tombstones WHERE trace_id = NEW.id) THEN
    RAISE EXCEPTION 'duplicate: there was a trace with this id' USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER traces_are_new AFTER INSERT ON trace_rows FOR EACH ROW EXECUTE FUNCTION check_trace();

CREATE FUNCTION bury_trace() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO tombstones (trace_id, org) VALUES (OLD.id, OLD.org);
  RETURN NULL;
END $$;

CREATE TRIGGER traces_are_buried AFTER DELETE ON trace_rows FOR EACH ROW EXECUTE FUNCTION bury_trace();

CREATE TRIGGER traces_are_not_emptied_away BEFORE TRUNCATE ON trace_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('immutable: delete traces one by one');

CREATE FUNCTION check_block() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  last_ord bigint := 0;
  last_us bigint := 0;
BEGIN
  SELECT ord, created_us INTO last_ord, last_us FROM trace_blocks
    WHERE trace_rid = NEW.trace_rid ORDER BY ord DESC LIMIT 1;
  IF NEW.ord IS DISTINCT FROM coalesce(last_ord, 0) + 1 OR NEW.created_us <= coalesce(last_us, 0) THEN
    RAISE EXCEPTION 'order: a block takes the next place of its trace, and a later time'
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.sub_type <> 'MESSAGE' AND NOT EXISTS (
    SELECT 1 FROM trace_blocks AS parent WHERE parent.id = NEW.parent_block_id AND parent.trace_rid = NEW.trace_rid
      AND parent.sub_type = CASE NEW.sub_type WHEN 'TOOL_RESULT' THEN 'TOOL_CALL' ELSE 'MESSAGE' END
      AND (NEW.sub_type <> 'TOOL_RESULT' OR (
        coalesce(NEW.call_id = parent.call_id, true) AND NEW.call_key = coalesce(NEW.call_id, parent.call_key))))
  THEN
    RAISE EXCEPTION 'parent: not in this trace, of a wrong sub_type, or with another call_id'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER blocks_follow_the_rules BEFORE INSERT ON trace_blocks FOR EACH ROW EXECUTE FUNCTION check_block();
`;

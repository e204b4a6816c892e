/**
 * Holds the blocks of a statement against the rules together, where each had a trigger of its own. Whatever has been
 * counted of the tables before, their rows are looked up one by one: a plan that reads a whole table would be kept while
 * that grows.
 */
export const blockRules = `
DROP TRIGGER blocks_follow_the_rules ON trace_blocks;
DROP FUNCTION check_block();

CREATE FUNCTION check_blocks() RETURNS trigger LANGUAGE plpgsql
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
      FROM trace_blocks AS parent WHERE parent.id = block.parent_block_id
    ) IS NOT TRUE)
  THEN
    RAISE EXCEPTION 'parent: not in this trace, of a wrong sub_type, or with another call_id'
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER blocks_follow_the_rules AFTER INSERT ON trace_blocks REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION check_blocks();
`;

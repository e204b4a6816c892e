/**
 * For people with a SQL shell; the store reads none of them. `traces` has a row for each trace with its times as
 * text; `blocks` one for each block, with the id of its trace; `rewards` one for each block that has a reward, with the
 * run and step of its trace and the sum of the rewards until then.
 */
export const views = `
CREATE VIEW blocks AS
  SELECT t.org, t.id AS trace_id, b.ord, b.id, b.block_type, b.sub_type, b.parent_block_id, b.call_id, b.seq, b.name,
    b.role, b.reward, b.is_error, b.bytes, b.preview, b.payload, b.metadata, b.raw, b.extra,
    strftime('%Y-%m-%dT%H:%M:%S', b.created_us / 1000000, 'unixepoch') || printf('.%06dZ', b.created_us % 1000000)
      AS created_at
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid;

CREATE VIEW traces AS
  SELECT t.org, t.id, t.name, t.run, t.environment, t.variant, t.split, t.task_index, t.task_key, t.group_id, t.step,
    t.rollout_index, t.model, t.status, t.reward_sum, t.reward_last, t.reward_max, t.reward_count, t.block_count, t.bytes,
    t.error_count, d.tags, d.task_spec, d.metadata, d.run_info, d.rollout_info,
    strftime('%Y-%m-%dT%H:%M:%S', t.created_us / 1000000, 'unixepoch') || printf('.%06dZ', t.created_us % 1000000)
      AS created_at,
    strftime('%Y-%m-%dT%H:%M:%S', t.finished_us / 1000000, 'unixepoch') || printf('.%06dZ', t.finished_us % 1000000)
      AS finished_at,
    strftime('%Y-%m-%dT%H:%M:%S', t.updated_us / 1000000, 'unixepoch') || printf('.%06dZ', t.updated_us % 1000000)
      AS updated_at
  FROM trace_rows AS t JOIN trace_details AS d ON d.trace_rid = t.rid;

CREATE VIEW rewards AS
  SELECT t.org, t.run, t.environment, t.split, t.step, t.group_id, t.task_key, t.rollout_index, t.id AS trace_id, b.ord,
    b.id AS block_id, b.reward, sum(b.reward) OVER (PARTITION BY b.trace_rid ORDER BY b.ord) AS reward_until_then
  FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid
  WHERE b.reward IS NOT NULL;
`;

/** What a search across many traces needs: calls by tool, results that failed, the traces of a run by time. */
export const search = `
CREATE INDEX calls_by_name ON trace_blocks (trace_rid, name) WHERE name IS NOT NULL;
CREATE INDEX failed_results ON trace_blocks (trace_rid, ord) WHERE is_error = 1;
CREATE INDEX traces_of_run_by_time ON trace_rows (org, run, created_us, id);
`;

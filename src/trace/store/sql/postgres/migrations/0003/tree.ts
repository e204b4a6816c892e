/** What a page of a trace as a tree needs: its messages in their order. */
export const tree = `
CREATE INDEX messages_in_order ON trace_blocks (trace_rid, seq, ord) WHERE sub_type = 'MESSAGE';
`;

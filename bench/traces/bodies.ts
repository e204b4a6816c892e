/** About 0.7 KB of text, as a message or a result has it. */
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(14);

/** Blocks of an agent's turns: a message, a call, a result with a reward. Ids begin with the prefix. */
export const blocksOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `tb_${prefix}_${index}`;
    const before = `tb_${prefix}_${index - 1}`;
    const call_id = `call_${prefix}_${index - (index % 3)}`;
    if (index % 3 === 0) return { id, sub_type: 'MESSAGE', payload: { role: 'assistant', content: TEXT } };
    if (index % 3 === 1) {
      const payload = { call_id, name: 'look', arguments: { text: TEXT } };
      return { id, sub_type: 'TOOL_CALL', parent_block_id: before, payload };
    }
    const payload = { call_id, output: { text: TEXT } };
    return { id, sub_type: 'TOOL_RESULT', parent_block_id: before, payload, extra: { reward: index % 2 } };
  });

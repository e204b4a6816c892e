/** 0.6 KB of text, a usual size of messages and results. */
export const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(14);

export type SampleBlock = ReturnType<typeof sampleBlocks>[number];

/**
 * Creates the blocks of an agent's turns: a message, a tool call, a tool result with a reward. Ids contain the prefix.
 */
export const sampleBlocks = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = `tb_${prefix}_${index}`;
    const previous = `tb_${prefix}_${index - 1}`;
    const call_id = `call_${prefix}_${index - (index % 3)}`;
    if (index % 3 === 0) return { id, sub_type: 'MESSAGE', payload: { role: 'assistant', content: TEXT } };
    if (index % 3 === 1) {
      const payload = { call_id, name: 'look', arguments: { text: TEXT } };
      return { id, sub_type: 'TOOL_CALL', parent_block_id: previous, payload };
    }
    const payload = { call_id, output: { text: TEXT } };
    return { id, sub_type: 'TOOL_RESULT', parent_block_id: previous, payload, extra: { reward: index % 2 } };
  });

/** Responses of Anthropic's API. */

type Block = Readonly<Record<string, unknown>>;

export const message = (content: readonly Block[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
  ...more,
});

export const toolUse = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });

/** Events of a message, with deltas of a few characters. */
export function eventsOf(whole: ReturnType<typeof message>): object[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = whole;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  const blocks = content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const { output_tokens } = usage;
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } },
    { type: 'message_stop' },
  ];
}

function emptied(block: Block): Block {
  const fields = { text: '', thinking: '', signature: '', input: {} };
  return { ...block, ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in block)) };
}

const pieces = (text: unknown) => String(text).match(/.{1,4}/gsu) ?? [];

function deltasOf({ type, text, thinking, signature, input }: Block): object[] {
  if (type === 'text') return pieces(text).map((piece) => ({ type: 'text_delta', text: piece }));
  if (type === 'thinking') {
    const thoughts = pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    return [...thoughts, { type: 'signature_delta', signature }];
  }
  if (input === undefined || Object.keys(input as object).length === 0) return [];
  return ['', ...pieces(JSON.stringify(input))].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

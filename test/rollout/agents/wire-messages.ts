import { type FakeAnswer, piecesOf, textOf, usageOf, type Wire } from './wire.ts';

const finishOf = ({ finish, calls = [] }: FakeAnswer) => finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');

const event = (type: string, rest: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

interface Content {
  readonly block: object;
  readonly deltas: readonly object[];
}

function contentOf({ reasoning, text, calls = [] }: FakeAnswer): Content[] {
  const thought = reasoning && {
    block: { type: 'thinking', thinking: '' },
    deltas: [
      { type: 'thinking_delta', thinking: reasoning },
      { type: 'signature_delta', signature: 'signed' },
    ],
  };
  const said = text && { block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] };
  const called = calls.map(({ id, name, input }, index) => ({
    block: { type: 'tool_use', id: id ?? `toolu_${index}_${name}`, name, input: {} },
    deltas: piecesOf(input).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  }));
  return [thought, said, ...called].filter((part) => typeof part === 'object');
}

/** Wire format of Anthropic's messages API. */
export const messages: Wire = {
  events(answer) {
    const used = usageOf(answer) ?? { input: 0, output: 0 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake-claude', content: [] };
    const usage = { input_tokens: used.input, output_tokens: 1 };
    return [
      event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } }),
      ...contentOf(answer).flatMap(({ block, deltas }, index) => [
        event('content_block_start', { index, content_block: block }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: finishOf(answer), stop_sequence: null },
        usage: { output_tokens: used.output },
      }),
      event('message_stop', {}),
    ];
  },
  whole(answer) {
    const { reasoning, text, calls = [] } = answer;
    const used = usageOf(answer) ?? { input: 0, output: 0 };
    const content = [
      ...(reasoning ? [{ type: 'thinking', thinking: reasoning, signature: 'signed' }] : []),
      ...(text ? [{ type: 'text', text }] : []),
      ...calls.map(({ id, name, input }, index) => ({
        type: 'tool_use',
        id: id ?? `toolu_${index}_${name}`,
        name,
        input: JSON.parse(textOf(input)),
      })),
    ];
    const usage = { input_tokens: used.input, output_tokens: used.output };
    const rest = { stop_reason: finishOf(answer), stop_sequence: null, usage };
    return { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake-claude', content, ...rest };
  },
};

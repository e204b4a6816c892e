import { type FakeAnswer, piecesOf, textOf, usageOf, type Wire } from './wire.ts';

const finishOf = ({ finish, calls = [] }: FakeAnswer) => finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');

function usage(answer: FakeAnswer) {
  const used = usageOf(answer);
  return used && { prompt_tokens: used.input, completion_tokens: used.output, total_tokens: used.input + used.output };
}

const event = (delta: object, finish_reason: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chat-1', created: 1, model: 'fake-1', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;

/** Wire format of OpenAI's chat completions, as vLLM sends them. */
export const chat: Wire = {
  events(answer) {
    const { reasoning, text, calls = [] } = answer;
    const called = calls.flatMap(({ id, name, input }, index) => {
      const [first, ...rest] = piecesOf(input);
      const start = {
        index,
        id: id ?? `call_${index}_${name}`,
        type: 'function',
        function: { name, arguments: first },
      };
      const more = rest.map((piece) => event({ tool_calls: [{ index, function: { arguments: piece } }] }));
      return [event({ tool_calls: [start] }), ...more];
    });
    const used = usage(answer);
    return [
      event({ role: 'assistant', content: '' }),
      ...(reasoning ? [...reasoning].map((piece) => event({ reasoning_content: piece })) : []),
      ...(text ? [...text].map((piece) => event({ content: piece })) : []),
      ...called,
      event({}, finishOf(answer)),
      ...(used ? [`data: ${JSON.stringify({ choices: [], usage: used })}\n\n`] : []),
      'data: [DONE]\n\n',
    ];
  },
  whole(answer) {
    const { reasoning, text = null, calls = [] } = answer;
    const tool_calls = calls.map(({ id, name, input }, index) => ({
      id: id ?? `call_${index}_${name}`,
      type: 'function',
      function: { name, arguments: textOf(input) },
    }));
    const message = {
      role: 'assistant',
      content: text,
      ...(reasoning && { reasoning_content: reasoning }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finishOf(answer) }];
    return { id: 'chat-1', created: 1, model: 'fake-1', choices, usage: usage(answer) };
  },
};

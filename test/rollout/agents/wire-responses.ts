import { type FakeAnswer, piecesOf, textOf, usageOf, type Wire } from './wire.ts';

const event = (type: string, rest: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

let made = 0;

function itemsOf({ reasoning, text, calls = [] }: FakeAnswer): Record<string, unknown>[] {
  made += 1;
  return [
    ...(reasoning
      ? [{ type: 'reasoning', id: `rs_${made}`, summary: [{ type: 'summary_text', text: reasoning }] }]
      : []),
    ...(text
      ? [
          {
            type: 'message',
            id: `msg_${made}`,
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]
      : []),
    ...calls.map(({ id, name, input }, index) => ({
      type: 'function_call',
      id: `fc_${made}_${index}`,
      call_id: id ?? `call_${made}_${index}`,
      name,
      arguments: textOf(input),
      status: 'completed',
    })),
  ];
}

function bodyOf(answer: FakeAnswer, output: readonly object[]) {
  const used = usageOf(answer);
  const incomplete_details = answer.finish === undefined ? null : { reason: answer.finish };
  const usage = used && {
    input_tokens: used.input,
    output_tokens: used.output,
    total_tokens: used.input + used.output,
  };
  return { id: 'resp_1', created_at: 1, model: 'fake-gpt', output, usage, incomplete_details };
}

function eventsOf(item: Record<string, unknown>, output_index: number): string[] {
  const { id: item_id } = item;
  const inside =
    item.type === 'function_call'
      ? piecesOf(String(item.arguments)).map((delta) =>
          event('response.function_call_arguments.delta', { item_id, output_index, delta }),
        )
      : item.type === 'message'
        ? [event('response.output_text.delta', { item_id, output_index, content_index: 0, ...textIn(item) })]
        : [
            event('response.reasoning_summary_part.added', { item_id, output_index, summary_index: 0 }),
            event('response.reasoning_summary_text.delta', {
              item_id,
              output_index,
              summary_index: 0,
              ...thoughtIn(item),
            }),
            event('response.reasoning_summary_part.done', { item_id, output_index, summary_index: 0 }),
          ];
  const empty = { ...item, ...('arguments' in item && { arguments: '' }), ...('summary' in item && { summary: [] }) };
  return [
    event('response.output_item.added', { output_index, item: empty }),
    ...inside,
    event('response.output_item.done', { output_index, item }),
  ];
}

const textIn = ({ content }: Record<string, unknown>) => ({ delta: (content as { text: string }[])[0]?.text });
const thoughtIn = ({ summary }: Record<string, unknown>) => ({ delta: (summary as { text: string }[])[0]?.text });

/** Wire format of OpenAI's responses API. */
export const responses: Wire = {
  events(answer) {
    const items = itemsOf(answer);
    return [
      event('response.created', { response: { id: 'resp_1', created_at: 1, model: 'fake-gpt' } }),
      ...items.flatMap(eventsOf),
      event(answer.finish === undefined ? 'response.completed' : 'response.incomplete', {
        response: bodyOf(answer, items),
      }),
    ];
  },
  whole: (answer) => bodyOf(answer, itemsOf(answer)),
};

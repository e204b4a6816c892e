import { describe, expect, test } from '@jest/globals';
import type { Block } from '../../../generated/trace.ts';
import { SpanTrace } from '../../../src/trace/api/span-trace.ts';
import type { ConversationItem } from '../../../src/trace/conversation/index.ts';
import type { Span } from '../../../src/trace/formats/index.ts';

type IdOfCall = (turn: number, index: number) => string;

const TURNS = [0, 1, 2];
const CALLS = [0, 1];

const spanOf = (number: number): Span => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: `b7ad6b71692033${10 + number}`,
  parentSpanId: undefined,
  name: 'chat',
  start: 10 * number,
  end: 10 * number + 5,
  attributes: {},
  events: [],
  links: [],
  isFailed: false,
  failure: '',
  resource: {},
  scope: 'agent',
});

const requestOf = (input: readonly ConversationItem[], output: readonly ConversationItem[]) =>
  ({ kind: 'model', model: 'm', input, output, extra: {}, tools: [], sampling: undefined, rest: {} }) as const;

/** Adds the requests of an agent with two calls in each turn; a restart reads the blocks again after each turn. */
function recordAgent(idOf: IdOfCall, isRestarted: boolean): readonly Block[] {
  const blocks: Block[] = [];
  const history: ConversationItem[] = [{ kind: 'message', role: 'user', content: 'begin' }];
  let trace = new SpanTrace(spanOf(0));
  const add = (turn: number, output: readonly ConversationItem[]) => {
    trace.add(spanOf(turn), requestOf([...history], output), {});
    // The store adds only fields that are not read here.
    blocks.push(...trace.takeBlocks().map(({ block }) => block as unknown as Block));
    if (!isRestarted) return;
    trace = new SpanTrace(spanOf(0));
    for (const block of blocks) trace.restore(block);
  };
  for (const turn of TURNS) {
    const calls = CALLS.map((index) => ({ callId: idOf(turn, index), name: 'move', input: { turn, index } }));
    const made = calls.map((call): ConversationItem => ({ kind: 'call', ...call }));
    add(turn, made);
    history.push(...made);
    for (const { callId, input } of calls) history.push({ kind: 'result', callId, output: input, isError: false });
  }
  add(TURNS.length, [{ kind: 'output', content: [{ type: 'text', text: 'end' }] }]);
  return blocks;
}

const ids: readonly (readonly [string, IdOfCall])[] = [
  ['are unique', (turn, index) => `call_${turn}_${index}`],
  ['are repeated in each turn', (_, index) => `call_${index}`],
  ['are all the same', () => 'call'],
  ['are missing', () => ''],
  ['are the names of the tools', () => 'move'],
];

describe.each(ids)('if ids of calls %s', (_, idOf) => {
  test.each([
    ['in one process', false],
    ['after restarts', true],
  ])('writes each call once, with its result, %s', (_description, isRestarted) => {
    const blocks = recordAgent(idOf, isRestarted);

    const calls = blocks.filter(({ sub_type }) => sub_type === 'TOOL_CALL');
    const results = blocks.filter(({ sub_type }) => sub_type === 'TOOL_RESULT');
    const made = TURNS.flatMap((turn) => CALLS.map((index) => ({ turn, index })));
    expect(calls.map(({ payload }) => payload)).toEqual(
      made.map((input) => ({ call_id: expect.any(String), name: 'move', arguments: input })),
    );
    expect(results.map(({ parent_block_id, payload }) => [parent_block_id, payload])).toEqual(
      calls.map(({ id, payload }, index) => [
        id,
        { call_id: 'call_id' in payload && payload.call_id, output: made[index] },
      ]),
    );
    expect(blocks.filter(({ sub_type }) => sub_type === 'MESSAGE')).toHaveLength(TURNS.length + 2);
  });
});

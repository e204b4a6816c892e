import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type RunToolOutput, resultEvents } from '../../src/protocol/index.ts';
import {
  type PlaygroundCallOutcome,
  readCallOutcome,
  rewardSum,
} from '../../src/viewer/page/playground/call-outcome.ts';
import { toDemonstration } from '../../src/viewer/page/playground/demonstration.ts';
import { canPlay } from '../../src/viewer/page/playground/task.ts';

Object.assign(globalThis, {
  document: { baseURI: 'http://127.0.0.1/ui/', getElementsByName: () => [] },
  sessionStorage: { getItem: () => null },
});
// The module reads the address of the document when it is loaded.
const { readEpisode } = await import('../../src/viewer/page/playground/episode.ts');

afterEach(() => void jest.restoreAllMocks());

const output = (text: string, reward: number | null, finished = false): PlaygroundCallOutcome => ({
  kind: 'output',
  output: { blocks: [{ type: 'text', text }], reward, finished },
});

async function* streamOf(events: Iterable<{ event: string; data: string }>) {
  yield { event: 'task_id', data: 'play-1' };
  yield* events;
}

describe('the playground', () => {
  test.each([
    ['127.0.0.1', undefined, true],
    ['127.8.9.1', undefined, true],
    ['localhost', undefined, true],
    ['ors.localhost', undefined, true],
    ['[::1]', undefined, true],
    ['127.0.0.1.example.org', undefined, false],
    ['localhost.example.org', undefined, false],
    ['10.0.0.7', undefined, false],
    ['example.org', undefined, false],
    ['example.org', 'a-key', true],
  ])('decides for the host %s and the key %s: %s', (hostname, key, may) => {
    expect(canPlay(hostname, key)).toBe(may);
  });
});

describe('the outcome of a call', () => {
  test('joins the chunks', async () => {
    const result = {
      ok: true,
      output: { blocks: [{ type: 'text', text: 'é '.repeat(9_000) }], reward: 0.5, finished: false },
    } as RunToolOutput;

    const outcome = await readCallOutcome(streamOf(resultEvents(JSON.stringify(result))));

    expect(outcome).toEqual({ kind: 'output', output: 'output' in result ? result.output : undefined });
  });

  test.each([
    ['a refusal', { event: 'end', data: '{"ok": false, "error": "no"}' }, { kind: 'refused', error: 'no' }],
    [
      'a refusal with its reason',
      { event: 'end', data: '{"ok": false, "error": "no", "reason": "input_validation"}' },
      { kind: 'refused', error: 'no', reason: 'input_validation' },
    ],
    ['an error', { event: 'error', data: 'Error: boom' }, { kind: 'crashed', error: 'Error: boom' }],
    ['no JSON', { event: 'end', data: 'oops' }, { kind: 'crashed', error: 'the result is not a JSON object: oops' }],
  ])('returns %s', async (_, event, outcome) => {
    expect(await readCallOutcome(streamOf([event]))).toEqual(outcome);
  });

  test('is undefined if the events end early', async () => {
    expect(await readCallOutcome(streamOf([{ event: 'chunk', data: '{"ok":' }]))).toBeUndefined();
  });
});

describe('the prompt of an episode', () => {
  const serve = (status: number) =>
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (request) => {
      const { pathname } = new URL((request as Request).url);
      if (pathname.endsWith('/messages')) return Response.json({ detail: 'no such operation' }, { status });
      return Response.json(pathname.endsWith('/prompt') ? [{ type: 'text', text: 'Walk.' }] : { tools: [] });
    });
  const read = () => readEpisode('s1', 'maze', new AbortController().signal);

  test.each([404, 405, 501])('is one message of the user if the server rejects /messages with %d', async (status) => {
    serve(status);

    const { messages } = await read();

    expect(messages).toMatchObject([{ role: 'user', blocks: [{ type: 'text', text: 'Walk.' }] }]);
  });

  test('fails with any other status', async () => {
    serve(410);

    await expect(read()).rejects.toMatchObject({ status: 410 });
  });
});

describe('a demonstration', () => {
  test('is the conversation that a model would have had', () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const looked: PlaygroundCallOutcome = {
      kind: 'output',
      output: { blocks: [picture], reward: null, finished: false },
    };

    const { messages, tools, metadata } = toDemonstration({
      environment: 'maze',
      split: 'train',
      index: 3,
      messages: [{ role: 'user', blocks: [{ type: 'text', text: 'Walk.' }, picture] }],
      tools: [
        { name: 'look', description: 'Look.', input_schema: null },
        { name: 'move.to', description: 'Move.', input_schema: null },
      ],
      calls: [
        { tool: 'look', input: {}, outcome: looked },
        { tool: 'move.to', input: { to: 'east' }, outcome: { kind: 'refused', error: 'a wall' } },
        { tool: 'move.to', input: { to: 'west' }, outcome: output('There.', 1, true) },
        { tool: 'look', input: {} },
      ],
    });

    const url = { image_url: { url: 'data:image/png;base64,AAAA' }, type: 'image_url' };
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Walk.' }, url] },
      toolCall('call_1', 'look', '{}'),
      { role: 'tool', tool_call_id: 'call_1', content: '[image 1]' },
      { role: 'user', content: [{ type: 'text', text: 'image 1, from the tool look:' }, url] },
      toolCall('call_2', 'move_to', '{"to": "east"}'),
      { role: 'tool', tool_call_id: 'call_2', content: 'a wall' },
      toolCall('call_3', 'move_to', '{"to": "west"}'),
      { role: 'tool', tool_call_id: 'call_3', content: 'There.' },
    ]);
    expect(tools.map((tool) => tool.function.name)).toEqual(['look', 'move_to']);
    expect(tools[0]?.function.parameters).toEqual({ type: 'object', properties: {} });
    expect(metadata).toEqual({ environment: 'maze', split: 'train', index: 3, reward_sum: 1 });
  });

  test('keeps the roles of a conversation, and ends with the final message', () => {
    const call = { type: 'tool_call', id: 'c1', name: 'look', input: {} } as const;
    const result = { type: 'tool_result', tool_call_id: 'c1', blocks: [{ type: 'text', text: 'Fog.' }] } as const;

    const { messages, metadata } = toDemonstration({
      environment: 'maze',
      split: 'train',
      index: 0,
      messages: [
        { role: 'system', blocks: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'assistant', blocks: [call] },
        {
          role: 'user',
          blocks: [
            { ...result, blocks: [...result.blocks] },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
      tools: [],
      calls: [
        { tool: 'submit', input: { n: 'x' }, answer: 'x', outcome: { kind: 'refused', error: 'not a number' } },
        { tool: 'submit', input: { n: '4' }, answer: '4', outcome: output('', 1, true) },
      ],
    });

    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      toolCall('c1', 'look', '{}'),
      { role: 'tool', tool_call_id: 'c1', content: 'Fog.' },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: 'not a number' },
      { role: 'assistant', content: '4' },
    ]);
    expect(metadata.reward_sum).toBe(1);
  });

  test.each([
    [[], null],
    [[output('', null)], null],
    [[output('', 0)], 0],
    [[output('', -0.5), output('', null), output('', 2)], 1.5],
  ])('sums the rewards of %j to %s', (outcomes, sum) => {
    expect(rewardSum(outcomes.map((outcome) => ({ outcome })))).toBe(sum);
  });
});

const toolCall = (id: string, name: string, text: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: text } }],
});

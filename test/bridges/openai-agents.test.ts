import { expect, test } from '@jest/globals';
import { Agent, type Model, type ModelRequest, run, setTracingDisabled, Usage } from '@openai/agents-core';
import { agentInput, agentTools, endWhenEpisodeOver, submitFinalMessage } from 'ors-kit/bridges/openai-agents';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { openQuiz } from './quiz.ts';
import { CANARIES, inShort, openTreasure, PIXEL } from './treasure.ts';

setTracingDisabled(true);

interface Call {
  readonly name: string;
  /** JSON as a model writes it. */
  readonly written?: string;
}

/** Creates a model that makes these calls, turn by turn, and then ends with a message; records its requests. */
function modelOf(
  turns: readonly (readonly Call[])[],
  final: readonly string[] = ['Done.'],
): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async getResponse(request) {
      requests.push(structuredClone({ ...request, signal: undefined }) as never);
      const calls = turns[requests.length - 1] ?? [];
      const done = {
        type: 'message' as const,
        role: 'assistant' as const,
        status: 'completed' as const,
        content: final.map((text) => ({ type: 'output_text' as const, text })),
      };
      const made = calls.map(({ name, written = '{}' }, index) => ({
        type: 'function_call' as const,
        callId: `call-${requests.length}-${index}`,
        name,
        status: 'completed' as const,
        arguments: written,
      }));
      return { usage: new Usage(), output: made.length > 0 ? made : [done] };
    },
    getStreamedResponse() {
      throw new Error('no test streams');
    },
  };
}

test('plays an episode in many turns, and ends the run with it', async () => {
  await using episode = await openTreasure();
  const { session, onResult, results } = episode;
  const model = modelOf([
    [{ name: 'look' }],
    [
      { name: 'island_dig', written: '{"spot":1}' },
      { name: 'island_dig', written: '{"spot":-1}' },
    ],
    [{ name: 'island_dig', written: '{"spot":3}' }],
    [{ name: 'look' }],
  ]);
  const agent = new Agent({
    name: 'digger',
    model,
    tools: await agentTools(session, { onResult }),
    toolUseBehavior: endWhenEpisodeOver(session),
  });

  const { finalOutput } = await run(agent, 'Find it.');

  expect(finalOutput).toBe('Gold!');
  expect(model.requests).toHaveLength(3);
  expect(results.map(inShort)).toEqual([
    ['look', true, 0.1875],
    ['island.dig', true, null],
    ['island.dig', false, null],
    ['island.dig', true, 0.8125],
  ]);
});

test('shows blocks to the model, but no rewards, metadata and details', async () => {
  await using episode = await openTreasure();
  const { session, results, onResult } = episode;
  const model = modelOf([
    [{ name: 'look' }],
    [{ name: 'island_dig', written: '{"spot":' }],
    [{ name: 'island_dig', written: '[3]' }],
    [{ name: 'island_dig', written: '{"spot":3}' }],
    [{ name: 'look' }],
  ]);
  const agent = new Agent({ name: 'digger', model, tools: await agentTools(session, { onResult }) });

  const { finalOutput } = await run(agent, 'Find it.');

  const seen = JSON.stringify(model.requests);
  expect(seen).not.toMatch(CANARIES);
  expect(seen).toContain(PIXEL);
  for (const shown of ['A map.', 'expected a JSON object', 'Gold!', 'The episode is finished; no tool runs']) {
    expect(seen).toContain(shown);
  }
  expect(finalOutput).toBe('Done.');
  expect(results).toHaveLength(2);
});

test('passes the schemas to the model unchanged', async () => {
  await using episode = await openTreasure();
  const model = modelOf([]);

  await run(new Agent({ name: 'digger', model, tools: await agentTools(episode.session) }), 'Find it.');

  expect(model.requests[0]?.tools).toEqual([
    expect.objectContaining({ type: 'function', name: 'look', strict: false }),
    expect.objectContaining({
      name: 'island_dig',
      description: 'Dig at a spot.',
      parameters: { type: 'object', properties: { spot: { type: 'integer' } }, required: ['spot'] },
    }),
  ]);
});

test('lists a tool once, even if the server lists it twice', async () => {
  await using episode = await openTreasure();
  const { session } = episode;
  const twice = new Proxy(session, {
    get(target, key) {
      if (key === 'tools') return async () => [...(await target.tools()), ...(await target.tools())];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  const tools = await agentTools(twice);

  expect(tools.map(({ name }) => name)).toEqual(['look', 'island_dig']);
});

test('rejects the run when the episode is lost', async () => {
  await using episode = await openTreasure();
  const { session, client } = episode;
  const model = modelOf([[{ name: 'look' }]]);
  const agent = new Agent({ name: 'digger', model, tools: await agentTools(session) });
  await client.attach(session.handle).close();

  const played = run(agent, 'Find it.');

  await expect(played).rejects.toThrow(/session/);
});

test('stops waiting for a tool when the signal of the run aborts', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session({ split: 'train', index: 0 });
  const agent = new Agent({
    name: 'waiter',
    model: modelOf([[{ name: 'until_aborted' }]]),
    tools: await agentTools(session),
  });
  const stop = new AbortController();

  const running = run(agent, 'Wait.', { signal: stop.signal }).then(
    () => 'over',
    () => 'over',
  );
  await until(() => events.includes('start until_aborted'));
  stop.abort();

  expect(await running).toBe('over');
  expect(events).toEqual(['setup', 'start until_aborted']);
});

test('shows a conversation to the model, and submits its final message', async () => {
  await using episode = await openQuiz();
  const { session, onResult, results } = episode;
  const model = modelOf([[{ name: 'look_up', written: '{"term":"sum"}' }]], ['', '2']);
  const agent = new Agent({ name: 'guesser', model, tools: await agentTools(session, { onResult }) });

  const result = await run(agent, await agentInput(session));
  const graded = await submitFinalMessage(session, result, { onResult });

  expect(model.requests[0]?.input).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is 1 + 1?' },
        { type: 'input_image', image: `data:image/png;base64,${PIXEL}` },
      ],
    },
    {
      type: 'reasoning',
      content: [{ type: 'input_text', text: 'I can look it up.' }],
      providerData: { signature: 'signed' },
    },
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'I will look.' }] },
    { type: 'function_call', callId: 'c1', name: 'look_up', status: 'completed', arguments: '{"term":"1 + 1"}' },
    {
      type: 'function_call_result',
      callId: 'c1',
      name: 'look_up',
      status: 'completed',
      output: [{ type: 'input_text', text: 'out of order' }],
    },
    { role: 'user', content: [{ type: 'input_text', text: 'Then answer by yourself.' }] },
  ]);
  expect(graded).toMatchObject({ tool: 'grade', input: { answer: '2' }, reward: 1, finished: true });
  expect(results.map(inShort)).toEqual([
    ['look.up', true, 0.25],
    ['grade', true, 1],
  ]);
});

test('submits nothing if a tool has ended the run', async () => {
  await using episode = await openTreasure();
  const { session } = episode;
  const agent = new Agent({
    name: 'digger',
    model: modelOf([[{ name: 'island_dig', written: '{"spot":3}' }]]),
    tools: await agentTools(session),
    toolUseBehavior: endWhenEpisodeOver(session),
  });

  const result = await run(agent, await agentInput(session));

  expect(await submitFinalMessage(session, result)).toBeNull();
});

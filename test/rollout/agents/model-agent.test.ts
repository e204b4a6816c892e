import { describe, expect, it } from '@jest/globals';
import { defineEnvironment, jsonSchema, ToolError } from 'ors-kit';
import { playEpisode, stageModel } from './stage.ts';
import type { FakeAnswer } from './wire.ts';

const CANARY = 'canary-7f3a';

/** Environment that finishes after `rounds` steps. All fields that are hidden from models contain a canary. */
function game(rounds: number) {
  const events: string[] = [];
  const secret = { type: 'text' as const, detail: { secret: `${CANARY}-detail` } };
  const environment = defineEnvironment({
    name: 'game',
    splits: { train: [{ goal: 'reach the end', answer: `${CANARY}-answer` }] },
    publicTask: ({ goal }) => ({ goal }),
    setup: () => ({ steps: 0 }),
    prompt: ({ task }) => [{ ...secret, text: `Please ${String(task.goal)}.` }],
    tools: {
      step: {
        description: 'Take a step.',
        concurrent: true,
        input: jsonSchema<{ way: string }>({
          type: 'object',
          properties: { way: { type: 'string' } },
          required: ['way'],
        }),
        run: async ({ input, state }) => {
          events.push(`begin ${input.way}`);
          await new Promise(setImmediate);
          state.steps += 1;
          events.push(`end ${input.way}`);
          const finished = state.steps >= rounds;
          const metadata = { [`${CANARY}-key`]: `${CANARY}-metadata` };
          return { blocks: [{ ...secret, text: `went ${input.way}` }], reward: 0.15625, finished, metadata };
        },
      },
      'odd.name': { description: 'Has a name that providers refuse.', run: () => ({ text: 'odd indeed' }) },
      refuse: {
        description: 'Refuse.',
        run: () => {
          throw new ToolError('not today');
        },
      },
      crash: {
        description: 'Crash.',
        run: () => {
          throw new Error('broken');
        },
      },
    },
  });
  return { environment, events };
}

const step = (way: string): FakeAnswer => ({ calls: [{ name: 'step', input: { way } }] });
const steps = (count: number) => Array.from({ length: count }, (_, turn) => step(`way ${turn}`));

describe('a model of modelAgent', () => {
  it.each([
    ['as streams', true, 'compatible'],
    ['as one response', false, 'compatible'],
    ['as streams', true, 'responses'],
    ['as one response', false, 'responses'],
    ['as streams', true, 'anthropic'],
    ['as one response', false, 'anthropic'],
  ] as const)('plays twelve turns, with answers that come %s (%#)', async (_how, streaming, via) => {
    await using stage = await stageModel(steps(12), { streaming, via });

    const { report } = await playEpisode(game(12).environment, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 12, usage: { inputTokens: 120, outputTokens: 60 } });
    expect(stage.requests).toHaveLength(12);
    for (let turn = 0; turn < 11; turn++) expect(stage.requests.at(-1)?.text).toContain(`went way ${turn}`);
  });

  it.each(['compatible', 'responses', 'anthropic'] as const)(
    'never sees metadata, details, rewards, hidden fields or the end (%s)',
    async (via) => {
      const refused = { calls: [{ name: 'refuse' }, { name: 'nothing' }, { name: 'step', input: '{"way":' }] };
      await using stage = await stageModel([...steps(2), via === 'anthropic' ? step('x') : refused, ...steps(2)], {
        via,
      });

      const { report } = await playEpisode(game(5).environment, stage.agent, { limits: { turns: 5 } });

      expect(report?.turns).toBe(5);
      const sent = stage.requests.map(({ text }) => text).join('\n');
      expect(sent).toContain('Please reach the end.');
      expect(sent).toContain('went way 1');
      for (const hidden of [CANARY, 'reward', '0.15625', 'finished', 'metadata', 'detail']) {
        expect(sent).not.toContain(hidden);
      }
    },
  );

  it('makes the calls of one response one after the other, and receives the results in their order', async () => {
    const { environment, events } = game(4);
    const ways = ['a', 'b', 'c'];
    await using stage = await stageModel([
      { calls: ways.map((way) => ({ name: 'step', input: { way }, id: `id-${way}` })) },
      step('d'),
    ]);

    await playEpisode(environment, stage.agent);

    expect(events.slice(0, 6)).toEqual(ways.flatMap((way) => [`begin ${way}`, `end ${way}`]));
    const results = stage.requests[1]?.body.messages.filter(({ role }: { role: string }) => role === 'tool');
    expect(results).toEqual(ways.map((way) => ({ role: 'tool', tool_call_id: `id-${way}`, content: `went ${way}` })));
  });

  it('gets no request after the end, even if other calls of the same response fail', async () => {
    const calls = [{ name: 'step', input: { way: 'out' } }, { name: 'crash' }, { name: 'refuse' }];
    await using stage = await stageModel([{ calls }]);

    const { report } = await playEpisode(game(1).environment, stage.agent);

    expect(report).toMatchObject({ stop: 'finished', turns: 1 });
    expect(stage.requests).toHaveLength(1);
  });

  it('receives the message of a tool error, and may continue', async () => {
    await using stage = await stageModel([{ calls: [{ name: 'refuse', id: 'r' }] }, step('out')]);

    const { report } = await playEpisode(game(1).environment, stage.agent);

    expect(report?.stop).toBe('finished');
    expect(stage.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'r' });
    expect(stage.requests[1]?.body.messages.at(-1).content).toContain('not today');
  });

  it('loses its episode when a tool crashes', async () => {
    await using stage = await stageModel([{ calls: [{ name: 'crash' }] }, step('out')]);

    const played = playEpisode(game(1).environment, stage.agent);

    await expect(played).rejects.toMatchObject({ name: 'ToolCrashedError' });
    expect(stage.requests).toHaveLength(1);
  });

  it('stops when it responds without a call', async () => {
    await using stage = await stageModel([{ text: 'I would rather not.' }]);

    const { report } = await playEpisode(game(1).environment, stage.agent);

    expect(report).toMatchObject({ stop: 'stopped', turns: 1, usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it('calls tools by other names if its provider rejects the original names', async () => {
    await using stage = await stageModel([{ calls: [{ name: 'odd_name' }] }, step('out')]);

    await playEpisode(game(1).environment, stage.agent);

    const names = stage.requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(names).toContain('odd_name');
    expect(stage.requests[1]?.body.messages.at(-1).content).toBe('odd indeed');
  });

  it('receives the options that are set, and no others', async () => {
    const sampling = { temperature: 0.5, topP: 0.9, maxOutputTokens: 77, system: 'Play well.', seeded: true };
    const providerOptions = { openaiCompatible: { chat_template_kwargs: { enable_thinking: false } } };
    await using chosen = await stageModel([], { ...sampling, providerOptions });
    await using plain = await stageModel([]);

    await playEpisode(game(1).environment, chosen.agent, { seed: 4_000_000_000 });
    await playEpisode(game(1).environment, plain.agent);

    expect(chosen.requests[0]?.body).toMatchObject({
      model: 'fake-1',
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 77,
      seed: 4_000_000_000,
      stream: true,
      chat_template_kwargs: { enable_thinking: false },
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Play well.' },
        { role: 'user', content: 'Please reach the end.' },
      ],
    });
    const fields = ['messages', 'model', 'stream', 'stream_options', 'tools'];
    expect(Object.keys(plain.requests[0]?.body).sort()).toEqual(fields);
  });

  it('receives its earlier reasoning in the format of its provider', async () => {
    const thinking = { reasoning: 'Which way?', ...step('a') };
    await using compatible = await stageModel([thinking, step('b')]);
    await using anthropic = await stageModel([thinking, step('b')], { via: 'anthropic' });
    await using responses = await stageModel([thinking, step('b')], { via: 'responses' });

    for (const { agent } of [compatible, anthropic, responses]) await playEpisode(game(2).environment, agent);

    expect(compatible.requests[1]?.body.messages[1]).toMatchObject({ reasoning_content: 'Which way?' });
    expect(anthropic.requests[1]?.body.messages[1].content[0]).toEqual({
      type: 'thinking',
      thinking: 'Which way?',
      signature: 'signed',
    });
    expect(responses.requests[1]?.text).toContain('"item_reference","id":"rs_');
  });

  it('may omit optional inputs with every provider', async () => {
    await using stage = await stageModel([], { via: 'responses' });

    await playEpisode(game(1).environment, stage.agent);

    const tools = stage.requests.flatMap(({ body }) => body.tools);
    expect(tools).toHaveLength(4);
    for (const tool of tools) expect(tool).toMatchObject({ type: 'function', strict: false });
  });
});

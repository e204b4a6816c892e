import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../support/environment.ts';
import { playEpisode, stageModel } from './stage.ts';

const { math } = fixture();

describe('the trace of an episode that a model played', () => {
  it('contains the messages, reasoning and calls of the model, with each result below its call', async () => {
    const first = {
      reasoning: 'I should count first.',
      text: 'Let me see.',
      calls: [
        { name: 'count', id: 'a' },
        { name: 'echo', input: { text: 'x' }, id: 'b' },
        { name: 'echo', input: { text: 'x' }, id: 'c' },
      ],
    };
    // Some servers repeat ids of calls.
    const second = { calls: [{ name: 'submit', input: { answer: '4' }, id: 'a' }] };
    await using stage = await stageModel([first, second], { system: 'Be brief.' });

    const { trace } = await playEpisode(math, stage.agent, { traced: true });

    const [system, prompt, said, called, ...others] = trace?.messages ?? [];
    expect(others).toEqual([]);
    expect(system?.payload).toEqual({ role: 'system', content: 'Be brief.' });
    expect(prompt?.payload).toMatchObject({ role: 'user', content: [{ text: 'What is 2+2?' }] });
    expect(said).toMatchObject({
      payload: { role: 'assistant', content: 'Let me see.' },
      extra: { usage: { input_tokens: 10, output_tokens: 5 }, finish_reason: 'tool_calls', model: 'fake-1' },
      thinks: [{ payload: { text: 'I should count first.' } }],
      tool_calls: [
        { payload: { call_id: 'a', name: 'count' }, tool_results: [{ extra: { reward: 0 } }] },
        { payload: { call_id: 'b', arguments: { text: 'x' } }, tool_results: [{}] },
        { payload: { call_id: 'c', arguments: { text: 'x' } }, tool_results: [{}] },
      ],
    });
    expect(called?.payload).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a_2', name: 'submit' }],
    });
    expect(called?.tool_calls).toMatchObject([
      {
        payload: { call_id: 'a_2', arguments: { answer: '4' } },
        tool_results: [{ extra: { reward: 1, finished: true } }],
      },
    ]);
    expect(trace?.trace).toMatchObject({ status: 'finished', reward_sum: 1 });
  });

  it('contains malformed calls', async () => {
    const name = 'x'.repeat(5_000);
    const calls = [{ name: 'submit', input: '{"answer' }, { name: 'guess', input: { n: 1 } }, { name }];
    await using stage = await stageModel([{ calls }]);

    const { trace } = await playEpisode(math, stage.agent, { traced: true });

    const made = trace?.messages.flatMap((message) => message.tool_calls) ?? [];
    const results = made.flatMap((call) => call.tool_results);
    expect(made.map(({ payload }) => [payload.name, payload.arguments])).toEqual([
      ['submit', { $invalid_json: '{"answer' }],
      ['guess', { n: 1 }],
      ['unnamed', {}],
    ]);
    expect(made[2]?.extra).toEqual({ name });
    expect(results).toHaveLength(3);
    for (const { extra, payload } of results) {
      expect(extra).toEqual({ tool_error: true });
      expect(payload.output).toMatchObject({ ok: false, error: expect.any(String) });
    }
  });

  it('contains an empty response', async () => {
    await using stage = await stageModel([{ text: '' }]);

    const { trace, report } = await playEpisode(math, stage.agent, { traced: true });

    expect(report?.stop).toBe('stopped');
    expect(trace?.messages.at(-1)?.payload).toEqual({ role: 'assistant', content: [{ type: 'text', text: '' }] });
  });
});

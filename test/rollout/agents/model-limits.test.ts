import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../support/environment.ts';
import { until } from '../../support/until.ts';
import { playEpisode, stageModel } from './stage.ts';
import type { FakeAnswer } from './wire.ts';

const { math } = fixture();
const count: FakeAnswer = { calls: [{ name: 'count' }] };
const counting = Array.from({ length: 5 }, () => count);

describe('a limit', () => {
  it('of turns is kept, and the calls of the last one are made', async () => {
    await using stage = await stageModel(counting);

    const { report, trace } = await playEpisode(math, stage.agent, { limits: { turns: 3 }, traced: true });

    expect(report).toMatchObject({ stop: 'turn_limit', turns: 3 });
    expect(stage.requests).toHaveLength(3);
    expect(trace?.messages.flatMap((message) => message.tool_calls)).toHaveLength(3);
  });

  it.each([
    [30, 2],
    [31, 3],
    [1, 1],
    [0, 0],
  ])('of %i tokens ends an episode after %i turns of 15', async (tokens, turns) => {
    await using stage = await stageModel(counting);

    const { report } = await playEpisode(math, stage.agent, { limits: { tokens } });

    expect(report).toMatchObject({ stop: 'token_limit', turns });
    expect(stage.requests).toHaveLength(turns);
  });

  it('of tokens cannot be kept with a provider that does not count them', async () => {
    await using stage = await stageModel([{ ...count, usage: null }]);

    const played = playEpisode(math, stage.agent, { limits: { tokens: 100 } });

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: false,
      message: expect.stringContaining('does not say how many tokens'),
    });
  });

  it('needs no counts if it is not set', async () => {
    await using stage = await stageModel([{ ...count, usage: null }]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toEqual({ stop: 'stopped', turns: 2, usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it.each([
    ['the model thinks', 'hang' as const],
    ['a tool runs', { calls: [{ name: 'sleep', input: { ms: 60_000 } }] }],
    ['it waits before another attempt', { status: 429, headers: { 'retry-after': '60' } }],
  ])('of time holds while %s', async (_what, reply) => {
    await using stage = await stageModel([count, reply]);

    const controller = new AbortController();
    const over = new DOMException('too late', 'TimeoutError');

    const played = playEpisode(math, stage.agent, { signal: controller.signal });
    await until(() => stage.requests.length >= 2, 'the second request to the model');
    // Neither the start of a tool nor the wait before another attempt is visible from here.
    await pause(50);
    controller.abort(over);
    const { report } = await played;

    expect(report?.stop).toBe('time_limit');
    expect(report?.usage?.inputTokens).toBeGreaterThanOrEqual(10);
  });
});

describe('an interrupt', () => {
  it('is thrown as it is', async () => {
    await using stage = await stageModel(['hang']);
    const controller = new AbortController();
    const reason = new Error('stopped by hand');

    const played = playEpisode(math, stage.agent, { signal: controller.signal });
    await until(() => stage.requests.length >= 1, 'a request to the model');
    controller.abort(reason);

    await expect(played).rejects.toBe(reason);
  });
});

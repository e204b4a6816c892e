import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { fixture } from '../../support/environment.ts';
import { until } from '../../support/until.ts';
import { playEpisode, stageModel } from './stage.ts';
import type { FakeAnswer } from './wire.ts';

const { math } = fixture();
const count: FakeAnswer = { calls: [{ name: 'count' }] };
const counting = Array.from({ length: 5 }, () => count);

describe('limits of modelAgent', () => {
  it('stop after the maximum number of turns, and make the calls of the last one', async () => {
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
  ])('of %i tokens stop an episode after %i turns of 15 tokens', async (tokens, turns) => {
    await using stage = await stageModel(counting);

    const { report } = await playEpisode(math, stage.agent, { limits: { tokens } });

    expect(report).toMatchObject({ stop: 'token_limit', turns });
    expect(stage.requests).toHaveLength(turns);
  });

  it('fail if tokens are limited and the provider does not report usage', async () => {
    await using stage = await stageModel([{ ...count, usage: null }]);

    const played = playEpisode(math, stage.agent, { limits: { tokens: 100 } });

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: false,
      message: expect.stringContaining('does not report token usage'),
    });
  });

  it('need no usage if tokens are not limited', async () => {
    await using stage = await stageModel([{ ...count, usage: null }]);

    const { report } = await playEpisode(math, stage.agent);

    expect(report).toMatchObject({ stop: 'stopped', turns: 2, usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it.each([
    ['the model generates', 'hang' as const],
    ['a tool runs', { calls: [{ name: 'sleep', input: { ms: 60_000 } }] }],
    ['the agent waits for a retry', { status: 429, headers: { 'retry-after': '60' } }],
  ])('stop at the time limit while %s', async (_what, reply) => {
    await using stage = await stageModel([count, reply]);

    const controller = new AbortController();
    const over = new DOMException('too late', 'TimeoutError');

    const played = playEpisode(math, stage.agent, { signal: controller.signal });
    await until(() => stage.requests.length >= 2, 'the second request to the model');
    // The test cannot observe the start of a tool or of the delay before a retry.
    await pause(50);
    controller.abort(over);
    const { report } = await played;

    expect(report?.stop).toBe('time_limit');
    expect(report?.usage?.inputTokens).toBeGreaterThanOrEqual(10);
  });
});

describe('an interrupt of modelAgent', () => {
  it('rejects with the reason of the signal', async () => {
    await using stage = await stageModel(['hang']);
    const controller = new AbortController();
    const reason = new Error('stopped by hand');

    const played = playEpisode(math, stage.agent, { signal: controller.signal });
    await until(() => stage.requests.length >= 1, 'a request to the model');
    controller.abort(reason);

    await expect(played).rejects.toBe(reason);
  });
});

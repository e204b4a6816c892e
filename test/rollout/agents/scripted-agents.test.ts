import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { defineEnvironment, type Environment, ToolError } from 'ors-kit';
import { z } from 'zod';
import { idleAgent, loadAgent, oracleAgent, randomAgent } from '../../../src/rollout/index.ts';
import { fixture } from '../../support/environment.ts';
import { playEpisode } from './stage.ts';

const { math, other } = fixture();

/** Environment with a hidden answer, which records its calls. */
function guessing(limits: { readonly name?: string; readonly answers?: readonly number[] } = {}) {
  const { name = 'guessing', answers = [3, 1, 4, 1, 5] } = limits;
  const calls: string[] = [];
  const environment = defineEnvironment({
    name,
    splits: { train: answers.map((answer, id) => ({ id, answer })) },
    publicTask: ({ id }) => ({ id }),
    prompt: () => 'Guess.',
    tools: {
      guess: {
        description: 'Guess.',
        input: z.object({ number: z.int().min(0).max(9), why: z.string().optional() }),
        run: ({ input, task }) => {
          calls.push(JSON.stringify(input));
          return {
            text: 'Maybe.',
            reward: input.number === task.answer ? 1 : 0,
            finished: input.number === task.answer,
          };
        },
      },
      wait: {
        description: 'Wait.',
        run: () => {
          calls.push('wait');
          return { text: 'ok' };
        },
      },
    },
    solve: async ({ task, call }) => {
      await call('wait');
      await call('guess', { number: Number(task.answer) });
    },
  });
  return { environment, calls };
}

const withSolve = (solve: Environment['hooks']['solve'] & {}): Environment => {
  const { environment } = guessing();
  return { ...environment, hooks: { ...environment.hooks, solve } };
};

describe('oracleAgent', () => {
  it('solves an environment whose tasks hide their answers', async () => {
    const { environment, calls } = guessing();

    const { report } = await playEpisode(environment, oracleAgent([other, environment]), { index: 2 });

    expect(report).toEqual({ stop: 'finished', turns: 2 });
    expect(calls).toEqual(['wait', '{"number":4}']);
  });

  it('finds a task by its public form if its index differs', async () => {
    const { environment, calls } = guessing();
    const reordered = { ...environment, sources: new Map([['train', reversed(environment)]]) };

    await playEpisode(environment, oracleAgent([reordered]), { index: 0 });

    expect(calls).toEqual(['wait', '{"number":3}']);
  });

  it.each<[string, readonly Environment[], string]>([
    ['the environment', [math, other], "the oracle has no environment 'guessing'; it has: math, other"],
    ['any environment', [], 'it has: none'],
    ['solve', [{ ...other, name: 'Guessing' }], "environment 'Guessing' has no solve, which an oracle needs"],
    ['the task', [guessing({ answers: [] }).environment], "task 0 of split 'train' differs between environment"],
  ])('reports that it lacks %s', async (_what, environments, sentence) => {
    const played = playEpisode(guessing().environment, oracleAgent(environments));

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: false,
      message: expect.stringContaining(sentence),
    });
  });

  it('fails if solve fails', async () => {
    const broken = withSolve(() => {
      throw new Error('no idea');
    });

    const played = playEpisode(guessing().environment, oracleAgent([broken]));

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      message: "solve of environment 'guessing' failed: no idea",
    });
  });

  it('stops at the call limit and when the signal aborts', async () => {
    const eager = withSolve(async ({ call }) => {
      for (;;) await call('wait').catch(() => Promise.reject(new Error('not again')));
    });
    const idle = withSolve(() => new Promise(() => {}));
    const over = AbortSignal.abort(new Error('over'));
    const soon = AbortSignal.timeout(1_000);

    const limited = await playEpisode(guessing().environment, oracleAgent([eager]), { limits: { turns: 3 } });
    const [late, never] = await Promise.allSettled([
      playEpisode(guessing().environment, oracleAgent([idle]), { signal: soon }),
      playEpisode(guessing().environment, oracleAgent([idle]), { signal: over }),
    ]);

    expect(limited.report).toEqual({ stop: 'turn_limit', turns: 3 });
    expect(late).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } });
    expect(never).toMatchObject({ status: 'rejected', reason: { message: 'over' } });
  });
});

describe('randomAgent', () => {
  it('makes valid calls until the episode is finished, the same ones for the same seed', async () => {
    const agent = randomAgent();
    const games = [1, 1, 2, 3].map((seed) => ({ seed, ...guessing() }));

    const reports = [];
    for (const { environment, seed } of games) {
      const { report } = await playEpisode(environment, agent, { seed, limits: { turns: 500 } });
      reports.push(report);
    }

    expect(reports[0]).toMatchObject({ stop: 'finished' });
    expect(reports[1]).toEqual(reports[0]);
    const [first, again, ...others] = games.map(({ calls }) => calls);
    expect(again).toEqual(first);
    for (const different of others) expect(different).not.toEqual(first);
    expect(new Set(others.flat()).size).toBeGreaterThan(5);
  });

  it('stops at the turn limit', async () => {
    const { environment, calls } = guessing({ answers: [99] });

    const { report } = await playEpisode(environment, randomAgent(), { limits: { turns: 7 } });

    expect(report).toEqual({ stop: 'turn_limit', turns: 7 });
    expect(calls.length).toBe(7);
  });

  it('learns the words that a tool accepts from its refusals', async () => {
    const words: string[] = [];
    const walking = defineEnvironment({
      name: 'walking',
      splits: { train: [{}] },
      prompt: () => 'Walk.',
      tools: {
        walk: {
          description: 'Walks.',
          input: z.object({ direction: z.string() }),
          run: ({ input: { direction } }) => {
            words.push(direction);
            if (direction !== 'north' && direction !== 'south') throw new ToolError('direction must be north or south');
            return { text: 'You walk.' };
          },
        },
      },
    });

    await playEpisode(walking, randomAgent(), { limits: { turns: 40 } });

    const accepted = words.filter((word) => word === 'north' || word === 'south');
    expect(accepted.length).toBeGreaterThan(15);
    expect(new Set(accepted)).toEqual(new Set(['north', 'south']));
  });

  it('omits tools for which no valid input exists', async () => {
    const impossible = defineEnvironment({
      name: 'impossible',
      splits: { train: [{}] },
      prompt: () => 'Try.',
      tools: {
        never: {
          description: 'Never.',
          input: { type: 'object', required: ['a'], properties: { a: false } },
          run: () => ({ text: '' }),
        },
      },
    });

    const played = playEpisode(impossible, randomAgent());

    await expect(played).rejects.toMatchObject({
      name: 'AgentError',
      retryable: false,
      message: expect.stringContaining('no tool can be called at random; never: '),
    });
  });
});

describe('idleAgent', () => {
  it('calls nothing', async () => {
    const { environment, calls } = guessing();

    const { report } = await playEpisode(environment, idleAgent());

    expect(report).toEqual({ stop: 'stopped', turns: 0 });
    expect(calls).toEqual([]);
  });
});

describe('loadAgent', () => {
  const module = (name: string) => fileURLToPath(new URL(`./modules/${name}`, import.meta.url));

  it.each(['default-agent.mjs', 'named-agent.mjs'])('loads an agent that plays from %s', async (name) => {
    const { environment, calls } = guessing();

    const agent = await loadAgent(module(name));
    await playEpisode(environment, agent);

    expect(calls).toEqual(['{"number":3}']);
  });

  it.each([
    ['nowhere.mjs', 'there is no file '],
    ['no-agent.mjs', 'no-agent.mjs exports environment, but no agent; add: export default async (session, context)'],
    ['broken.mjs', 'broken.mjs does not load: nothing works here'],
  ])('rejects %s with the reason', async (name, sentence) => {
    const loaded = loadAgent(module(name));

    await expect(loaded).rejects.toMatchObject({ name: 'AgentError', message: expect.stringContaining(sentence) });
  });
});

/** Returns the tasks of an environment in reverse order. */
function reversed({ splitTasks }: Environment) {
  const source = splitTasks.get('train');
  if (!source) throw new Error('the split train is missing');
  const last = async () => (await source.count()) - 1;
  return { ...source, get: async (index: number) => source.get((await last()) - index) };
}

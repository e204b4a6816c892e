import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../../examples/countdown/environment.ts';
import { testUnless } from '../support/optional.ts';
import { closeServers, startServer } from '../trace/api/server.ts';
import { describeWithPython, runPlayer } from './python.ts';
import { fragileEnvironment, gradedEnvironment } from './training-environment.ts';

afterEach(closeServers);

/** Starts a server that loses episodes and a trace store, with environment variables for a trainer. */
async function openStage() {
  const log = pino({ level: 'silent' });
  const server = await serve([countdown, fragileEnvironment(), gradedEnvironment()], {
    port: 0,
    log,
    validateResponses: true,
  });
  const store = await startServer();
  const env = {
    ...{ ORS_URL: server.url, ORS_ENVIRONMENT: 'fragile', ORS_RUN: 'a run', ORS_TRACES_URL: store.url },
    ...{ OPENREWARD_SESSION_URL: server.url, TRL_EXPERIMENTAL_SILENCE: '1' },
  };
  return { server, env, get: store.get, [Symbol.asyncDispose]: () => server.close() };
}

/** Lists step, task, rollout index, status and total reward of each trace of the run. */
async function recorded({ get }: Pick<Awaited<ReturnType<typeof openStage>>, 'get'>) {
  const { json } = await get('traces?run=a%20run&limit=1000');
  const rows: [number, number, number, string, number | null][] = json.traces.map(
    ({ step, task_index, rollout_index, status, reward_sum }: Record<string, unknown>) => [
      ...[step, task_index, rollout_index],
      ...[status, reward_sum],
    ],
  );
  return rows.sort((a, b) => (a.join() < b.join() ? -1 : 1));
}

const paid = ['finished', 1.25] as const;

describeWithPython()('a Python trainer', () => {
  test('finds in each example what its trainer looks for, and survives what a model says', async () => {
    await using stage = await openStage();
    const subjects = ['over', 'unrecorded', 'trl_schemas', 'trl_spec', 'skyrl_answers'];

    const played = await runPlayer('training_player.py', subjects, { env: stage.env });

    expect(played).toEqual({ exitCode: 0, lines: subjects.map((subject) => `ok ${subject}`) });
    expect(stage.server.sessionCount).toBe(0);
  });

  test('the TRL environments return the sum of the rewards, and None for episodes that the server lost', async () => {
    await using stage = await openStage();

    const played = await runPlayer('training_player.py', ['trl'], { env: stage.env });

    expect(played).toEqual({ exitCode: 0, lines: ['ok trl'] });
    expect(stage.server.sessionCount).toBe(0);
    const lost = ['error', null] as const;
    expect(await recorded(stage)).toEqual([
      ...[
        [1, 0, 0, ...paid],
        [1, 0, 1, ...paid],
        [1, 1, 2, ...lost],
        [1, 1, 3, ...paid],
      ],
      ...[
        [1, 2, 4, ...lost],
        [1, 2, 5, ...lost],
      ],
      ...[
        [2, 0, 0, ...paid],
        [2, 0, 1, ...paid],
        [2, 1, 2, ...paid],
        [2, 1, 3, ...paid],
      ],
      ...[
        [2, 2, 4, ...lost],
        [2, 2, 5, ...lost],
      ],
    ]);
    const { json } = await stage.get('groups?run=a%20run');
    expect(json.groups).toHaveLength(6);
  });

  test.each(['trl', 'verl', 'skyrl'])(
    'the example for %s submits the final message, and records it',
    async (trainer) => {
      await using stage = await openStage();
      const env = { ...stage.env, ORS_ENVIRONMENT: 'graded' };

      const played = await runPlayer('training_player.py', [`${trainer}_final`], { env });

      expect(played).toEqual({ exitCode: 0, lines: [`ok ${trainer}_final`] });
      expect(stage.server.sessionCount).toBe(0);
      const { json } = await stage.get('traces?run=a%20run');
      expect(json.traces).toMatchObject([{ status: 'finished', reward_sum: 1, block_count: 7 }]);
    },
  );

  test.each(['verl', 'skyrl'])(
    'the loop of %s itself, without torch, pays the sum and plays lost episodes again, three times in all',
    async (trainer) => {
      await using stage = await openStage();

      const played = await runPlayer('training_player.py', [trainer], { env: stage.env });

      expect(played).toEqual({ exitCode: 0, lines: [`ok ${trainer}`] });
      expect(stage.server.sessionCount).toBe(0);
      const traces = await recorded(stage);
      expect(traces.filter(([, task]) => task === 0)).toEqual([
        [1, 0, 0, ...paid],
        [1, 0, 1, ...paid],
      ]);
      const statuses = traces.filter(([, task]) => task === 1).map(([, , , status]) => status);
      expect(statuses.sort()).toEqual(['error', 'finished', 'finished']);
      expect(traces.filter(([, task]) => task === 2).map(([, , , status]) => status)).toEqual(Array(6).fill('error'));
    },
  );
});

const withTorch = process.env.ORS_TRAINING_PYTHON;
const missing = withTorch
  ? undefined
  : 'GRPOTrainer needs torch; set ORS_TRAINING_PYTHON to a Python that has torch, trl and openreward';

testUnless(missing)('GRPOTrainer learns from the rewards and assigns no advantage to lost episodes', async () => {
  await using stage = await openStage();
  const script = join(import.meta.dirname, 'training_grpo.py');
  const env = { ...process.env, NO_PROXY: '127.0.0.1', OPENREWARD_DISABLE_UPDATE_CHECK: '1', ...stage.env };

  const { stdout } = await promisify(execFile)(withTorch ?? '', ['-W', 'ignore', script], { env });

  const { steps, rewards, advantages } = JSON.parse(stdout.match(/^ok (.*)$/m)?.[1] ?? '{}');
  expect(steps).toEqual(Array(3).fill([expect.any(Number), true]));
  const taught = rewards.map((reward: number | null, place: number) => [reward, advantages[place]]);
  const groups = [0, 4, 8].map((first) => taught.slice(first, first + 4)).sort();
  const played = [
    [1.25, 0.63],
    [1.25, 0.63],
    [1, 0.21],
    [0, -1.47],
  ];
  const lost = [
    [null, 0],
    [null, 0],
    [1, 0.71],
    [0, -0.71],
  ];
  expect(groups).toEqual([lost, played, played]);
  expect(await recorded(stage)).toHaveLength(36);
  expect(stage.server.sessionCount).toBe(0);
});

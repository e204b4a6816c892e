import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { closeServers, startServer } from '../trace/api/server.ts';
import { startOracleModel } from './oracle-model.ts';
import { describeWithPython, runPlayer } from './python.ts';

afterEach(closeServers);

const plain = [countdown, javascript];
const logged = [gsm8k, maze];
const environments = [...plain, ...logged];
const namesOf = (list: typeof environments) => list.map(({ name }) => name);

describeWithPython()('firehorse', () => {
  test('plays the examples with a model, reports their rewards, and logs to a trace store', async () => {
    await using server = await serve(environments, { port: 0, log: pino({ level: 'silent' }) });
    await using model = await startOracleModel(environments, 'test');
    const store = await startServer();
    const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
    const runs = ['--plain', ...namesOf(plain), '--logged', ...namesOf(logged)];
    const args = [server.url, folder, '--model', model.url, '--store', store.url, ...runs];

    const played = await runPlayer('firehorse_player.py', args);

    expect(played).toEqual({ exitCode: 0, lines: namesOf(environments).map((name) => `ok ${name}`) });
    for (const name of namesOf(environments)) {
      const { trials } = JSON.parse(await readFile(join(folder, name, 'run_result.json'), 'utf8'));
      const outcome = { success: true, finished: true, error: null, final_reward: expect.any(Number) };
      expect(trials).toEqual([outcome, outcome, outcome].map((one) => expect.objectContaining(one)));
      // It reports the last reward: in a maze a part of the sum, in the others all of it.
      const rewards = trials.map((trial: { readonly final_reward: number }) => trial.final_reward);
      if (name !== 'maze') expect(rewards).toEqual([1, 1, 1]);
    }
    for (const name of namesOf(logged)) {
      const { json } = await store.get(`traces?run=firehorse-${name}`);
      const trace = { environment: `examples/${name}`, status: 'finished', reward_sum: expect.closeTo(1) };
      expect(json.traces).toEqual([trace, trace, trace].map((one) => expect.objectContaining(one)));
    }
    expect(server.sessionCount).toBe(0);
    await rm(folder, { recursive: true });
  });
});

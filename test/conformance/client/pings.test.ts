import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { clientChecks, type LaunchAdapter, runClientChecks } from '../../../src/conformance/client/index.ts';
import { fakeAdapter } from './fake/fake-adapter.ts';

const TIMES = { silenceMs: 5_000, heartbeatMs: 400 };

/** Launches the healthy client, and blocks this process for `ms` shortly after sending it the idle command. */
const standingStill =
  (ms: number): LaunchAdapter =>
  (variables) => {
    const adapter = fakeAdapter(() => false, TIMES)(variables);
    const input = new Writable({
      write(line, _encoding, done) {
        if (String(line).includes('"idle"')) setTimeout(standStill, 100, ms);
        adapter.input.write(line, done);
      },
      final: (done) => void adapter.input.end(done),
    });
    return { ...adapter, input };
  };

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('counts a ping that arrived while the process of the suite was blocked', async () => {
  const checks = clientChecks.filter(({ id }) => id === 'client/ping/idle');

  const run = await runClientChecks({ times: TIMES }, { checks, launch: standingStill(2_000), suite: 'test' });

  expect(run.results).toMatchObject([{ state: 'pass' }]);
});

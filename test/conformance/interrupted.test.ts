import { afterAll, expect, test } from '@jest/globals';
import { type ConformanceCheck, createInputGenerator, runChecks } from '../../src/conformance/index.ts';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const check = (name: string, run: ConformanceCheck['run']): ConformanceCheck => ({
  id: `own/${name}`,
  title: 'It holds',
  requirement: 'ORS-SESS-012',
  profile: 'core',
  cost: { sessions: 2 },
  run,
});

test('ends an interrupted run without waiting for checks, and leaves no session', async () => {
  await using server = await start(lab().environment);
  const controller = new AbortController();
  const { signal } = controller;
  let afterwards: unknown;
  const waits = check('waits', async (probe) => {
    await probe.episode();
    controller.abort();
    await new Promise((resolve) => setImmediate(resolve));
    afterwards = await probe.episode().catch((error: Error) => error.message);
  });
  let paused: unknown;
  const sleeps = check('sleeps', async (probe) => {
    paused = await probe.pause(600_000).catch((error: Error) => error.message);
  });
  const later = check('later', () => Promise.reject(new Error('it was made')));

  const { results } = await runChecks(
    new URL(server.url),
    { signal, concurrency: 2 },
    { checks: [waits, sleeps, later], inputs, suite: 'x' },
  );

  expect(results.map(({ state, message }) => [state, message])).toEqual(
    [waits, sleeps, later].map(() => ['not-testable', 'the run was interrupted']),
  );
  expect(server.sessionCount).toBe(0);
  expect([afterwards, paused]).toEqual(['the check is over', 'the check is over']);
});

test('deletes an episode that is being opened when the run is interrupted', async () => {
  await using server = await start(lab().environment);
  const controller = new AbortController();
  const opens = check('opens', async (probe) => {
    const sid = await probe.createSessionId();
    const opening = probe.send('POST', '/create', { sid, json: await probe.createBody() });
    controller.abort();
    await opening;
  });

  await runChecks(new URL(server.url), { signal: controller.signal }, { checks: [opens], inputs, suite: 'x' });

  expect(server.sessionCount).toBe(0);
});

test('fails no further check if the server exits during the run', async () => {
  const server = await start(lab().environment);
  const ends = check('ends', async (probe) => {
    await server.close();
    await probe.episode();
  });
  const asks = check('asks', async (probe) => {
    await probe.createSessionId();
  });

  const { results } = await runChecks(
    new URL(server.url),
    { concurrency: 1 },
    { checks: [ends, asks], inputs, suite: 'x' },
  );

  const gone = 'the server can no longer be reached: it refuses connections';
  expect(results.map(({ state, message }) => [state, message])).toEqual([ends, asks].map(() => ['not-testable', gone]));
});

import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HostedEnvironment, HostingOptions } from 'ors-kit/server';
import { LazyAbortController } from '../../src/hosting/index.ts';
import { until } from '../support/until.ts';
import { loadEnvironments, workerCount } from './built.ts';

const MODULE = new URL('./modules/lookups.mjs', import.meta.url);
const { BEGUN } = (await import(MODULE.href)) as { BEGUN: string };
const LEFT = new Error('the caller stopped waiting');

async function host(options: HostingOptions): Promise<HostedEnvironment & AsyncDisposable> {
  const [environment] = await loadEnvironments([MODULE], options);
  if (!environment) throw new Error('the module has no environment');
  return { ...environment, [Symbol.asyncDispose]: environment.close };
}

/** Returns a wait that ends after a delay; a request that can start has started by then. */
function soonLeft(ms = 300): LazyAbortController {
  const wait = new LazyAbortController();
  setTimeout(() => wait.abort(LEFT), ms);
  return wait;
}

/** Returns a wait that ends once a lookup hangs or spins. */
async function begunLeft(): Promise<LazyAbortController> {
  await rm(BEGUN, { force: true });
  const wait = new LazyAbortController();
  void until(() => existsSync(BEGUN)).then(
    () => wait.abort(LEFT),
    (error) => wait.abort(error),
  );
  return wait;
}

function left(): LazyAbortController {
  const wait = new LazyAbortController();
  wait.abort(LEFT);
  return wait;
}

const open = async (environment: HostedEnvironment, split: string, index = 0, wait?: LazyAbortController) =>
  environment.open(
    { split, index },
    {
      sessionId: crypto.randomUUID(),
      secrets: {},
      signal: new AbortController().signal,
      warn: () => undefined,
      onError: () => undefined,
      onLost: () => undefined,
    },
    wait,
  );

const prompt = async (environment: HostedEnvironment, index: number, wait?: LazyAbortController) =>
  (await open(environment, 'good', index)).prompt(wait);

describe.each(['inline', 'worker'] as const)('lookups that hang (%s)', (isolation) => {
  let environment: HostedEnvironment & AsyncDisposable;
  beforeAll(async () => {
    environment = await host({ isolation, threads: 1 });
  });
  afterAll(async () => environment[Symbol.asyncDispose]());

  test.each<[string, (wait: LazyAbortController) => Promise<unknown>]>([
    ['countTasks', (wait) => environment.countTasks('hang', wait)],
    ['task', (wait) => environment.task('hang', 0, wait)],
    ['tasks', (wait) => environment.tasks('hang', 0, 1, wait)],
    ['open', (wait) => open(environment, 'hang', 0, wait)],
    ['prompt', (wait) => prompt(environment, 1, wait)],
  ])('stops waiting for %s when its wait ends, and keeps the worker', async (_name, ask) => {
    const before = await prompt(environment, 0);

    await expect(ask(await begunLeft())).rejects.toBe(LEFT);
    await expect(ask(left())).rejects.toBe(LEFT);

    // The prompt contains the id of the thread.
    expect(await prompt(environment, 0)).toEqual(before);
  });
});

test.each<[string, (environment: HostedEnvironment, wait: LazyAbortController) => Promise<unknown>]>([
  ['task', (environment, wait) => environment.task('spin', 0, wait)],
  ['open', (environment, wait) => open(environment, 'spin', 0, wait)],
  ['prompt', (environment, wait) => prompt(environment, 2, wait)],
])('ends a worker that spins in %s when its caller stops waiting', async (_name, ask) => {
  const before = workerCount();
  await using environment = await host({ isolation: 'worker', threads: 1 });

  await expect(ask(environment, await begunLeft())).rejects.toBe(LEFT);

  await until(() => workerCount() === before);
  expect(await environment.task('good', 0)).toEqual({ prompt: 'good' });
});

test('ends the worker of one session if the caller stops waiting for the session to open', async () => {
  await using environment = await host({ isolation: 'worker', threads: 'session' });
  const before = workerCount();

  await expect(open(environment, 'hang', 0, await begunLeft())).rejects.toBe(LEFT);

  await until(() => workerCount() === before);
});

test('keeps a worker that has not started a request whose caller stops waiting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  await using environment = await host({ isolation: 'worker', threads: 1 });
  const episode = await open(environment, 'good');
  await episode.setup();
  const [begun, over] = [join(folder, 'begun'), join(folder, 'over')];

  const computing = episode.run('compute', { begun, over });
  await until(() => existsSync(begun));
  await Promise.all([
    expect(environment.task('good', 0, soonLeft())).rejects.toBe(LEFT),
    expect(open(environment, 'good', 0, soonLeft())).rejects.toBe(LEFT),
  ]);
  await writeFile(over, '');

  expect(await computing).toMatchObject({ ok: true });
  await rm(folder, { recursive: true });
});

test('replaces a worker if all of them are blocked by calls without a session', async () => {
  await using environment = await host({ isolation: 'worker', threads: 1 });
  const spinning = environment.task('spin', 0).catch((error: Error) => error.message);

  await until(() => open(environment, 'good', 0, soonLeft(1_000)).catch(() => undefined), 'another worker');

  expect(await environment.countTasks('good')).toBe(3);
  await environment.close();
  expect(await spinning).toBe('the environment did not respond: the server has closed');
});

test('keeps the sessions of a worker if one task fails at once and another one later', async () => {
  await using environment = await host({ isolation: 'worker', threads: 1 });
  const episode = await open(environment, 'good');
  await episode.setup();

  await expect(environment.tasks('torn', 0, 2)).rejects.toThrow('torn at once');
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect(await episode.prompt()).toHaveLength(1);
});

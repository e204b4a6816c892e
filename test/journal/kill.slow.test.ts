import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CallHandle, OrsClient, type Session } from 'ors-kit/client';
import { ORS, ors, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ors-journal-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Serves countdown with a journal. */
async function serve(port: number, journal: string, ...flags: string[]) {
  const command = [...ORS, 'serve', 'examples/countdown/environment.ts', '--port', `${port}`];
  const server = startCommand([...command, '--journal', join(folder, journal), ...flags]);
  await server.says(/ors serves/);
  return server;
}

/** Returns an expression that uses a number of the task. */
async function expressionFor(session: Session): Promise<string> {
  return JSON.stringify(await session.prompt()).match(/the numbers (\d+)/)?.[1] ?? '';
}

it('continues all episodes of a server that is killed again and again', async () => {
  const port = await freePort();
  const traces = join(folder, 'traces.db');
  const start = () => serve(port, 'episodes.db', '--traces', traces);
  let server = await start();
  await using client = new OrsClient(`http://127.0.0.1:${port}`);
  const environment = client.environment('countdown');
  const indexes = Array.from({ length: 20 }, (_, index) => index);
  const sessions = await Promise.all(indexes.map((index) => environment.session({ split: 'train', index })));
  const expressions = await Promise.all(sessions.map(expressionFor));
  for (const tries of [1, 2, 3]) {
    server.child.kill('SIGKILL');
    await server.result;
    server = await start();

    const results = await Promise.all(
      sessions.map((session, index) => session.call('evaluate', { expression: expressions[index] ?? '' })),
    );

    // The environment counts the tries of an episode.
    for (const { text } of results) expect(text).toMatch(new RegExp(`^Try ${tries}:`));
  }
  await Promise.all(sessions.map((session) => session.close()));
  server.child.kill('SIGTERM');
  expect((await server.result).code).toBe(0);
  // A message, a call and its result for each of three calls; and the prompt, unless the first kill came before its write.
  const { stdout } = await ors(['traces', 'ls', '--db', traces, '--limit', '100', '--json']);
  const recorded = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(recorded.map(({ reward_count }) => reward_count)).toEqual(indexes.map(() => 3));
  for (const { block_count } of recorded) expect([9, 10]).toContain(block_count);
});

it.each(['inline', 'worker'])('continues forks of a server that is killed (isolation: %s)', async (isolation) => {
  const port = await freePort();
  const start = () => serve(port, `${isolation}.db`, '--isolation', isolation);
  let server = await start();
  await using client = new OrsClient(`http://127.0.0.1:${port}`);
  const session = await client.environment('countdown').session({ split: 'train', index: 0 });
  const expression = await expressionFor(session);
  const calls: CallHandle[] = [];
  const evaluate = async (one: Session) => {
    const { text } = await one.call('evaluate', { expression }, { onStart: (call) => calls.push(call) });
    return Number(/^Try (\d+):/.exec(text)?.[1]);
  };
  for (const tries of [1, 2, 3]) expect(await evaluate(session)).toBe(tries);
  const branch = await session.fork({ at: calls[1]?.task_id });
  expect(await evaluate(branch)).toBe(3);

  server.child.kill('SIGKILL');
  await server.result;
  server = await start();

  const twig = await branch.fork({ at: calls[0]?.task_id });
  expect(await Promise.all([session, branch, twig].map(evaluate))).toEqual([4, 4, 2]);
  await Promise.all([session, branch, twig].map((one) => one.close()));
  server.child.kill('SIGTERM');
  expect((await server.result).code).toBe(0);
});

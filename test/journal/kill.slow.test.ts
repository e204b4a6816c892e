import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { ORS, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ors-journal-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('continues all episodes of a server that is killed again and again', async () => {
  const port = await freePort();
  const journal = ['--journal', join(folder, 'episodes.db')];
  const start = async () => {
    const server = startCommand([
      ...ORS,
      'serve',
      'examples/countdown/environment.ts',
      '--port',
      `${port}`,
      ...journal,
    ]);
    await server.says(/ors serves/);
    return server;
  };
  let server = await start();
  await using client = new OrsClient(`http://127.0.0.1:${port}`);
  const environment = client.environment('countdown');
  const indexes = Array.from({ length: 20 }, (_, index) => index);
  const sessions = await Promise.all(indexes.map((index) => environment.session({ split: 'train', index })));
  const prompts = await Promise.all(sessions.map((session) => session.prompt()));
  const expressions = prompts.map((prompt) => JSON.stringify(prompt).match(/the numbers (\d+)/)?.[1] ?? '');
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
});

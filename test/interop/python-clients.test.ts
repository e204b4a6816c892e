import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import { builtInProblems } from '../../examples/gsm8k/problems.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import wire from './environment.ts';
import { clients, describeWithPython, type Played, runPlayer } from './python.ts';
import { faults, startRelay } from './relay.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

const subjects = ['discovery', 'routes', 'tool_formats', 'episodes', 'fidelity', 'pictures', 'errors'].concat([
  'secrets',
  'slow_setup',
  'countdown',
  'maze',
  'javascript',
  'gsm8k',
]);

/** Lets all clients play at the same time and compares what they print. */
async function playAll(lines: readonly string[], play: (client: (typeof clients)[number]) => Promise<Played>) {
  const played = await Promise.all(clients.map(async (client) => ({ ...client, ...(await play(client)) })));
  expect(played).toEqual(clients.map((client) => ({ ...client, exitCode: 0, lines })));
}

describeWithPython()('every Python client, with and without asyncio,', () => {
  test('plays every environment, receives everything unchanged, and gets a reward for each right answer', async () => {
    await using problems = await fileOf(builtInProblems);

    await playAll(
      subjects.map((subject) => `ok ${subject}`),
      async ({ name, mode }) => {
        await using server = await serveAll();
        const options = { env: { GSM8K_PROBLEMS: problems.path } };
        const played = await runPlayer('all_players.py', [server.url, name, mode], options);
        expect(server.sessionCount).toBe(0);
        return played;
      },
    );
  });

  test('gets each answer over a connection that breaks, from a tool that ran once', async () => {
    const lines = [...faults.map((fault) => `ok ${fault.replaceAll('-', '_')}`), 'ok at_the_end'];

    await playAll(lines, async ({ name, mode }) => {
      await using server = await serveAll({ heartbeatMs: 1_000 });
      await using relay = await startRelay(server.url);
      const played = await runPlayer('faults_player.py', [relay.url, name, mode]);
      expect(relay.broken.map((key) => key.split(':')[0])).toEqual([...faults, 'after-task-id']);
      return played;
    });
  });
});

function serveAll(options: ServerOptions = {}): Promise<RunningServer> {
  // The crashes are deliberate, so they are not logged.
  const log = pino({ level: 'silent' });
  return serve([countdown, gsm8k, maze, javascript, wire], { port: 0, log, validateResponses: true, ...options });
}

/** Writes the problems to a file in the format of the data set; deleted when disposed of. */
async function fileOf(problems: typeof builtInProblems): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const path = join(folder, 'problems.jsonl');
  const lines = problems.map(({ question, answer }) => JSON.stringify({ question, answer: `#### ${answer}` }));
  await writeFile(path, lines.join('\n'));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

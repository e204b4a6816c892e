import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import { ownProblems } from '../../examples/gsm8k/problems.ts';
import javascript from '../../examples/javascript/environment.ts';
import maze from '../../examples/maze/environment.ts';
import wire from './environment.ts';
import { clients, describeWithPython, runPlayer } from './python.ts';
import { faults, startRelay } from './relay.ts';

// The problems of the example itself, whatever the machine has.
delete process.env.GSM8K_FILE;

const subjects = ['discovery', 'routes', 'tool_formats', 'episodes', 'fidelity', 'pictures', 'errors'].concat([
  'secrets',
  'slow_setup',
  'countdown',
  'maze',
  'javascript',
]);

describeWithPython().each(clients)('$name, $mode', ({ name, mode }) => {
  test('plays every environment and receives everything unchanged', async () => {
    await using server = await serveAll();

    const played = await runPlayer('all_players.py', [server.url, name, mode]);

    expect(played).toEqual({ exitCode: 0, lines: subjects.map((subject) => `ok ${subject}`) });
    expect(server.sessionCount).toBe(0);
  });

  test('gets a reward for each right answer and none for a wrong one', async () => {
    await using server = await serveAll();
    await using problems = await fileOf(ownProblems);

    const played = await runPlayer('gsm8k_player.py', [server.url, name, mode, '--problems', problems.path]);

    expect(played).toEqual({ exitCode: 0, lines: ['ok gsm8k'] });
  });

  test('gets each answer over a connection that breaks, from a tool that ran once', async () => {
    await using server = await serveAll({ heartbeatMs: 1_000 });
    await using relay = await startRelay(server.url);

    const played = await runPlayer('faults_player.py', [relay.url, name, mode]);

    const lines = [...faults.map((fault) => `ok ${fault.replaceAll('-', '_')}`), 'ok at_the_end'];
    expect(played).toEqual({ exitCode: 0, lines });
    expect(relay.broken.map((key) => key.split(':')[0])).toEqual([...faults, 'after-task-id']);
  });
});

function serveAll(options: ServerOptions = {}): Promise<RunningServer> {
  // Crashes on purpose are no news.
  const log = pino({ level: 'silent' });
  return serve([countdown, gsm8k, maze, javascript, wire], { port: 0, log, validateResponses: true, ...options });
}

/** The problems as a file in the form of the data set; gone with the test. */
async function fileOf(problems: typeof ownProblems): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const path = join(folder, 'problems.jsonl');
  const lines = problems.map(({ question, answer }) => JSON.stringify({ question, answer: `#### ${answer}` }));
  await writeFile(path, lines.join('\n'));
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

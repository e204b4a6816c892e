/**
 * Serves the example environments, plays an episode of each and a run of many, says what to do next and stays up (`make
 * start`).
 *
 *   PORT=8080 npx tsx scripts/start.ts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, oracleAgent, randomAgent, rollout } from 'ors-kit/rollout';
import { sandboxProblem } from 'ors-kit/sandbox';
import { play } from 'ors-kit/testing';
import bash from '../examples/bash/environment.ts';
import { provider } from '../examples/bash/provider.ts';
import countdown from '../examples/countdown/environment.ts';
import gsm8k from '../examples/gsm8k/environment.ts';
import javascript from '../examples/javascript/environment.ts';
import maze from '../examples/maze/environment.ts';
import { errorMessage, parseInteger, plural } from '../src/core/index.ts';

const HOST = '127.0.0.1';
const START_MS = 60_000;
/** Every episode is recorded there, also those of earlier starts. */
const TRACES = '.cache/traces.db';
const examples = [countdown, gsm8k, maze, javascript];

async function main(): Promise<void> {
  const port = readPort(process.env.PORT ?? '8080');
  await requireFree(port);
  const url = `http://${HOST}:${port}`;
  const problem = await sandboxProblem({ provider });
  if (problem === undefined) examples.push(bash);
  const server = startServer(port);
  await ready(server, url);
  console.log(`ors serves ${examples.map(({ name }) => name).join(', ')} on ${url}\n`);
  if (problem !== undefined) console.log(`The example bash is left out: ${problem}\n`);
  console.log('One episode of each, played over HTTP by its own solver:');
  for (const environment of examples)
    console.log(`  ${environment.name.padEnd(11)} ${await playOne(environment, url)}`);
  const started_at = new Date().toISOString();
  const run = `start-${started_at.replace(/[-:]|\..*/g, '').replace('T', '-')}`;
  console.log(
    `\nAnd a run, some episodes of which are solved and some played at random:\n  ${await playRun(run, started_at, url)}`,
  );
  console.log(whatNext(url, run));
  await once(server, 'exit');
}

function readPort(text: string): number {
  const port = parseInteger(text, { min: 1, max: 65_535 });
  if (port !== undefined) return port;
  throw new Error(`PORT is '${text}', which is no port; choose one from 1 to 65535: make start PORT=8081`);
}

async function requireFree(port: number): Promise<void> {
  const trial = createServer();
  const [error] = await Promise.race([
    once(trial.listen(port, HOST), 'listening').then(() => []),
    new Promise<[NodeJS.ErrnoException]>((resolve) => trial.once('error', (cause) => resolve([cause]))),
  ]);
  if (error?.code === 'EADDRINUSE') {
    throw new Error(
      `port ${port} is taken; stop what uses it, or choose another: make start PORT=${(port % 65_535) + 1}`,
    );
  }
  if (error) throw new Error(`port ${port} cannot be used: ${error.message}; choose another: make start PORT=8081`);
  trial.close();
  await once(trial, 'close');
}

/** `ors serve`, as one would type it. Signals are passed on to it, and it ends with this process. */
function startServer(port: number): ChildProcess {
  const command = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
  const modules = examples.map(({ name }) =>
    fileURLToPath(new URL(`../examples/${name}/environment.ts`, import.meta.url)),
  );
  const traces = fileURLToPath(new URL(`../${TRACES}`, import.meta.url));
  mkdirSync(dirname(traces), { recursive: true });
  const flags = ['--port', String(port), '--host', HOST, '--log-level', 'warn', '--traces', traces];
  const args = [command, 'serve', ...modules, ...flags];
  // In a group of its own, so that Ctrl-C comes to it from here alone, and once.
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal));
  process.on('exit', () => server.kill());
  return server;
}

async function ready(server: ChildProcess, url: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await delay(100)) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('the server ended as it started');
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error(`the server is not ready after ${START_MS / 1_000} s`);
}

async function playOne(environment: Environment, url: string): Promise<string> {
  const split = environment.splits.at(-1)?.name ?? '';
  await using episode = await play(environment, { split, index: 0 }, { url });
  const outputs = await episode.solve();
  const reward = outputs.reduce((sum, output) => sum + (output.reward ?? 0), 0);
  return `${split}[0]: ${plural(outputs.length, 'call')}, reward ${Number(reward.toFixed(6))}`;
}

const [solved, atRandom] = [oracleAgent([countdown]), randomAgent()];
/** The later tasks are solved more seldom. */
const player: Agent = (session, context) =>
  (context.sample % 4 > context.task.index ? solved : atRandom)(session, context);

/** Eight episodes of each of three tasks, which the server records under the name of the run. */
async function playRun(run: string, started_at: string, url: string): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'ors-start-'));
  try {
    await using client = new OrsClient(url, { headers: { 'X-Trace-Run': run } });
    await using folder = await createRunFolder(path, {
      ...{ run, url, environment: countdown.name, split: 'test', tasks: [{ start: 0, stop: 3 }], samples: 8 },
      ...{ agent: 'start', limits: { turns: 8, tokens: null, seconds: null }, reducer: 'sum', pass: 1 },
      ...{ started_at, settings: {} },
    });
    const { results, stopped } = await rollout({ client, folder, agent: player });
    if (stopped !== undefined) throw stopped;
    const { episodes, reward } = results;
    return `${countdown.name.padEnd(11)} test[0-2]: ${episodes.ended} episodes, mean reward ${reward.mean?.toFixed(3)}`;
  } finally {
    rmSync(path, { recursive: true });
  }
}

const whatNext = (url: string, run: string) => `
Open
  ${url}/ui/     the environments, to play; what was played, with its rewards
  ${url}/ui/?view=run&run=${run}     the run: its rewards, its groups side by side
  ${url}/        what is served
  ${url}/docs/   every operation of the protocol

Type, in another terminal
  npm run -s ors -- play ${url} maze     # play it yourself
  npm run -s ors -- call ${url}          # what there is
  npm run -s ors -- traces ls --db ${TRACES}     # what was played
  npm run -s ors -- call ${url} countdown evaluate --split test --index 0 expression='6 * (100 - 8)'
  curl ${url}/list_environments

README.md goes on from here: an environment of your own, and how to play it from TypeScript and Python.
Ctrl-C stops the server.`;

try {
  await main();
} catch (error) {
  console.error(`make start: ${errorMessage(error)}`);
  process.exit(1);
}

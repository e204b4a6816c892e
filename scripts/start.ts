/**
 * Serves the example environments, plays an episode of each and a run, prints the next steps, and keeps serving (`make
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
import { findSandboxProblem } from 'ors-kit/sandbox';
import { play } from 'ors-kit/testing';
import bash from '../examples/bash/environment.ts';
import { provider } from '../examples/bash/provider.ts';
import countdown from '../examples/countdown/environment.ts';
import gsm8k from '../examples/gsm8k/environment.ts';
import javascript from '../examples/javascript/environment.ts';
import maze from '../examples/maze/environment.ts';
import { errorMessage, parseInteger, plural } from '../src/core/index.ts';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;
/** Trace store of all episodes, including those of earlier starts. */
const TRACES = '.cache/traces.db';
const examples = [countdown, gsm8k, maze, javascript];

async function main(): Promise<void> {
  const port = readPort(process.env.PORT ?? '8080');
  await requireFree(port);
  const url = `http://${HOST}:${port}`;
  const problem = await findSandboxProblem({ provider });
  if (problem === undefined) examples.push(bash);
  const server = startServer(port);
  await waitUntilReady(server, url);
  console.log(`ors serves ${examples.map(({ name }) => name).join(', ')} on ${url}\n`);
  if (problem !== undefined) console.log(`The example bash is skipped: ${problem}\n`);
  console.log('One episode of each, played over HTTP by its `solve` function:');
  for (const environment of examples)
    console.log(`  ${environment.name.padEnd(11)} ${await playOne(environment, url)}`);
  const started_at = new Date().toISOString();
  const run = `start-${started_at.replace(/[-:]|\..*/g, '').replace('T', '-')}`;
  console.log(`\nA run of solved and random episodes:\n  ${await playRun(run, started_at, url)}`);
  console.log(nextSteps(url, run));
  await once(server, 'exit');
}

function readPort(text: string): number {
  const port = parseInteger(text, { min: 1, max: 65_535 });
  if (port !== undefined) return port;
  throw new Error(`invalid PORT '${text}': expected a number from 1 to 65535; for example: make start PORT=8081`);
}

async function requireFree(port: number): Promise<void> {
  const trial = createServer();
  const [error] = await Promise.race([
    once(trial.listen(port, HOST), 'listening').then(() => []),
    new Promise<[NodeJS.ErrnoException]>((resolve) => trial.once('error', (cause) => resolve([cause]))),
  ]);
  if (error?.code === 'EADDRINUSE') {
    throw new Error(
      `port ${port} is in use; stop the other server, or choose another port: make start PORT=${(port % 65_535) + 1}`,
    );
  }
  if (error)
    throw new Error(`cannot listen on port ${port}: ${error.message}; choose another port: make start PORT=8081`);
  trial.close();
  await once(trial, 'close');
}

/** Starts `ors serve`. Signals are forwarded to it, and it exits with this process. */
function startServer(port: number): ChildProcess {
  const command = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
  const modules = examples.map(({ name }) =>
    fileURLToPath(new URL(`../examples/${name}/environment.ts`, import.meta.url)),
  );
  const traces = fileURLToPath(new URL(`../${TRACES}`, import.meta.url));
  mkdirSync(dirname(traces), { recursive: true });
  const flags = ['--port', String(port), '--host', HOST, '--log-level', 'warn', '--traces', traces];
  const args = [command, 'serve', ...modules, ...flags];
  // In a separate process group, so that it receives Ctrl-C only from here, and once.
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal));
  process.on('exit', () => server.kill());
  return server;
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await delay(100)) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('the server exited during its start');
    const response = await fetch(`${url}/ready`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`the server is not ready after ${START_TIMEOUT_MS / 1_000} s`);
}

async function playOne(environment: Environment, url: string): Promise<string> {
  const split = environment.splits.at(-1)?.name ?? '';
  await using episode = await play(environment, { split, index: 0 }, { url });
  const outputs = await episode.solve();
  const reward = outputs.reduce((sum, output) => sum + (output.reward ?? 0), 0);
  return `${split}[0]: ${plural(outputs.length, 'call')}, reward ${Number(reward.toFixed(6))}`;
}

const oracle = oracleAgent([countdown]);
const random = randomAgent();
/** Solves a part of the samples, fewer for later tasks, and plays the others at random. */
const agent: Agent = (session, context) =>
  (context.sample % 4 > context.task.index ? oracle : random)(session, context);

/** Plays eight episodes of each of three tasks. The server records them under the name of the run. */
async function playRun(run: string, started_at: string, url: string): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'ors-start-'));
  try {
    await using client = new OrsClient(url, { headers: { 'X-Trace-Run': run } });
    await using folder = await createRunFolder(path, {
      run,
      url,
      environment: countdown.name,
      split: 'test',
      tasks: [{ start: 0, stop: 3 }],
      samples: 8,
      agent: 'start',
      limits: { turns: 8, tokens: null, seconds: null },
      reducer: 'sum',
      pass: 1,
      started_at,
      settings: {},
    });
    const { results, error } = await rollout({ client, folder, agent });
    if (error !== undefined) throw error;
    const { episodes, reward } = results;
    return `${countdown.name.padEnd(11)} test[0-2]: ${episodes.ended} episodes, mean reward ${reward.mean?.toFixed(3)}`;
  } finally {
    rmSync(path, { recursive: true });
  }
}

const nextSteps = (url: string, run: string) => `
Open
  ${url}/     the first page: tasks, tools, and links to everything below
  ${url}/ui/?view=run&run=${run}     the run: rewards, groups side by side
  ${url}/ui/?view=environments     the playground: play an environment by hand
  ${url}/docs/     the operations of the protocol

Type, in another terminal
  npx ors-kit play ${url} maze     # play an episode yourself
  npx ors-kit call ${url}          # list environments and tools
  npx ors-kit traces ls --db ${TRACES}     # list the recorded episodes
  npx ors-kit call ${url} countdown evaluate --split test --index 0 expression='6 * (100 - 8)'
  curl ${url}/list_environments

Next: docs/getting-started.md creates your own project; README.md plays it from TypeScript and Python.
Press Ctrl-C to stop the server.`;

try {
  await main();
} catch (error) {
  console.error(`make start: ${errorMessage(error)}`);
  process.exit(1);
}

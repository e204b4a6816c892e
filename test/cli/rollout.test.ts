import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, type Environment, ToolError } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { z } from 'zod';
import countdown from '../../examples/countdown/environment.ts';
import { serveTraces } from '../../src/trace/api/index.ts';
import { createMemoryStore } from '../../src/trace/store/index.ts';
import guess from '../rollout/guess.mjs';
import { ORS, ors, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { until } from '../support/until.ts';
import { withoutModules } from '../support/without-modules.ts';
import { newFolder } from '../trace/store/stores.ts';

const ORACLE = ['--agent', 'oracle', '--module', 'examples/countdown/environment.ts'];

/** Environment that rewards a purchase; its tool crashes in task 1. */
const shop = defineEnvironment({
  name: 'shop',
  splits: { train: [{ n: 0 }], test: Array.from({ length: 4 }, (_, n) => ({ n })) },
  prompt: () => 'Buy.',
  tools: {
    buy: defineTool({
      description: 'Buys.',
      input: z.object({}),
      run({ task }: { task: { n?: unknown } }) {
        if (task.n === 1) throw new Error('sold out');
        return { text: 'bought', reward: 0.5, finished: true };
      },
    }),
  },
});

const AGENT = "export default async (session) => { await session.call('buy'); };\n";

async function openStage(environments: readonly Environment[] = [countdown, shop]) {
  const server = await serve(environments, { port: 0, log: pino({ level: 'silent' }) });
  const folder = await newFolder();
  const agent = join(folder.path, 'buyer.mjs');
  await writeFile(agent, AGENT);
  return {
    ...{ url: server.url, run: join(folder.path, 'run'), agent },
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('prints a table, the files and the command to run next at the end of a run', async () => {
  await using stage = await openStage();
  const tasks = ['--env', 'countdown', '--split', 'test', '--tasks', '3,0-1', '-n', '2'];

  const { code, stdout, stderr } = await orsInProcess(['rollout', stage.url, ...tasks, ...ORACLE, '--out', stage.run]);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^run +run\nplayed +countdown test, by oracle\nepisodes +6 of 6\nreward +1 ± 0 \(standard error\)/,
  );
  expect(stdout).toMatch(/\npass@2 +1 \(reward of 1 or more\)\n/);
  const { groups } = JSON.parse(await readFile(join(stage.run, 'results.json'), 'utf8'));
  expect(groups.map(({ task }: { task: number }) => task)).toEqual([0, 1, 3]);
  const [, next = ''] = /\ntraces +ors (traces ls --db \S+ --run run)\n$/.exec(stdout) ?? [];
  const listed = await orsInProcess(next.split(' '));
  expect(listed.stdout.match(/ finished /g)).toHaveLength(6);
});

test.each([
  ['random', 4],
  ['buyer', 0],
])('reports that no call was accepted, with the agent %s, and exits with %p', async (name, expected) => {
  const lock = defineEnvironment({
    name: 'lock',
    splits: { test: [{}] },
    prompt: () => 'Open it.',
    tools: {
      buy: {
        description: 'Opens the lock.',
        run() {
          throw new ToolError('it is closed');
        },
      },
    },
  });
  await using stage = await openStage([lock]);
  const agent = name === 'random' ? name : stage.agent;
  await writeFile(stage.agent, AGENT.replace("call('buy')", "call('buy').catch(() => {})"));

  const play = ['rollout', stage.url, '--agent', agent, '--turns', '3', '--no-traces', '--out', stage.run];
  const { code, stdout } = await orsInProcess(play);

  expect(code).toBe(expected);
  expect(stdout).toMatch(/\naccepted +no call, so no output and no reward was tested\n/);
  const { calls } = JSON.parse(await readFile(join(stage.run, 'results.json'), 'utf8'));
  expect(calls).toEqual({ made: name === 'random' ? 3 : 1, accepted: 0 });
});

test('stores the steps of a training as one run, and rejects a new step number for a resumed step', async () => {
  await using stage = await openStage();
  const store = ['--traces', join(stage.run, '..', 'training.db')];
  const begin = ['rollout', stage.url, '--env', 'shop', '--split', 'train', '--agent', stage.agent, ...store];
  const step = (number: string) => [...begin, '--run', 'grpo', '--step', number, '--out', `${stage.run}-${number}`];

  for (const number of ['0', '1']) await orsInProcess(step(number));
  const stats = await orsInProcess(['traces', 'stats', 'grpo', '--db', store[1] ?? '', '--json']);
  const changed = await orsInProcess(['rollout', '--resume', `${stage.run}-1`, '--step', '2']);
  const refused = await orsInProcess([...begin, '--step', 'first']);

  const { steps } = JSON.parse(stats.stdout);
  expect(steps.map(({ step, trace_count }: { step: number; trace_count: number }) => [step, trace_count])).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(changed.stderr).toContain(
    'cannot change --step when resuming; omit it, or start a new run without --resume\n',
  );
  expect(refused.stderr).toContain('Expected a whole number from 0 up.');
});

test('counts episodes without a score as missing, exits with 3, and plays them on --resume', async () => {
  await using stage = await openStage();
  const begin = ['rollout', stage.url, '--env', 'shop', '--split', 'test', '--agent', stage.agent, '--attempts', '1'];

  const first = await orsInProcess([...begin, '--out', stage.run, '--no-traces', '--json']);
  const second = await orsInProcess(['rollout', '--resume', stage.run, '--attempts', '1']);

  expect([first.code, second.code]).toEqual([3, 3]);
  expect(JSON.parse(first.stdout)).toMatchObject({
    ...{ agent: 'buyer', complete: false, reward: { mean: 0.5 }, failures: { tool_crashed: 1 } },
    episodes: { planned: 4, ended: 3, missing: 1 },
  });
  expect(second.stdout).toMatch(/\nepisodes +3 of 4; 1 are missing\n/);
  expect(second.stdout).toMatch(/\nattempts failed +tool_crashed 2; not scored\n/);
  expect(second.stdout).toContain(`resume   ors rollout --resume ${stage.run}\n`);
});

test('keeps the results so far on Ctrl-C, and completes the run with --resume', async () => {
  await using stage = await openStage([guess]);
  const oracle = ['--agent', 'oracle', '--module', 'test/rollout/guess.mjs'];
  const begin = ['rollout', stage.url, '--split', 'test', '--tasks', '0-99', ...oracle, '--concurrency', '2'];
  await using command = startCommand([...ORS, ...begin, '--out', stage.run]);
  const rewards = () => readFile(join(stage.run, 'rewards.jsonl'), 'utf8').catch(() => '');
  await until(async () => (await rewards()) !== '');

  command.child.kill('SIGINT');
  const { code } = await command.result;
  const { code: later } = await ors(['rollout', '--resume', stage.run]);

  expect([code, later]).toEqual([130, 0]);
  expect(command.said()).toMatch(/\nresume +ors rollout --resume /);
  const { episodes } = JSON.parse(await readFile(join(stage.run, 'results.json'), 'utf8'));
  expect(episodes).toEqual({ planned: 100, ended: 100, missing: 0 });
});

test.each<[string, (stage: { url: string; run: string }) => readonly string[], RegExp]>([
  ['a run without a player', ({ url }) => [url], /no agent selected; pass --model <provider>\/<model>, --agent oracle/],
  ['a run without a server', () => ['--agent', 'idle'], /URL of the server is missing; write: ors rollout http/],
  [
    'a missing choice of environment',
    ({ url }) => [url, '--agent', 'idle'],
    /several environments; select one with --env: countdown and shop/,
  ],
  [
    'a missing choice of split',
    ({ url }) => [url, '--agent', 'idle', '--env', 'shop'],
    /several splits; select one with --split: train and test/,
  ],
  [
    'a split that does not exist',
    ({ url }) => [url, '--agent', 'idle', '--env', 'shop', '--split', 'tset'],
    /no split 'tset'\. Did you mean 'test'\?/,
  ],
  ['an oracle without a module', ({ url }) => [url, '--agent', 'oracle'], /pass its file with --module <file>/],
  ['an agent file that does not exist', ({ url }) => [url, '--agent', './none.mjs'], /none\.mjs/],
  [
    'a misspelt agent',
    ({ url }) => [url, '--agent', 'rndom'],
    /no agent 'rndom'\. Did you mean 'random'\? There are: oracle, random and idle\. Or pass a file/,
  ],
  [
    'a range of tasks that do not exist',
    ({ url }) => [url, '--agent', 'idle', '--env', 'shop', '--split', 'test', '--tasks', '5000-'],
    /invalid task 5000: split 'test' of 'shop' has 4 tasks, from 0 to 3/,
  ],
  [
    'a password in the base URL',
    () => ['--model', 'a/b', '--base-url', 'http://me:pass@127.0.0.1/v1'],
    /^(?!.*pass@).*user name or password; put the key into an environment variable, and pass its name with --key-variable/,
  ],
  [
    'a query in the address of a store',
    () => ['--agent', 'idle', '--traces', 'http://127.0.0.1:9/?key=hidden'],
    /^(?!.*hidden).*has a query or a fragment; pass its URL without them, and its key in ORS_TRACES_API_KEY/,
  ],
  [
    'an invalid list of tasks',
    ({ url }) => [url, '--agent', 'idle', '--tasks', '5-2'],
    /Expected indexes and ranges .*, got '5-2'/,
  ],
  ['a folder without a run', ({ run }) => ['--resume', run], /has no run to resume/],
])('rejects %s, and says what to do', async (_what, args, sentence) => {
  await using stage = await openStage();

  const { code, stderr, stdout } = await orsInProcess(['rollout', ...args(stage)]);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
});

test('rejects changed options on --resume, and a second run in the same folder', async () => {
  await using stage = await openStage();
  const begin = ['rollout', stage.url, '--env', 'shop', '--split', 'train', '--agent', stage.agent, '--out', stage.run];
  await orsInProcess(begin);

  const changes = [
    ['--turns', '3'],
    ['--no-traces'],
    ['--traces', 'other.db'],
    ['--no-stream'],
    ['--base-url', 'http://a'],
  ];
  const changed = [];
  for (const flags of changes) changed.push((await orsInProcess(['rollout', '--resume', stage.run, ...flags])).stderr);
  const again = await orsInProcess(begin);

  expect(changed).toEqual(changes.map(([flag]) => expect.stringContaining(`cannot change ${flag} when resuming`)));
  expect(again.stderr).toMatch(/already has a run; resume it with --resume /);
});

/** Offers what rollouts without a reward do: nothing, calls that are refused, and calls that earn nothing. */
const lottery = defineEnvironment({
  name: 'lottery',
  splits: { test: [{ n: 0 }, { n: 1 }] },
  prompt: () => 'Draw.',
  tools: {
    refuse: {
      description: 'Refuses.',
      run() {
        throw new ToolError('it is closed');
      },
    },
    look: { description: 'Looks.', run: () => ({ text: 'A drum.' }) },
    draw: { description: 'Draws.', run: () => ({ text: 'A blank.', reward: 0 }) },
    win: { description: 'Wins.', run: () => ({ text: 'A prize.', reward: 1, finished: true }) },
  },
});

test.each([
  ['', 'no tool was called; the agent stopped by itself in 2 of 2'],
  ["await session.call('refuse').catch(() => {});", '2 calls, all refused; the agent stopped by itself in 2 of 2'],
  ["await session.call('look');", '2 calls, none with a reward; the agent stopped by itself in 2 of 2'],
  [
    "await session.call('draw'); return { stop: 'turn_limit', turns: 1 };",
    '2 calls with a reward, none above 0; turn limit reached in 2 of 2; raise --turns',
  ],
  ["await session.call('win');", undefined],
])('says why no episode earned anything: %j', async (code, reasons) => {
  await using stage = await openStage([lottery]);
  await writeFile(stage.agent, `export default async (session) => { ${code} };\n`);

  const { stdout } = await orsInProcess([
    'rollout',
    stage.url,
    '--agent',
    stage.agent,
    '--no-traces',
    '--out',
    stage.run,
  ]);

  const [, said] = /^no reward +no episode earned more than 0: (.*)$/m.exec(stdout) ?? [];
  expect(said).toBe(reasons);
});

test('ends with the address of its run in the viewer, or the command that serves it', async () => {
  await using stage = await openStage();
  await using store = createMemoryStore();
  await using traces = await serveTraces({ store, port: 0 });
  const play = ['rollout', stage.url, '--env', 'shop', '--split', 'train', '--agent', stage.agent];

  const remote = await orsInProcess([...play, '--traces', traces.url, '--run', 'a b', '--out', `${stage.run}-remote`]);
  const file = await orsInProcess([...play, '--out', stage.run]);
  const none = await orsInProcess([...play, '--no-traces', '--out', `${stage.run}-none`]);

  expect(remote.stdout).toContain(`\nview     ${traces.url}/ui/?view=run&run=a+b\n`);
  expect((await fetch(`${traces.url}/ui/?view=run&run=a+b`)).status).toBe(200);
  expect(file.stdout).toContain(
    `\nview     ors traces serve --db ${stage.run}/traces.db\n         then open http://127.0.0.1:8090/ui/?view=run&run=run\n`,
  );
  expect(none.stdout).not.toMatch(/^view /m);
});

test('prints commands that the shell of the user finds if npm started it', async () => {
  await using stage = await openStage();
  const play = ['rollout', stage.url, '--env', 'shop', '--split', 'train', '--agent', stage.agent, '--out', stage.run];

  const { stdout } = await orsInProcess(play, { env: { npm_execpath: '/usr/lib/npm-cli.js' } });

  expect(stdout).toContain('\nview     npx ors-kit traces serve --db ');
});

test('says how to install SQLite before it creates anything, on a Node without it', async () => {
  await using stage = await openStage();
  const play = ['rollout', stage.url, '--env', 'shop', '--split', 'train', '--agent', stage.agent, '--out', stage.run];
  const env = withoutModules('node:sqlite', 'libsql');

  const failed = await ors(play, { env });
  const isThere = existsSync(stage.run);
  const recordedNowhere = await ors([...play, '--no-traces'], { env });

  expect([failed.code, isThere]).toEqual([1, false]);
  expect(failed.stderr).toMatch(/^ors: SQLite needs .*; npm install libsql, .*; --no-traces records nothing\n$/);
  expect([recordedNowhere.code, recordedNowhere.stderr]).toEqual([0, '']);
});

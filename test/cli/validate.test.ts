import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { validationRules } from '../../src/validate/index.ts';
import { start } from '../support/client.ts';
import { ORS, ors, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { loadExpress } from '../support/load-express.ts';
import { twin } from '../validate/twin.ts';
import { smallServer } from './conformance-scratch.ts';
import { BLOCK } from './watching.ts';

beforeAll(loadExpress);

/** Writes a module to a new folder in the checkout, so that it can import the package. */
async function moduleOf(code: string) {
  const folder = await mkdtemp(join('.cache', 'validate-'));
  const file = join(folder, 'environment.mjs');
  await writeFile(file, `import { defineEnvironment } from 'ors-kit';\n${code}`);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const environment = (rest: string, submit = "({ text: 'Wrong.', reward: 0, finished: true })") => `
export default defineEnvironment({
  name: 'words',
  splits: { train: [{ word: 'amber' }, { word: 'birch' }] },
  publicTask: ({ word }) => ({ letters: word.length, first: word[0] }),
  prompt: ({ task }) => 'Which word begins with ' + task.word[0] + '?',
  tools: { submit: { description: 'Submit it.', run: async () => ${submit} } },
  ${rest}
});`;

/** Environment without problems. In JavaScript, because each command loads it twice. */
const CORRECT = `
import { jsonSchema } from 'ors-kit';
const word = { type: 'string', description: 'The word.' };
export default defineEnvironment({
  name: 'words',
  splits: { train: [{ word: 'amber' }, { word: 'birch' }] },
  publicTask: ({ word }) => ({ letters: word.length, first: word[0] }),
  prompt: ({ task }) => 'Which word begins with ' + task.word[0] + '?',
  tools: {
    submit: {
      description: 'Submit the word.',
      input: jsonSchema({ type: 'object', properties: { word }, required: ['word'], additionalProperties: false }),
      run: ({ input, task }) =>
        input.word === task.word
          ? { text: 'Correct.', reward: 1, finished: true }
          : { text: 'Wrong.', reward: 0, finished: true },
    },
  },
  maxReward: 1,
  solve: ({ task, call }) => call('submit', { word: task.word }),
});`;
/** Placeholder for the address of a server. */
const SERVER = '<server>';

test('prints one short page for an environment without problems, and exits with 0', async () => {
  await using module = await moduleOf(CORRECT);

  const { stdout, stderr, code } = await orsInProcess(['validate', module.file, '--tasks', '1']);
  const json = JSON.parse((await orsInProcess(['validate', module.file, '--tasks', '1', '--json'])).stdout);

  expect(stdout).toContain('words  1 note\n');
  expect(stdout).toContain('0 errors, 0 warnings, 1 note in ');
  expect([stderr, code]).toEqual(['', 0]);
  // The rules that held, and those that were not tested with the reason.
  const [{ held, untested }] = json.environments;
  const found = json.findings.map(({ rule }: { rule: string }) => rule);
  const others = untested.map(({ rule }: { rule: string }) => rule);
  expect([...held, ...others, ...found].sort()).toEqual(validationRules.map(({ name }) => name).sort());
  expect(held).toEqual(expect.arrayContaining(['solve-reaches-max', 'answers-stay-hidden', 'nothing-is-left']));
  expect(untested).toContainEqual({ rule: 'groups-are-scored', reason: 'the environment compares no rollouts' });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain(` ✓ ${held.length} rules held ${held.slice(0, 3).join(', ')}`);
  expect(text).toContain('- not tested because the environment compares no rollouts: groups-are-scored ');
});

test('--list and --explain describe rules without a module', async () => {
  const list = await orsInProcess(['validate', '--list']);
  const one = await orsInProcess(['validate', '--explain', 'solve-reaches-max']);
  const json = await orsInProcess(['validate', '--list', '--json']);
  const unknown = await orsInProcess(['validate', '--explain', 'solve-reach-max']);
  const nothing = await orsInProcess(['validate']);

  expect(list.stdout.split('\n').filter((line) => /^[a-z-]+ {2,}(error|warning|note)/.test(line))).toHaveLength(
    validationRules.length,
  );
  expect(one.stdout).toMatch(/^solve-reaches-max\n {2}`solve` of the environment completes and earns `maxReward`\.\n/);
  expect(one.stdout).toContain('--ignore solve-reaches-max');
  expect(JSON.parse(json.stdout)[0]).toMatchObject({ rule: 'listings-agree', levels: ['error', 'note'] });
  expect([unknown.code, unknown.stderr.includes("Did you mean 'solve-reaches-max'?")]).toEqual([2, true]);
  expect([nothing.code, nothing.stderr.includes('ors validate environment.ts')]).toEqual([2, true]);
});

test('reports problems with rule, place and count, and exits with 1', async () => {
  await using module = await moduleOf(environment('maxReward: 1, solve: ({ call }) => call("submit"),'));

  const { stdout, code } = await orsInProcess(['validate', module.file]);

  expect(stdout).toContain('  ✗ solve-reaches-max\n');
  expect(stdout).toContain('    train 0: solve earned 0 of maxReward 1; its last call submit({}) returned');
  expect(stdout).toContain('2 errors, 0 warnings, ');
  expect(code).toBe(1);
});

test('--json prints the findings to stdout, and the output of the module to stderr', async () => {
  const noise = "console.log('loading'); process.stdout.write('more');";
  await using module = await moduleOf(noise + environment('solve: ({ call }) => call("submit"),'));

  const { stdout, stderr, code } = await ors(['validate', module.file, '--json', '--tasks', '1', '--seed', '3']);

  const document = JSON.parse(stdout);
  expect(document).toMatchObject({
    counts: { error: 0, warning: 0, note: 2 },
    interrupted: false,
    environments: [{ name: 'words', splits: { train: 1 } }],
    seed: 3,
    findings: [
      { level: 'note', rule: 'goal-is-known', environment: 'words' },
      { rule: 'step-time', split: 'train' },
    ],
  });
  expect(stderr).toContain('loading');
  expect(code).toBe(0);
});

test('--strict fails on warnings', async () => {
  const warned = environment('publicTask: ({ word }) => ({ answer: word.length, first: word[0] }), maxReward: 1,');
  await using module = await moduleOf(warned);

  const [lenient, strict] = [
    await orsInProcess(['validate', module.file, '--tasks', '1']),
    await orsInProcess(['validate', module.file, '--tasks', '1', '--strict']),
  ];

  expect(lenient.stdout).toContain('! task-keys-hide-answers');
  expect([lenient.code, strict.code]).toEqual([0, 1]);
});

test.concurrent('reports uncaught errors and timers that are left running', async () => {
  const careless = environment(
    'setup: () => { setInterval(() => undefined, 60_000); },',
    "(setTimeout(() => { throw new Error('too late'); }), { text: 'Sent.' })",
  );
  await using module = await moduleOf(careless);

  const { stdout, code } = await ors(['validate', module.file, '--tasks', '1']);

  expect(stdout).toContain('uncaught Error: too late');
  expect(stdout).toContain('✗ nothing-is-left');
  expect(code).toBe(1);
});

test('reports a random list that differs in a second copy of the module', async () => {
  const lucky = environment(
    "splits: { train: [{ word: 'a' + Math.random() }, { word: 'birch' }] }, publicTask: undefined,",
  );
  await using module = await moduleOf(lucky);

  const { stdout, code } = await orsInProcess(['validate', module.file, '--tasks', '1']);

  expect(stdout.replace(/\s+/g, ' ')).toContain('when listed from a second copy of the module');
  expect(code).toBe(1);
});

test('fails if a module ends the process', async () => {
  await using module = await moduleOf(environment('', 'process.exit(0)'));

  const { stderr, code } = await ors(['validate', module.file]);

  expect(stderr).toContain(
    "the environment's code ended the process (exit code 0), or waits for something that never happens",
  );
  expect(code).toBe(2);
});

test.each([
  ['waits forever', 'setInterval(() => {}, 1000); await new Promise(() => {});', '1', /has not loaded within 1 s/],
  [
    'leaves a rejection unhandled',
    "Promise.reject(new Error('too late')); await new Promise(() => {});",
    '60',
    /threw .* while loading: Error: too late/,
  ],
])('reports a module that %s while it loads, and exits with 2', async (_what, code, seconds, message) => {
  await using module = await moduleOf(`${code}\n${environment('')}`);

  const { stdout, stderr, code: exitCode } = await ors(['validate', module.file, '--timeout', seconds]);

  expect(stderr).toMatch(message);
  expect([stdout, exitCode]).toEqual(['', 2]);
});

test.each(['', '.', 'test'])('rejects the folder %j', async (folder) => {
  const { stderr, code } = await orsInProcess(['validate', folder]);

  expect(stderr).toMatch(/is a folder; name a file in it, such as environment\.ts/);
  expect(code).toBe(2);
});

test.concurrent('reports a tool that blocks forever, and ends the command', async () => {
  await using module = await moduleOf(environment('', BLOCK));

  const { stderr, code } = await ors(['validate', module.file, '--timeout', '2']);

  expect(stderr).toContain("the environment's code has blocked the process for 2 s");
  expect(code).toBe('SIGKILL');
});

test('reports the findings so far on Ctrl-C', async () => {
  const hanging = "(process.stderr.write('called'), new Promise(() => undefined))";
  await using module = await moduleOf(environment('', hanging));
  await using command = startCommand([...ORS, 'validate', module.file]);
  await command.says(/called/);

  command.child.kill('SIGINT');

  const { stdout, code } = await command.result;
  expect(stdout).toContain('Interrupted: only the tasks played so far were validated.');
  expect(code).toBe(130);
});

test('exits with 130 on Ctrl-C while the module loads', async () => {
  const loading = "process.stderr.write('loading'); await new Promise(() => setInterval(() => {}, 1_000));";
  await using module = await moduleOf(loading);
  await using command = startCommand([...ORS, 'validate', module.file]);
  await command.says(/loading/);

  command.child.kill('SIGINT');

  expect(await command.result).toMatchObject({ stdout: '', code: 130 });
});

test('validates a server by its address', async () => {
  await using server = await start(twin({ prompt: () => 'Which?' }));

  const { stdout, code } = await orsInProcess(['validate', server.url, '--max-reward', '1', '--tasks', '2', '--json']);

  const { findings } = JSON.parse(stdout);
  expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(['prompts-differ', 'step-time']);
  expect(code).toBe(0);
});

test.each<[string[], string]>([
  [['nowhere.ts'], 'there is no file'],
  [[SERVER, '--env', 'twni'], "ors: --env: there is no environment 'twni'. Did you mean 'twin'?"],
  [[SERVER, '--split', 'test'], "ors: --split: in 'twin' there is no split 'test'. There is: train"],
  [[SERVER, '--ignore', 'luck'], "ors: --ignore: there is no rule 'luck'."],
  [[SERVER, '--tasks', '0'], 'Expected a whole number from 1 to 1000000.'],
  [
    [SERVER, '--secret', 'NO_SUCH_SECRET'],
    'ors: invalid --secret: expected NAME=VALUE, or the name of an environment variable',
  ],
])('rejects %j, and exits with 2', async (args, told) => {
  await using server = await start(twin());

  const { stderr, code } = await orsInProcess(['validate', ...args.map((arg) => (arg === SERVER ? server.url : arg))]);

  expect(stderr).toContain(told);
  expect(code).toBe(2);
});

test('names an address without an ORS server, and exits with 2', async () => {
  await using other = await smallServer((_, response) => void response.writeHead(404).end());

  const { stderr, code } = await orsInProcess(['validate', `${other.url}/elsewhere`]);

  expect(stderr).toContain(`there is no ORS server at ${other.url}/elsewhere`);
  expect(code).toBe(2);
});

test('shows examples in --help', async () => {
  const { stdout, code } = await orsInProcess(['validate', '--help']);

  expect(stdout).toContain('$ ors validate environment.ts\n');
  expect(code).toBe(0);
});

import { afterAll, expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { z } from 'zod';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { loadTarget, validate } from '../../src/validate/index.ts';
import { type Tampering, tamper } from './tamper.ts';
import { submit, twin, WORDS } from './twin.ts';

const log = pino({ level: 'silent' });
const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

/** Validates a server, and returns its errors and warnings by rule and level. */
async function toldOf(environment: ReturnType<typeof twin>, tampering: Tampering = {}) {
  await using server = await serve([environment], { port: 0, log });
  await using between = await tamper(server.url, tampering);
  await using client = new OrsClient(between.url, { retry: { budgetMs: 1_000 } });
  const { findings } = await validate({ client }, { inputs, tasks: 3, maxReward: 1, timeoutMs: 5_000 });
  const told = findings.filter(({ level }) => level !== 'note').map(({ rule, level }) => `${rule}: ${level}`);
  return { told: [...new Set(told)], findings };
}

const clampIndex = (path: string, body: string) =>
  path.endsWith('/task') || path.endsWith('/create')
    ? body.replace(/"index":(\d+)/, (_, index) => `"index":${Math.min(Number(index), WORDS.length - 1)}`)
    : body;

/** Marks every tool output as finished. */
const sayFinished = (path: string, body: string) =>
  path.endsWith('/call') ? body.replaceAll('"finished":false', '"finished":true') : body;

const breakReward = (path: string, body: string) =>
  path.endsWith('/call') ? body.replace(/"reward":[\d.]+/, '"reward":"none"') : body;

const dropDescription = (path: string, body: string) =>
  path.endsWith('tools') ? body.replace(/"description":"Submit[^"]*"/, '"description":""') : body;

/** Shows a schema that the tool does not enforce. */
const tightenSchema = (path: string, body: string) =>
  path.endsWith('tools') ? body.replace('"description":"The word."', '"description":"The word.","maxLength":3') : body;

test('reports only a note about step time for a correct server', async () => {
  const { told, findings } = await toldOf(twin());

  expect(told).toEqual([]);
  expect(findings.map(({ rule }) => rule)).toEqual(['step-time']);
});

test.each<[string, string, object, Tampering]>([
  ['returns tasks beyond the last', 'index-in-range: error', {}, { request: clampIndex }],
  [
    'runs tools after the end',
    'end-is-final: error',
    { tools: { submit: { ...submit, run: (given: never) => ({ ...submit.run(given), finished: false }) } } },
    { answer: sayFinished },
  ],
  ['returns a reward that is not a number', 'rewards-within-max: error', {}, { answer: breakReward }],
  ['does not describe a tool', 'things-are-described: warning', {}, { answer: dropDescription }],
  ['accepts inputs that its schema forbids', 'invalid-inputs-refused: warning', {}, { answer: tightenSchema }],
  [
    'shows a task with the target',
    'task-keys-hide-answers: warning',
    { publicTask: ({ answer }: { answer: string }) => ({ target: answer.length, code: answer.charCodeAt(0) }) },
    {},
  ],
])('reports that a server %s by one rule: %s', async (_what, expected, change, tampering) => {
  const { told } = await toldOf(twin(change), tampering);

  expect(told).toEqual([expected]);
});

test('does not expect that inputs are refused which the author accepts by coercion', async () => {
  const count = {
    description: 'Counts to a number.',
    input: z.object({ to: z.coerce.number() }),
    run: ({ input }: { input: { to: number } }) => ({ text: String(input.to) }),
  };

  const { findings } = await validate({ environments: [twin({ tools: { submit, count } })] }, { inputs, tasks: 1 });

  expect(findings.map(({ rule }) => rule)).not.toContain('invalid-inputs-refused');
});

test('reports an error if an invalid input makes a tool fail', async () => {
  const failed = 'event: error\ndata: TypeError: cannot read properties of undefined\n\n';
  const answer = (path: string, body: string) => (path.endsWith('/call') && body.includes('failed') ? failed : body);

  const { told } = await toldOf(twin(), { answer });

  expect(told).toEqual(['invalid-inputs-refused: error']);
});

test('omits the findings of ignored rules', async () => {
  const environment = twin({ prompt: () => 'Which?' });

  const { findings } = await validate(
    { environments: [environment] },
    { inputs, tasks: 2, ignore: ['prompts-differ'] },
  );

  expect(findings.filter(({ level }) => level !== 'note')).toEqual([]);
});

test('rejects unknown rules, splits and environments by name', async () => {
  const environments = [twin()];

  const rule = validate({ environments }, { inputs, ignore: ['prompts-difer'] });
  await expect(rule).rejects.toThrow("there is no rule 'prompts-difer'. Did you mean 'prompts-differ'?");
  const split = validate({ environments }, { inputs, splits: ['tset'] });
  await expect(split).rejects.toThrow("in 'twin' there is no split 'tset'. There is: train");
  const environment = validate({ environments }, { inputs, environments: ['twni'] });
  await expect(environment).rejects.toThrow("there is no environment 'twni'. Did you mean 'twin'? There is: twin");
});

test('closes the second copy of a module if the options are invalid', async () => {
  const target = await loadTarget(new URL('../rollout/guess.mjs', import.meta.url));
  const [copy] = ('environments' in target && target.secondCopy) || [];

  await expect(validate(target, { inputs, ignore: ['luck'] })).rejects.toThrow("there is no rule 'luck'");

  expect(() => copy?.countTasks('test')).toThrow('have been closed');
});

test('reports the findings so far if a run is aborted', async () => {
  const abort = new AbortController();
  const environment = twin({ prompt: () => ' ' });
  const onProgress = (done: number) => void (done === 1 && abort.abort());

  const { interrupted, tasks, findings } = await validate(
    { environments: [environment] },
    { inputs, tasks: 6, signal: abort.signal, onProgress },
  );

  expect([interrupted, tasks]).toEqual([true, 1]);
  expect(findings.map(({ rule }) => rule)).toContain('prompts-say-something');
});

test('samples the same tasks with the same seed', async () => {
  const played: number[][] = [];
  const many = {
    splits: { train: Array.from({ length: 500 }, (_, at) => ({ question: `Number ${at}?`, answer: `n${at}x` })) },
  };

  for (const seed of [7, 7, 8]) {
    const indexes: number[] = [];
    const prompt = ({ task }: { task: { question: string } }) => {
      indexes.push(Number(/\d+/.exec(task.question)?.[0]));
      return task.question;
    };
    await validate({ environments: [twin({ ...many, prompt })] }, { inputs, tasks: 4, seed });
    played.push([...new Set(indexes)]);
  }

  expect(played[0]).toEqual(played[1]);
  expect(played[0]).not.toEqual(played[2]);
  expect(played[0]).toContain(499);
});

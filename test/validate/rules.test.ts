import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { validate, validationRules } from '../../src/validate/index.ts';
import { findLeak } from '../../src/validate/rules/answers.ts';
import { rulesAboveNotes } from './broken.ts';
import { brokenDurability } from './broken-durability.ts';
import { brokenMessages } from './broken-messages.ts';
import { brokenTasks } from './broken-tasks.ts';
import { brokenTools } from './broken-tools.ts';
import { type Solving, solve, twin } from './twin.ts';

/** Faults that are tested here; `durability.test.ts` tests the others. */
const broken = [...brokenTasks, ...brokenMessages, ...brokenTools];
const allBroken = [...broken, ...brokenDurability];
const inputs = createInputGenerator();
// Some environments mock the clock.
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const findingsIn = async (change: object, { timeoutMs = 20_000, tasks = 1 } = {}) => {
  const { findings } = await validate({ environments: [twin(change)] }, { inputs, tasks, timeoutMs });
  return findings;
};

test.each(broken.map((row) => [row.rule, row.why, row] as const))(
  'reports by %s alone that %s',
  async (rule, _why, { change, limits, level, says }) => {
    const findings = await findingsIn(change(), limits);

    expect(rulesAboveNotes(findings, rule)).toEqual([rule]);
    const own = findings.filter((finding) => finding.rule === rule);
    expect(own.map((finding) => finding.level)).toContain(level);
    expect(own.map(({ message }) => message).join('\n')).toContain(says);
  },
);

test('reports no problem in a correct environment', async () => {
  const findings = await findingsIn({}, { tasks: 2 });

  const rulesOfNotes = allBroken.filter(({ good }) => !good).map(({ rule }) => rule);
  expect(rulesOfNotes.flatMap((rule) => rulesAboveNotes(findings, rule))).toEqual([]);
});

test.each(broken.flatMap(({ rule, why, good, limits }) => (good ? [[rule, why, good, limits] as const] : [])))(
  'reports nothing by %s in an environment without the fault: %s',
  async (rule, _why, good, limits) => {
    const findings = await findingsIn(good(), limits);

    expect(rulesAboveNotes(findings, rule)).toEqual([]);
  },
);

test('waits for solve if ten times the time limit is longer than a timer can be', async () => {
  const slowSolve = async (context: Solving) => {
    await delay(30);
    await solve(context);
  };

  const findings = await findingsIn({ solve: slowSolve }, { timeoutMs: 300_000_000, tasks: 1 });

  expect(findings.filter(({ level }) => level !== 'note')).toEqual([]);
});

test('names the secrets that an environment needs and the run does not have', async () => {
  const setup = ({ secrets }: { secrets: { key?: string } }) => {
    if (secrets.key === undefined) throw new Error('there is no key');
  };
  const needy = twin({ setup, secrets: ['key', 'other_key'] });

  const { findings } = await validate({ environments: [needy] }, { inputs, tasks: 1, secrets: { other_key: 'value' } });

  const opened = findings.filter(({ rule }) => rule === 'episodes-open');
  expect(opened.map(({ message }) => message)).toContainEqual(expect.stringContaining('pass --secret key, which'));
});

test('redacts a secret in an error', async () => {
  const setup = ({ secrets }: { secrets: { key: string } }) => {
    throw new Error(`the key ${secrets.key} is not valid`);
  };

  const { findings } = await validate(
    { environments: [twin({ setup })] },
    { inputs, tasks: 1, secrets: { key: 'sk-0123456789' } },
  );

  expect(JSON.stringify(findings)).toContain('the key');
  expect(JSON.stringify(findings)).not.toContain('sk-0123456789');
});

test('tests every rule with an environment or a server that breaks it', () => {
  const elsewhere = [
    'index-in-range',
    'end-is-final',
    'invalid-inputs-refused',
    'errors-are-caught',
    'nothing-is-left',
  ];

  const names = new Set([...allBroken.map(({ rule }) => rule), ...elsewhere]);

  expect([...names].sort()).toEqual(validationRules.map(({ name }) => name).sort());
});

test('does not report short values as a leak if every text names them as choices', () => {
  const secrets = ['red', 'blue'].map((value, index) => ({ index, values: [value], text: 'Is it red or blue?' }));

  expect(findLeak(secrets)).toBeUndefined();
  expect(findLeak(secrets.map((each) => ({ ...each, text: `It is ${each.values[0]}.` })))).toMatchObject({ count: 2 });
});

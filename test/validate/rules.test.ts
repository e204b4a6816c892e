import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { createInputs } from '../../src/conformance/index.ts';
import { rules, validate } from '../../src/validate/index.ts';
import { leakOf } from '../../src/validate/rules/leaks.ts';
import { brokenTasks } from './broken-tasks.ts';
import { brokenTools } from './broken-tools.ts';
import { twin } from './twin.ts';

const broken = [...brokenTasks, ...brokenTools];
const inputs = createInputs();
// Some stop the clock.
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const findingsIn = async (change: object, { timeoutMs = 20_000, tasks = 2 } = {}) => {
  const { findings } = await validate({ environments: [twin(change)] }, { inputs, tasks, timeoutMs });
  return findings;
};

/** The rules that tell something worse than a note, and those that tell a note of their own. */
const told = (findings: Awaited<ReturnType<typeof findingsIn>>, rule: string) =>
  [...new Set(findings.filter((one) => one.level !== 'note' || one.rule === rule).map((one) => one.rule))].sort();

test.each(broken.map((row) => [row.rule, row.why, row] as const))(
  '%s tells that %s, and nothing else is told',
  async (rule, _why, { change, limits, level, says }) => {
    const findings = await findingsIn(change(), limits);

    expect(told(findings, rule)).toEqual([rule]);
    const own = findings.filter((finding) => finding.rule === rule);
    expect(own.map((finding) => finding.level)).toContain(level);
    expect(own.map(({ message }) => message).join('\n')).toContain(says);
  },
);

test('no rule tells anything where nothing is wrong', async () => {
  const findings = await findingsIn({});

  const rulesOfNotes = broken.filter(({ good }) => !good).map(({ rule }) => rule);
  expect(rulesOfNotes.flatMap((rule) => told(findings, rule))).toEqual([]);
});

test.each(broken.flatMap(({ rule, why, good }) => (good ? [[rule, why, good] as const] : [])))(
  '%s tells nothing where it does not hold that %s',
  async (rule, _why, good) => {
    const findings = await findingsIn(good());

    expect(told(findings, rule)).toEqual([]);
  },
);

test('a secret in an error is not repeated', async () => {
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

test('every rule has an environment or a server that breaks it', () => {
  const elsewhere = [
    'index-in-range',
    'end-is-final',
    'invalid-inputs-refused',
    'errors-are-caught',
    'nothing-is-left',
  ];

  const names = new Set([...broken.map(({ rule }) => rule), ...elsewhere]);

  expect([...names].sort()).toEqual(rules.map(({ name }) => name).sort());
});

test('short values that every task names as choices are no leak', () => {
  const secrets = ['red', 'blue'].map((value, index) => ({ index, values: [value], text: 'Is it red or blue?' }));

  expect(leakOf(secrets)).toBeUndefined();
  expect(leakOf(secrets.map((each) => ({ ...each, text: `It is ${each.values[0]}.` })))).toMatchObject({ count: 2 });
});

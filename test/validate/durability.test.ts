import { afterAll, expect, test } from '@jest/globals';
import countdown from '../../examples/countdown/environment.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { type ValidateOptions, validate } from '../../src/validate/index.ts';
import { rulesAboveNotes } from './broken.ts';
import { brokenDurability, counting, saving } from './broken-durability.ts';
import { type Solving, solve, submit, twin } from './twin.ts';

const RULE = 'episodes-come-back';
const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

type Target = Parameters<typeof validate>[0];

async function validateReturns(target: Target, options: ValidateOptions = {}) {
  const { findings, environments } = await validate(target, { inputs, tasks: 1, ...options });
  const [report] = environments;
  return {
    findings: findings.filter(({ rule }) => rule === RULE),
    isHeld: report?.held.includes(RULE),
    untested: report?.untested.find(({ rule }) => rule === RULE)?.reason,
  };
}

const returnsOf = (change: object, options?: ValidateOptions) =>
  validateReturns({ environments: [twin(change)] }, options);

// Concurrent, since each waits for a second before an episode comes back.
test.concurrent.each(brokenDurability.map((row) => [row.why, row] as const))(
  'is the only rule that reports that %s',
  async (_why, { change, level, says }) => {
    const { findings } = await validate({ environments: [twin(change())] }, { inputs, tasks: 1, timeoutMs: 20_000 });

    expect(rulesAboveNotes(findings, RULE)).toEqual([RULE]);
    const own = findings.filter(({ rule }) => rule === RULE);
    expect(own.map((finding) => finding.level)).toContain(level);
    expect(own.map(({ message }) => message).join('\n')).toContain(says);
  },
);

test.concurrent.each(brokenDurability.flatMap(({ why, good }) => (good ? [[why, good] as const] : [])))(
  'reports nothing in an environment without the fault: %s',
  async (_why, good) => {
    const { findings } = await validate({ environments: [twin(good())] }, { inputs, tasks: 1, timeoutMs: 20_000 });

    expect(rulesAboveNotes(findings, RULE)).toEqual([]);
  },
);

test.concurrent('holds for the durable example countdown', async () => {
  const { findings, isHeld } = await validateReturns({ environments: [countdown] }, { splits: ['test'] });

  expect(findings).toEqual([]);
  expect(isHeld).toBe(true);
});

interface Dice {
  readonly state: { sum: number };
  readonly random: () => number;
  readonly now: number;
  readonly sessionId: string;
}

const roll = ({ state, random, now, sessionId }: Dice) => {
  state.sum += 1 + Math.floor(random() * 6);
  return { text: JSON.stringify([state.sum, now, sessionId]), finished: state.sum > 20 };
};
const dice = (change: object) => ({
  setup: () => ({ sum: 0 }),
  tools: { submit, roll: { description: 'Rolls a die.', run: roll } },
  solve: async ({ call }: { readonly call: (name: string) => Promise<{ readonly finished: boolean }> }) => {
    while (!(await call('roll')).finished);
  },
  ...change,
});

test.concurrent.each([
  ['replay', { durability: 'replay' }],
  ['snapshots', { snapshot: ({ state }: Dice) => state, restore: (saved: object) => saved }],
])('accepts random numbers, times and session ids of the context (%s)', async (_how, change) => {
  const { findings, isHeld } = await returnsOf(dice(change));

  expect(findings).toEqual([]);
  expect(isHeld).toBe(true);
});

test.concurrent.each([
  ['a durable environment', { durability: 'replay' }, []],
  ['an environment that cannot come back', {}, ['warning']],
])(
  'reports episodes that differ by random numbers of the context, unless they can come back: %s',
  async (_what, change, levels) => {
    const { findings } = await validate({ environments: [twin(dice(change))] }, { inputs, tasks: 1 });

    const found = new Set(findings.filter(({ rule }) => rule === 'runs-repeat').map(({ level }) => level));
    expect([...found]).toEqual(levels);
  },
);

test.concurrent.each([
  ['Math.random', () => Math.random()],
  ['Date.now', () => Date.now()],
])('names the task, the call, the tool and the first difference of %s in a text', async (_name, differingValue) => {
  const look = ({ state }: { readonly state: { looks: number } }) => ({
    text: `${++state.looks} looks: ${state.looks === 2 ? differingValue() : 'nothing'}`,
  });
  const twice = async ({ call, ...rest }: Solving) => {
    await call('look');
    await call('look');
    await solve({ call, ...rest });
  };

  const { findings } = await returnsOf({
    durability: 'replay',
    setup: () => ({ looks: 0 }),
    tools: { submit, look: { description: 'Looks.', run: look } },
    solve: twice,
  });

  expect(findings[0]).toMatchObject({ level: 'error', environment: 'twin', split: 'train', index: 0 });
  expect(findings[0]?.message).toMatch(
    /call 2, look\(\{\}\), returned '.*\d{3}.*' and then '.*\d{3}.*' as output\.blocks\[0\]\.text/,
  );
});

test.concurrent('plays random calls without solve, and returns with the secrets of the run', async () => {
  const keys = new Set<string | undefined>();
  const setup = ({ secrets }: { readonly secrets: { readonly KEY?: string } }) => {
    keys.add(secrets.KEY);
    return { count: 0 };
  };
  const luck = () => ({ luck: Math.random() });

  const { findings } = await returnsOf(counting(luck, { setup, solve: undefined }), { secrets: { KEY: 'sk-0123456' } });

  expect(findings).toHaveLength(1);
  expect([...keys]).toEqual(['sk-0123456']);
});

test.concurrent('limits the calls of a long episode', async () => {
  let calls = 0;
  const long = async ({ call, ...rest }: Solving) => {
    for (let count = 0; count < 100; count++) await call('count');
    await solve({ call, ...rest });
  };
  const metadata = () => ({ calls: calls++ * 0 });
  await returnsOf(counting(metadata, { durability: undefined, solve: long }));
  const others = calls;
  calls = 0;

  const { findings } = await returnsOf(counting(metadata, { solve: long }));

  expect(findings).toEqual([]);
  expect(calls - others).toBeLessThan(100 + 100 + 5 * 40);
});

test.concurrent('compares only what comes before a result of a snapshot environment that never repeats', async () => {
  let last = 0;
  const metadata = () => ({ last: last++ });
  const forgetful = saving(
    () => ({}),
    () => ({ count: 0 }),
    metadata,
  );

  const { findings } = await returnsOf(forgetful);

  expect(findings.map(({ level }) => level)).toEqual(['warning', 'warning']);
});

test.concurrent('says why it was not tested', async () => {
  const durable = counting(() => ({}));
  const prompt = () => {
    throw new Error('broken');
  };

  expect((await returnsOf({ ...durable, durability: undefined })).untested).toContain('how an episode comes back');
  expect((await returnsOf({ ...durable, prompt })).untested).toContain('could be continued');
});

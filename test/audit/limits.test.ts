import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AttackResult,
  type AuditOptions,
  type AuditReport,
  attacks as allAttacks,
  audit,
  countFindings,
  describeReward,
  type EnvironmentAudit,
  listGaps,
} from '../../src/audit/index.ts';
import { auditHtml } from '../../src/audit/report/html.ts';
import { auditSarif } from '../../src/audit/report/sarif.ts';
import { auditBadge, auditJunit } from '../../src/audit/report/write-reports.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { choices, isRight, type QuizChange, type QuizTask, quiz, type Turn, words } from './corpus/kinds.ts';

const inputs = createInputGenerator();
// Starts the worker of the inputs, and loads the server.
beforeAll(async () => {
  await auditQuiz({}, { tasks: 1, attacks: ['AUDIT-LEAK-01'] });
});
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const LEAK: QuizChange = { publicTask: (task: QuizTask) => ({ ...task }) };
const never = () => new Promise<never>(() => {});

const auditQuiz = (change: QuizChange, options: AuditOptions) =>
  audit({ environments: [quiz('quiz', words, change)] }, { inputs, tasks: 4, ...options });

describe('budget', () => {
  // Concurrent with the next test, since both wait until the time is over.
  test.concurrent('ends a call that never returns', async () => {
    const began = performance.now();

    const { environments } = await auditQuiz({ grade: never }, { budgetMs: 1_500, timeoutMs: 60_000 });

    const [environment] = environments;
    expect(performance.now() - began).toBeLessThan(30_000);
    expect([environment?.isExhausted, environment?.failure]).toEqual([true, undefined]);
    expect(environment?.attacks.at(-1)).toMatchObject({ state: 'skipped', reason: 'the budget ended: the time limit' });
  });

  test.concurrent('ends a session that never starts, and then audits the other environments', async () => {
    const stuck = quiz('stuck', words, { setup: never });
    const began = performance.now();

    const { environments, findings } = await audit(
      { environments: [stuck, quiz('leak', words, LEAK)] },
      { inputs, tasks: 4, budgetMs: 6_000, timeoutMs: 60_000, attacks: ['AUDIT-LEAK-01'] },
    );

    expect(performance.now() - began).toBeLessThan(30_000);
    expect(environments[0]?.failure).toBe('the budget ended: the time limit, before the tasks were read');
    expect(findings.map(({ environment }) => environment)).toEqual(['leak']);
  });

  test('limits the calls', async () => {
    const { environments } = await auditQuiz({}, { maxCalls: 40 });

    expect([environments[0]?.isExhausted, environments[0]?.calls]).toEqual([true, 40]);
    expect(environments[0]?.attacks.at(-1)?.reason).toBe('the budget ended: the limit of 40 calls');
  });

  test('lists an environment whose audit was interrupted', async () => {
    const user = new AbortController();
    const onProgress = () => user.abort(new Error('enough'));

    const report = await auditQuiz(LEAK, { signal: user.signal, onProgress, attacks: ['AUDIT-LEAK'] });

    expect([report.interrupted, report.findings.length]).toEqual([true, 1]);
    expect(report.environments[0]?.attacks.at(-1)?.reason).toBe('the audit was interrupted');
  });
});

describe('an environment that cannot be audited', () => {
  const refuse = () => {
    throw new Error('no licence');
  };
  let opened = 0;
  const refuseLater = () => {
    if (++opened > 8) refuse();
  };
  const environments = [
    quiz('first', words, LEAK),
    quiz('refused', words, { setup: refuse }),
    quiz('refused-later', words, { setup: refuseLater }),
    quiz('other-split', words, { split: 'test' }),
    quiz('last', words, LEAK),
  ];

  test('is a failure in all reports, and the others are audited', async () => {
    const report = await audit(
      { environments },
      { inputs, tasks: 4, split: 'train', attacks: ['AUDIT-LEAK-01', 'AUDIT-TEXT-01'] },
    );

    expect(report.environments.map(({ name, failure }) => [name, failure])).toEqual([
      ['first', undefined],
      ['refused', expect.stringContaining('no licence')],
      ['refused-later', expect.stringContaining('5 times in a row')],
      ['other-split', expect.stringContaining("in 'other-split' there is no split 'train'. There is: test")],
      ['last', undefined],
    ]);
    expect(report.findings.map(({ environment }) => environment)).toEqual(['first', 'last']);
    expect(countFindings(report)).toEqual({ proofs: 2, suspicions: 0, failures: 3 });
    expect(report.environments[1]?.attacks[0]?.reason).toContain('the audit failed: ');
    expect(auditJunit(report)).toContain(
      '<testsuites name="ors audit" tests="13" failures="2" errors="3" skipped="6">',
    );
    expect(auditSarif(report, [], {})).toMatchObject({
      runs: [{ invocations: [{ executionSuccessful: false, toolExecutionNotifications: { length: 3 } }] }],
    });
    expect(auditHtml(report)).toContain('2 proofs, 0 suspicions, 3 environments not audited');
    expect(auditBadge({ ...report, findings: [] })).toContain('ORS audit: incomplete');
  });
});

describe('dry run', () => {
  const paidAgain = (turn: Turn) => ({ text: 'Noted.', reward: isRight(turn) ? 1 : 0 });
  const look = { description: 'Look around.', run: () => ({ text: 'A shelf.', reward: 0.2 }) };
  const honest = quiz('honest', words, { hasNoSolve: true });
  const attacks = [
    'AUDIT-LEAK-01',
    'AUDIT-LEAK-13',
    'AUDIT-REPEAT',
    'AUDIT-FARM-01',
    'AUDIT-FARM-05',
    'AUDIT-STATE-01',
  ];
  // Without them, these limits would be the upper bounds.
  const unlimited = { maxSessions: 1e9, maxCalls: 1e9 };

  test.each([
    honest,
    quiz('paid-again', words, { ...LEAK, grade: paidAgain }),
    quiz('looks', choices, { tools: { look }, hasNoSolve: true }),
  ])('of $name counts at least the sessions and calls of a run', async (environment) => {
    const options = { inputs, tasks: 4, attacks, ...unlimited };
    const planned = await audit({ environments: [environment] }, { ...options, dryRun: true });
    const made = await audit({ environments: [environment] }, options);

    const { plan } = planned.environments[0] ?? {};
    const { sessions = 0, calls = 0, attacks: results = [] } = made.environments[0] ?? {};
    expect(planned.environments[0]?.calls).toBe(0);
    expect(calls).toBeGreaterThan(10);
    expect(plan?.sessions).toBeGreaterThanOrEqual(sessions);
    expect(plan?.calls).toBeGreaterThanOrEqual(calls);
    expect(plan?.attempts).toBeGreaterThanOrEqual(results.reduce((sum, { attempts }) => sum + attempts, 0));
    if (environment !== honest) return;
    expect(plan?.exploration.sessions).toBeGreaterThanOrEqual(sessions);
    expect(plan?.exploration.calls).toBeGreaterThanOrEqual(calls);
  });

  test('counts at most the limits', async () => {
    const { environments } = await auditQuiz({}, { dryRun: true, maxSessions: 700, maxCalls: 900 });

    expect(environments[0]?.plan).toMatchObject({ sessions: 700, calls: 900 });
  });
});

describe('the badge', () => {
  const clean = allAttacks.map(({ id }): AttackResult => ({ attack: id, state: 'clean', attempts: 1 }));
  const [first, ...others] = clean as [AttackResult, ...AttackResult[]];
  let audited: AuditReport;
  beforeAll(async () => {
    audited = await auditQuiz({}, { attacks: ['AUDIT-LEAK-01'] });
  });

  test.each<[string, Partial<EnvironmentAudit>, string, readonly string[]]>([
    ['all attacks', {}, 'no exploits found', []],
    ['selected attacks', { attacks: [first] }, 'partial, no exploits found', [`1 of ${clean.length} attacks selected`]],
    ['skipped tools', { skippedTools: ['pay'] }, 'partial, no exploits found', ['tools not called: pay']],
    [
      'an attack that ended early',
      { attacks: [{ ...first, reason: 'its share of the budget was used up' }, ...others] },
      'partial, no exploits found',
      ['1 attack cut off by the share of the budget'],
    ],
    [
      'an attack without a known paying call',
      { attacks: [{ ...first, state: 'skipped', reason: 'no call that earns a reward is known' }, ...others] },
      'no exploits found',
      [],
    ],
  ])('of %s says whether the audit was partial', (_title, change, value, gaps) => {
    const environments = audited.environments.map((each) => ({ ...each, attacks: clean, ...change }));
    const report = { ...audited, environments };

    expect(auditBadge(report)).toContain(`ORS audit: ${value}<`);
    expect(listGaps(report)).toEqual(gaps);
    expect(auditHtml(report).includes('Partial audit: ')).toBe(gaps.length > 0);
  });
});

test('shows an infinite sum of rewards, which is null in JSON', async () => {
  const grade = () => ({ text: 'Noted.', reward: 1e308 });

  const report = await auditQuiz({ grade }, { attacks: ['AUDIT-REPEAT-02'], tasks: 3 });

  const [finding] = report.findings;
  expect([finding?.kind, finding?.reward, finding?.replays[0]?.reward]).toEqual(['proof', null, null]);
  expect(finding && describeReward(finding)).toContain(
    'earns an infinite sum of 1 on 3 of 3 tasks; the floor is 1e+308',
  );
  expect(auditHtml(report)).toContain('reward an infinite sum');
  expect(JSON.stringify(report)).not.toContain('"floor":null');
});

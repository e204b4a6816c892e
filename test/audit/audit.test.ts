import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { OrsClient } from 'ors-kit/client';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { type AuditOptions, audit, prepareReportFolder, writeAuditReports } from '../../src/audit/index.ts';
import { auditExitCode } from '../../src/cli/audit/flags.ts';
import { createInputGenerator } from '../../src/conformance/index.ts';
import { tamper } from '../validate/tamper.ts';
import { READING } from './corpus/honest.ts';
import { isRight, type QuizChange, type QuizTask, quiz, type Turn, words } from './corpus/kinds.ts';

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

const log = pino({ level: 'silent' });
const LEAK: QuizChange = { publicTask: (task: QuizTask) => ({ ...task }) };

const auditQuiz = (change: QuizChange, options: AuditOptions) =>
  audit({ environments: [quiz('quiz', words, change)] }, { inputs, tasks: 4, ...options });

test('proves a leak with a minimal transcript on several tasks', async () => {
  const { findings } = await auditQuiz(LEAK, { attacks: ['AUDIT-LEAK-01'] });

  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'proof',
      attack: 'AUDIT-LEAK-01',
      what: 'submit.answer is the field /answer of the public task',
      reward: 1,
      floor: 0,
      maxReward: 1,
      paid: 4,
      tried: 4,
    }),
  ]);
  const [first] = findings[0]?.replays ?? [];
  expect(first?.steps).toEqual([{ do: 'call', tool: 'submit', input: { answer: words.tasks[0]?.answer } }]);
});

test('uses no code of the environment for a server', async () => {
  await using server = await serve([quiz('quiz', words, LEAK)], { port: 0, log });
  await using client = new OrsClient(server.url);

  const { findings } = await audit({ client }, { inputs, tasks: 3, attacks: ['AUDIT-LEAK-01', 'AUDIT-REPEAT'] });

  expect(findings.map(({ kind, attack, maxReward }) => [kind, attack, maxReward])).toEqual([
    ['proof', 'AUDIT-LEAK-01', null],
  ]);
});

test('suspects excess only if the maximum reward is not known', async () => {
  const look = { description: 'Look around.', run: () => ({ text: 'A shelf.', reward: 0.1 }) };
  await using server = await serve([quiz('quiz', words, { tools: { look } })], { port: 0, log });
  await using client = new OrsClient(server.url);
  const run = async (options: AuditOptions) => {
    const { findings } = await audit({ client }, { inputs, tasks: 3, attacks: ['AUDIT-FARM-01'], ...options });
    return findings.map(({ kind, reason }) => [kind, reason]);
  };

  expect(await run({})).toEqual([['suspicion', 'the maximum reward is not known; pass --max-reward']]);
  expect(await run({ maxReward: 1 })).toEqual([['proof', undefined]]);
});

test.each<[string, string, (turn: Turn) => boolean, readonly (string | undefined)[]]>([
  [
    'suspects',
    'that any long text earns',
    ({ input }) => String(input.answer).length > 5,
    ['suspicion', 'the value of another task pays too, and the maximum reward is not known; pass --max-reward'],
  ],
  ['proves', 'that only the value of the task earns', isRight, ['proof', undefined]],
])('%s a leak %s if the maximum reward is not known', async (_verb, _title, earns, expected) => {
  const grade = (turn: Turn) => ({ text: 'Noted.', reward: earns(turn) ? 5 : 0, finished: true });

  const { findings } = await auditQuiz({ ...LEAK, grade, hasNoMaximum: true }, { attacks: ['AUDIT-LEAK-01'] });

  const answer = findings.filter(({ what }) => expected[0] === 'suspicion' || what.includes('/answer'));
  expect(answer.map(({ kind, reason }) => [kind, reason])).toEqual([expected]);
});

test('searches no calls that earn a reward if solve earns all of the maximum', async () => {
  const options = { attacks: ['AUDIT-REPEAT-04'], tasks: 3 };

  const solved = await auditQuiz({}, options);
  const searched = await auditQuiz({ hasNoMaximum: true }, options);

  const [few = 0, many = 0] = [solved, searched].map(({ environments }) => environments[0]?.sessions);
  expect(few).toBeLessThan(40);
  expect(many).toBeGreaterThan(60);
  expect(solved.environments[0]?.attacks[0]?.attempts).toBe(searched.environments[0]?.attacks[0]?.attempts);
});

test('proves that a server pays after the end of an episode', async () => {
  const grade = () => ({ text: 'Noted.', reward: 0.5 });
  await using server = await serve([quiz('quiz', words, { grade })], { port: 0, log });
  const sayFinished = (_path: string, body: string) => body.replaceAll('"finished":false', '"finished":true');
  await using between = await tamper(server.url, { answer: sayFinished });
  await using client = new OrsClient(between.url);

  // Agents do not call tools after the end, so these rewards do not count as excess.
  const attacks = ['AUDIT-REPEAT-03', 'AUDIT-FARM-01'];
  const { findings } = await audit({ client }, { inputs, tasks: 3, maxReward: 1, attacks });

  expect(findings.map(({ kind, attack, paid }) => [kind, attack, paid])).toEqual([['proof', 'AUDIT-REPEAT-03', 3]]);
});

test('replays a proof three times on each of two tasks', async () => {
  const { findings } = await auditQuiz(LEAK, { attacks: ['AUDIT-LEAK-01'], tasks: 2 });

  expect(findings.map(({ kind, paid, tried }) => [kind, paid, tried])).toEqual([['proof', 6, 6]]);
});

test('suspects a value of the prompt if there is only one task', async () => {
  const prompt = ({ task }: { task: QuizTask }) => `Write about ${task.answer}.`;

  const { findings } = await auditQuiz({ ...LEAK, prompt }, { attacks: ['AUDIT-LEAK-01'], tasks: 1 });

  expect(findings.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['suspicion', expect.stringContaining('there is no other task')],
  ]);
});

test('suspects an answer that wins most tasks, but not all', async () => {
  const last = words.tasks.at(-1)?.id;
  const grade = ({ input, task }: Turn) => ({
    text: 'Noted.',
    reward: input.answer === '' && task.id !== last ? 1 : 0,
    finished: true,
  });

  const { findings } = await auditQuiz({ grade }, { attacks: ['AUDIT-TEXT-01'], tasks: 12 });

  expect(findings.map(({ kind, reason }) => [kind, reason])).toEqual([['suspicion', 'it pays on 11 of 12 tasks only']]);
});

test('marks the calls of solve, and counts only what exceeds the maximum', async () => {
  const grade = (turn: Turn) => ({ text: 'Noted.', reward: isRight(turn) ? 1 : 0 });

  const { findings } = await auditQuiz({ grade }, { attacks: ['AUDIT-REPEAT-01'] });

  const [finding] = findings;
  expect([finding?.kind, finding?.reward, finding?.maxReward]).toEqual(['proof', 2, 1]);
  expect(finding?.replays[0]?.steps).toEqual([
    expect.objectContaining({ isHonest: true }),
    expect.objectContaining({ isHonest: true }),
  ]);
});

test('calls no tool whose effects cannot be undone, unless the user owns the environment', async () => {
  let calls = 0;
  const pay = {
    description: 'Pays out. This cannot be undone.',
    run: () => {
      calls++;
      return { text: 'Paid.', reward: 1 };
    },
  };
  const options = { attacks: ['AUDIT-FARM-01', 'AUDIT-FLOOR'] };

  const careful = await auditQuiz({ tools: { pay }, hasNoSolve: true }, options);
  const callsOfCareful = calls;
  const owner = await auditQuiz({ tools: { pay }, hasNoSolve: true }, { ...options, ownsEnvironment: true });

  expect([callsOfCareful, careful.environments[0]?.skippedTools, careful.findings]).toEqual([0, ['pay'], []]);
  expect(calls).toBeGreaterThan(0);
  expect(owner.findings.some(({ kind }) => kind === 'proof')).toBe(true);
});

test('lets solve call no tool whose effects cannot be undone', async () => {
  let calls = 0;
  const grade = (turn: Turn) => {
    calls++;
    return { text: 'Noted.', reward: isRight(turn) ? 1 : 0 };
  };
  const change: QuizChange = { grade, description: 'Submit the answer. This is irreversible.' };

  const { environments } = await auditQuiz(change, { attacks: ['AUDIT-REPEAT-01'] });

  expect([calls, environments[0]?.skippedTools]).toEqual([0, ['submit']]);
});

test.each<[string, string, QuizChange]>([
  ['are all irreversible', 'pass --i-own-this', { description: 'Submit the answer. This cannot be undone.' }],
  ['have no valid inputs', 'no tool can be called', { answer: { type: 'string', minLength: 2, maxLength: 1 } }],
])('fails if the tools %s, except in a dry run', async (_title, failure, change) => {
  const made = await auditQuiz({ ...change, hasNoSolve: true }, {});
  const planned = await auditQuiz({ ...change, hasNoSolve: true }, { dryRun: true });

  expect([made.environments[0]?.failure, auditExitCode(made)]).toEqual([expect.stringContaining(failure), 2]);
  expect([planned.environments[0]?.failure, auditExitCode(planned)]).toEqual([undefined, 0]);
});

test('suspects a field that the template of a prompt contains', async () => {
  const { findings } = await auditQuiz(READING, { attacks: ['AUDIT-LEAK-01'] });

  expect(findings.map(({ kind, what, reason }) => [kind, what, reason])).toEqual([
    [
      'suspicion',
      'submit.answer is the field /home of the public task',
      expect.stringContaining('the prompt is a template of the fields of the task'),
    ],
  ]);
});

test('makes no call in a dry run, and counts the attempts', async () => {
  let calls = 0;
  const grade = () => {
    calls++;
    return { text: 'Noted.', reward: 1, finished: true };
  };

  const { environments, findings } = await auditQuiz({ grade }, { dryRun: true });

  expect([calls, environments[0]?.calls, findings]).toEqual([0, 0, []]);
  expect(environments[0]?.attacks.reduce((sum, { attempts }) => sum + attempts, 0)).toBeGreaterThan(100);
});

test('ends at the limit of sessions, and lists the attacks that were not made', async () => {
  const { environments } = await auditQuiz({}, { maxSessions: 30 });

  const [environment] = environments;
  expect([environment?.isExhausted, environment?.sessions]).toEqual([true, 30]);
  expect(environment?.attacks.at(-1)).toMatchObject({
    state: 'skipped',
    reason: expect.stringContaining('30 sessions'),
  });
});

test('does not report a secret that an environment repeats', async () => {
  const secrets = { TOKEN: 'a-secret-of-the-user' };
  const grade = () => ({ text: `Your token is ${secrets.TOKEN}.`, reward: 1, finished: true });

  const { findings } = await auditQuiz({ grade }, { attacks: ['AUDIT-FLOOR'], secrets });

  expect(findings).not.toEqual([]);
  expect(JSON.stringify(findings)).not.toContain(secrets.TOKEN);
});

test.each([
  [{ tasks: 0 }, 'invalid tasks'],
  [{ budgetMs: Number.NaN }, 'invalid budgetMs'],
  [{ attacks: ['AUDIT-NONE'] }, "there is no attack 'AUDIT-NONE'"],
])('rejects the options %j', async (options, message) => {
  await expect(auditQuiz({}, options)).rejects.toThrow(message);
});

test('writes reports as JSON, HTML, JUnit, SARIF and a badge', async () => {
  const report = await auditQuiz(LEAK, { attacks: ['AUDIT-LEAK-01', 'AUDIT-LEAK-02'] });
  const parent = await mkdtemp(join(tmpdir(), 'audit-'));
  const folder = join(parent, 'new', 'report');
  await prepareReportFolder(folder);
  await writeFile(join(folder, 'findings', 'old-AUDIT-LEAK-02.json'), '{}');
  await writeAuditReports(folder, report, { module: 'environment.ts' });
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  const sarif = JSON.parse(await read('audit.sarif'));
  const [result] = sarif.runs[0].results;
  expect([sarif.version, result.ruleId, result.level]).toEqual(['2.1.0', 'AUDIT-LEAK-01', 'error']);
  expect(sarif.runs[0].tool.driver.rules[result.ruleIndex].id).toBe('AUDIT-LEAK-01');
  expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('environment.ts');
  expect(await read('junit.xml')).toContain('<testsuite name="quiz" tests="2" failures="1" errors="0" skipped="0"');
  expect(await read('report.html')).toContain('<h1>Audit of quiz: 1 proof, 0 suspicions</h1>');
  expect(await read('badge.svg')).toContain('ORS audit: 1 exploit');
  expect(JSON.parse(await read('audit.json')).findings).toHaveLength(1);
  expect(await readdir(join(folder, 'findings'))).toEqual(['quiz-AUDIT-LEAK-01.json']);
  await rm(parent, { recursive: true });
});

test('writes the findings of hostile names into the folder', async () => {
  const { findings, ...report } = await auditQuiz(LEAK, { attacks: ['AUDIT-LEAK-01'] });
  const names = ['../../up', '..\u002f..\u002fup', `${'long'.repeat(200)}`];
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));

  const files = await writeAuditReports(folder, {
    ...report,
    findings: names.flatMap((environment) => findings.map((finding) => ({ ...finding, environment }))),
  });

  expect(files.slice(5).every((file) => dirname(file) === join(folder, 'findings'))).toBe(true);
  expect(await readdir(join(folder, 'findings'))).toHaveLength(3);
  await rm(folder, { recursive: true });
});

test.each([
  ['package.json', 'it is a file'],
  ['package.json/report', 'it is a file'],
  ['/proc/audit-report', 'cannot write a report'],
])('rejects the folder %s for a report', async (folder, message) => {
  await expect(prepareReportFolder(folder)).rejects.toThrow(message);
});

test('proves that a server runs a call twice under one task_id', async () => {
  let paid = 0;
  const grade = () => ({ text: `Paid ${++paid} times.`, reward: 1 });
  await using server = await serve([quiz('quiz', words, { grade })], { port: 0, log });
  const withoutId = (_path: string, body: string) => body.replace(/,"task_id":"client-[^"]*"/, '');
  await using between = await tamper(server.url, { request: withoutId });
  const options = { inputs, tasks: 3, maxReward: 1, attacks: ['AUDIT-REPEAT-05'] };
  const auditAt = async (url: string) => {
    await using client = new OrsClient(url);
    return (await audit({ client }, options)).findings.map(({ kind, reward }) => [kind, reward]);
  };

  expect(await auditAt(server.url)).toEqual([]);
  expect(await auditAt(between.url)).toEqual([['proof', 2]]);
});

test('proves that a server pays for pings', async () => {
  await using server = await serve([quiz('quiz', words, { grade: () => ({ text: 'No.', reward: 0 }) })], {
    port: 0,
    log,
  });
  let isPinged = false;
  const pay = (path: string, body: string) => {
    if (path === '/create') isPinged = false;
    if (path === '/ping') isPinged = true;
    return isPinged ? body.replace('"reward":0', '"reward":1') : body;
  };
  await using between = await tamper(server.url, { answer: pay });
  await using client = new OrsClient(between.url);

  const { findings } = await audit({ client }, { inputs, tasks: 3, attacks: ['AUDIT-STATE-05'] });

  expect(findings.map(({ kind, attack }) => [kind, attack])).toEqual([['proof', 'AUDIT-STATE-05']]);
});

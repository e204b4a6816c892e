import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { echoServer } from '../conformance/report/echo-server.ts';
import { problemsOf } from '../conformance/report/schema.ts';
import { start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { lab } from '../support/lab.ts';
import { HEALTHY, says, scratch, smallServer } from './conformance-scratch.ts';

const conformance = (...args: string[]) => orsInProcess(['conformance', ...args]);
const HEALTH = ['--only', 'discovery/health'] as const;

test('reports the passed checks of a conformant server by group', async () => {
  await using server = await start(lab().environment);

  const { stdout, stderr, code } = await conformance(server.url, '--only', 'discovery,error');

  expect([stderr, code]).toEqual(['', 0]);
  const [subject, budget, ...rest] = stdout.split('\n');
  expect(subject).toMatch(/^http:\/\/127\.0\.0\.1:\d+ · environment lab · profile core · \d+ checks$/);
  expect(budget).toMatch(/^at most \d+ sessions?, \d+ calls?, 120 s$/);
  expect(rest.join('\n')).toMatch(/\ndiscovery {2}\d+ pass/);
  expect(rest.join('\n')).toMatch(/\n(\d+)\/\1 required pass/);
  expect(stdout).not.toContain('\x1b');
  expect(server.sessionCount).toBe(0);
});

test('reports what a nonconformant server answered, and the command to run next', async () => {
  await using server = await smallServer(says('{"status":"fine"}'));

  const { stdout, code } = await conformance(server.url, ...HEALTH);

  expect(code).toBe(1);
  expect(stdout).toContain(
    '✗ discovery/health  ORS-DISC-001 MUST\n      the body of GET /health was {"status":"fine"}',
  );
  expect(stdout).toContain('\n0/1 required pass\n  1 required check failed\n');
  expect(stdout).toContain(`Next: ors conformance ${server.url} --explain discovery/health\n`);
});

test('accepts an expected failure, and reports it as stale once the check passes', async () => {
  await using folder = await scratch();
  const file = await folder.write('expected.txt', 'discovery/health  # our proxy answers it\n');
  await using wrong = await smallServer(says('{}'));
  await using right = await smallServer(says(HEALTHY));

  const runs = [wrong, right].map(({ url }) => conformance(url, ...HEALTH, '--expected-failures', file));
  const [expected, stale] = await Promise.all(runs);

  expect(expected).toMatchObject({ code: 0, stdout: expect.stringContaining('expected: our proxy answers it') });
  expect(stale).toMatchObject({ code: 1, stdout: expect.stringContaining('discovery/health: it passes now') });
});

test('fails a run with --require-complete if a check cannot be tested', async () => {
  await using server = await start(lab().environment);
  const args = [server.url, '--only', 'discovery/health,call/event-stream', '--no-tool-calls'];

  const [some, all] = await Promise.all([conformance(...args), conformance(...args, '--require-complete')]);

  expect(some).toMatchObject({ code: 0, stdout: expect.stringContaining('1 not testable (no tool calls)') });
  expect(all).toMatchObject({ code: 5, stdout: expect.stringContaining('call/event-stream') });
});

test('fails a run in which no required check ran', async () => {
  await using server = await start(lab().environment);

  const { code, stdout } = await conformance(server.url, '--only', 'call/event-stream', '--no-tool-calls');

  expect([code, stdout.includes('no required check ran')]).toEqual([5, true]);
});

test('reports a missing server in one line', async () => {
  await using other = await smallServer(says(HEALTHY));

  const [gone, none] = await Promise.all([conformance('http://127.0.0.1:1'), conformance(`${other.url}/elsewhere`)]);

  expect(gone).toMatchObject({ code: 3, stdout: '' });
  expect(gone.stderr).toMatch(/^ors: http:\/\/127.0.0.1:1: the server cannot be reached: .*; check the address.*\n$/);
  expect(none).toMatchObject({ code: 3, stdout: '' });
  expect(none.stderr).toMatch(/not an ORS server: .* 404/);
});

test.each([
  [['--bogus', 'http://127.0.0.1:1'], /unknown option '--bogus'/],
  [['--seed', 'x', 'http://127.0.0.1:1'], /whole number from 0/],
  [['http://127.0.0.1:1', '--only', 'sesion'], /no check, group or requirement 'sesion'. Did you mean 'session'/],
  [['diff', 'a.json'], /missing required argument 'after'/],
])('rejects %j as incorrect usage', async (args, message) => {
  const { code, stdout, stderr } = await conformance(...args);

  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

test('--json prints the results and nothing else', async () => {
  await using server = await smallServer(says(HEALTHY));

  const { code, stdout, stderr } = await conformance(server.url, ...HEALTH, '--json');

  expect([code, stderr]).toEqual([0, '']);
  expect(problemsOf(JSON.parse(stdout))).toEqual([]);
  expect(JSON.parse(stdout).results).toMatchObject([{ check: 'discovery/health', state: 'pass' }]);
});

test('prints no control characters of a server', async () => {
  await using server = await echoServer('\x1b[2J\x1b]0;owned\x07\x9b31m\r\u202e');

  const [run, explained] = await Promise.all([
    conformance(server.url, '--only', 'discovery,error', '--verbose'),
    conformance(server.url, '--explain', 'error/detail'),
  ]);

  for (const { stdout } of [run, explained]) {
    expect(stdout.length).toBeGreaterThan(300);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  }
});

test('sends secrets and headers to the server, and redacts them in output and reports', async () => {
  await using folder = await scratch();
  const secrets = await folder.write('secrets.json', '{"KEY":"sesame-open-7391"}');
  await using server = await echoServer();
  const args = [server.url, '--secrets', `@${secrets}`, '--header', 'X-Team: team-rocket-17'];

  const [run, explained] = await Promise.all([
    orsInProcess(['conformance', ...args, '--only', 'error,session', '--verbose', '--report', folder.path('out')], {
      env: { ORS_API_KEY: 'key-of-the-user-5' },
    }),
    conformance(...args, '--explain', 'session/create-twice'),
  ]);

  expect(server.heard('x-api-key')).toContain('key-of-the-user-5');
  const written = await Promise.all(['results.json', 'report.html'].map((name) => folder.read(`out/${name}`)));
  const everything = [run.stdout, run.stderr, explained.stdout, explained.stderr, ...written].join('\n');
  expect(everything).toContain('[secret]');
  expect(everything).not.toMatch(/sesame-open|rocket|key-of-the/);
});

test('reports the results so far when Ctrl-C interrupts a run', async () => {
  await using folder = await scratch();
  await using server = await smallServer(() => undefined);

  await using command = startCommand([...ORS, 'conformance', server.url, ...HEALTH, '--report', folder.path('out')]);
  await command.says(/at most/);
  command.child.kill('SIGINT');
  const { code, stdout } = await command.result;

  expect(code).toBe(130);
  expect(stdout).toContain('the run was interrupted');
  const results = JSON.parse(await folder.read('out/results.json'));
  expect(problemsOf(results)).toEqual([]);
  expect(results).toMatchObject({ interrupted: true, verdict: { outcome: 'interrupted', exit_code: 130 } });
});

test('compares two runs, and exits with 1 if a check got worse', async () => {
  await using folder = await scratch();
  await using right = await smallServer(says(HEALTHY));
  await using wrong = await smallServer(says('{}'));
  const [before, after] = [folder.path('before'), folder.path('after')];
  const runs = [
    conformance(right.url, ...HEALTH, '--report', before),
    conformance(wrong.url, ...HEALTH, '--report', after),
  ];
  await Promise.all(runs);

  const files = [`${before}/results.json`, `${after}/results.json`] as const;
  const [worse, better, none] = await Promise.all([
    conformance('diff', ...files),
    conformance('diff', files[1], files[0], '--json'),
    conformance('diff', files[0], 'package.json'),
  ]);

  expect(worse).toMatchObject({ code: 1, stdout: expect.stringContaining('discovery/health (MUST): pass -> fail') });
  expect(better.code).toBe(0);
  expect(JSON.parse(better.stdout)).toMatchObject({ better: [{ check: 'discovery/health' }], worse: [] });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('not a results.json of version 1') });
});

test('--report lists the files that it wrote', async () => {
  await using folder = await scratch();
  await using server = await smallServer(says(HEALTHY));

  const { stdout } = await conformance(server.url, ...HEALTH, '--report', folder.path('a/b'));

  const [, names = ''] = stdout.match(/\nWrote (.*)\.\n$/) ?? [];
  expect(names.split(', ').map((name) => [name.replace(/.*\//, ''), existsSync(name)])).toEqual(
    ['results.json', 'junit.xml', 'report.html', 'badge.svg'].map((name) => [name, true]),
  );
});

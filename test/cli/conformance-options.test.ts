import { existsSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import fixture from '../../examples/conformance/environment.ts';
import { addFlags } from '../../src/cli/command.ts';
import { type ConformanceFlags, conformanceFlags } from '../../src/cli/conformance/read-request.ts';
import { runConformance } from '../../src/cli/conformance/run.ts';
import { type ConformanceCheck, serverChecks } from '../../src/conformance/index.ts';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { testUnless } from '../support/optional.ts';
import { HEALTHY, says, scratch, smallServer } from './conformance-scratch.ts';

interface Asked {
  readonly checks?: readonly ConformanceCheck[];
  /** True for a terminal. @default false */
  readonly isInteractive?: boolean;
}

/** Carries a command line out in this process. */
async function ask(args: readonly string[], { checks = serverChecks, isInteractive = false }: Asked = {}) {
  const command = addFlags(new Command().argument('[url]'), conformanceFlags).exitOverride();
  command.parse(args, { from: 'user' });
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const style = (_: string, text: string) => text;
  const terminal = { isInteractive, width: 80, style, print };
  const code = await runConformance(command.args[0], command.opts<ConformanceFlags>(), { checks, terminal });
  return { code, printed };
}

const HERE = 'http://127.0.0.1:1';
/** Without its own exit code, an error is one of usage. */
const USAGE_ERROR = { name: 'Failure', exitCode: undefined };

const check = (run: ConformanceCheck['run'], more: Partial<ConformanceCheck> = {}): ConformanceCheck => ({
  id: 'own/check',
  title: 'It holds',
  requirement: 'ORS-DISC-001',
  profile: 'core',
  run,
  ...more,
});

test.each([
  [[], /URL of the server is missing/],
  [['127.0.0.1:8080'], /invalid URL '127.0.0.1:8080': expected a URL such as http:\/\/127.0.0.1:8080/],
  [['htp://name:key@host'], /^invalid URL 'htp:\/\/host': expected a URL such as http:\/\/host$/],
  [['http://name:key@host'], /^the URL of host contains a user name or password; send them with --header/],
  [[HERE, '--profile', 'ful'], /there is no profile 'ful'. Did you mean 'full'/],
  [[HERE, '--only', 'session/create-twise'], /Did you mean 'session\/create-twice'/],
  [[HERE, '--skip', 'ORS-DISC-999'], /--skip: there is no check, group or requirement 'ORS-DISC-999'/],
  [[HERE, '--explain', 'nothing'], /--explain: there is no check.*There are: discovery/],
  [[HERE, '--only', 'hostile'], /no check is left; those of --only hostile are in hostile: add --profile hostile/],
  [[HERE, '--only', 'discovery', '--skip', 'discovery'], /no check is left/],
  [['http://example.org', '--profile', 'hostile'], /attacks example.org; if that server is yours, add --i-own-this/],
  [['http://127.0.0.1.example.org', '--profile', 'hostile'], /add --i-own-this/],
  [[HERE, '--input', 'say'], /invalid --input say:/],
  [[HERE, '--input', 'say={'], /--input say is not valid JSON: '{'/],
  [[HERE, '--input', 'say=@/nowhere.json'], /cannot read '\/nowhere.json'/],
  [[HERE, '--secrets', '{"KEY":"sesame"}'], /^invalid --secrets: expected @file/],
  [[HERE, '--secrets', '@package.json'], /^--secrets: 'package.json' must contain a JSON object of strings/],
  [[HERE, '--secrets', '@README.md'], /^--secrets: 'README.md' must contain a JSON object of strings/],
  [[HERE, '--header', 'nothing'], /^invalid --header: it has no colon/],
  [[HERE, '--cert', 'package.json'], /--cert and --key need each other/],
  [[HERE, '--cert', 'README.md', '--key', 'README.md'], /--cert: 'README.md' is not a PEM file/],
  [[HERE, '--api-key', 'a\nb'], /^invalid --api-key or ORS_API_KEY:/],
  [[HERE, '--report', 'package.json'], /^--report: cannot write to 'package.json':/],
  [[HERE, '--report', 'package.json/deeper'], /^--report: cannot write to 'package.json\/deeper'/],
  [[HERE, '--only', 'session/ping', '--skip', 'session'], /--skip session excludes all of --only session\/ping$/],
  [[HERE, '--ca', '/nowhere.pem'], /--ca: cannot read '\/nowhere.pem'/],
  [[HERE, '--expected-failures', '/nowhere.txt'], /--expected-failures: cannot read '\/nowhere.txt'/],
  [
    [HERE, '--expected-failures', 'README.md'],
    /--expected-failures: README.md: invalid line \d+: expected one check id/,
  ],
])('%j is refused before anything is sent', async (args, message) => {
  await expect(ask(args)).rejects.toMatchObject({ ...USAGE_ERROR, message: expect.stringMatching(message) });
});

test.each([
  ['--seed', '-1'],
  ['--concurrency', '0'],
  ['--max-calls', '1.5'],
  ['--timeout', '0'],
  ['--heartbeat', 'soon'],
])('%s cannot be %s', async (flag, value) => {
  jest.spyOn(process.stderr, 'write').mockReturnValueOnce(true);

  await expect(ask([HERE, flag, value])).rejects.toMatchObject({ code: 'commander.invalidArgument' });
});

test('distinguishes an error of the suite from one of the server', async () => {
  await using server = await smallServer(says(HEALTHY));
  const broken = check(async () => {
    throw new TypeError('undefined is not a function');
  });
  const good = check(async () => undefined, { id: 'own/good' });

  const { code, printed } = await ask([server.url], { checks: [good, broken] });

  expect(code).toBe(4);
  expect(printed).toContain('1/1 required pass; 1 error of the suite itself');
  expect(printed).toContain('‼ own/check');
});

test('passes the flags to the run', async () => {
  await using server = await start(fixture);
  await using folder = await scratch();
  const secrets = await folder.write('secrets.json', '\ufeff{"KEY":"sesame"}');
  const seen: unknown[] = [];
  const look = check(
    async (probe) => {
      const { tool, input } = await probe.sample();
      const { secrets: body } = await probe.createBody();
      seen.push(tool.name, input, probe.times, body, probe.timeoutMs);
    },
    { needs: ['call'] },
  );
  const flags = [
    ...['--env', 'CONFORMANCE', '--tool', 'echo,count', '--skip-tool', 'count', '--input', 'echo={"text":"hi"}'],
    ...['--session-timeout', '4', '--result-linger', '1.5', '--heartbeat', '0.5', '--timeout', '7'],
    ...['--secrets', `@${secrets}`, '--max-calls', '3', '--max-seconds', '9', '--seed', '5', '--concurrency', '1'],
  ];

  const { printed } = await ask([server.url, ...flags], { checks: [look] });

  const times = { idleMs: 4_000, lingerMs: 1_500, heartbeatMs: 500 };
  expect(seen).toEqual(['echo', { text: 'hi' }, times, { KEY: 'sesame' }, 7_000]);
  expect(printed).toContain('environment conformance · profile core · 1 check\nat most 1 session, 3 calls, 9 s\n');
});

test.each([
  [['--tool', 'nope'], /there is no tool 'nope'\. There are: \w+/],
  [['--input', 'nope={}'], /--input: there is no tool 'nope'/],
])('%j is wrong usage', async (flags, message) => {
  await using server = await start(lab().environment);

  const asked = ask([server.url, '--only', 'call', ...flags]);

  await expect(asked).rejects.toMatchObject({ ...USAGE_ERROR, message: expect.stringMatching(message) });
  expect(server.sessionCount).toBe(0);
});

const noProc = existsSync('/proc/self/status') ? undefined : 'a folder in which none can be made: there is no /proc';

testUnless(noProc)('rejects a report folder that cannot be created, before the run', async () => {
  const asked = ask([HERE, '--report', '/proc/self/ors-report']);

  await expect(asked).rejects.toMatchObject({
    ...USAGE_ERROR,
    message: expect.stringMatching(/^--report: cannot write/),
  });
});

test('writes no badge for a part of the checks', async () => {
  await using server = await smallServer(says(HEALTHY));
  await using folder = await scratch();

  await ask([server.url, '--only', 'discovery/health', '--report', folder.path('a/b/c')]);

  expect(await folder.read('a/b/c/badge.svg')).toContain('1/1 partial');
});

test('shows progress on a terminal, not in a pipe', async () => {
  await using server = await smallServer(says(HEALTHY));
  const checks = [check(async () => undefined), check(async () => undefined, { id: 'other/check' })];

  const [seen, piped] = [await ask([server.url], { checks, isInteractive: true }), await ask([server.url], { checks })];

  expect(seen.printed).toContain('\r\x1b[2K░░░░░░░░░░░░░░░░░░░░ 0/2');
  expect(seen.printed).toMatch(/█{20} 2\/2 {2}\w+ {2}\d+ s/);
  expect(seen.printed).toContain('s\r\x1b[2K\n');
  expect(piped.printed).not.toMatch(/\r|█/);
});

test('--list shows the checks of all profiles, or of those that are asked for', async () => {
  const [all, some, json] = [
    await ask(['--list']),
    await ask(['--list', '--profile', 'hostile']),
    await ask(['--list', '--only', 'ORS-DISC-001', '--json']),
  ];

  expect(all.printed.trimEnd().split('\n')).toHaveLength(serverChecks.length + 1);
  expect(all.printed).toMatch(/^discovery\/health +ORS-DISC-001 +MUST +discovery +\S/m);
  expect(some.printed).toContain(`${serverChecks.filter(({ profile }) => profile === 'hostile').length} checks`);
  expect(JSON.parse(json.printed)[0]).toMatchObject({
    check: 'discovery/health',
    level: 'must',
    heading: 'GET /health',
  });
});

test('--explain tells requirement, source, check and needs', async () => {
  const { printed, code } = await ask(['--explain', 'resume/replay']);

  expect(code).toBe(0);
  expect(printed.replace(/\s+/g, ' ')).toMatch(
    /^resume\/replay ORS-RECN-\d+ \(MUST.*\): .* From ors-.*, ".*"\. The check: /,
  );
  expect(printed).toMatch(/needs .*of\s+the\s+fixture/);
  expect(printed).toContain('ors conformance <url> --explain resume/replay');
});

test('--explain with an address shows the requests as lines to copy', async () => {
  await using server = await start(lab().environment);

  const { printed, code } = await ask([server.url, '--explain', 'ORS-SESS-012']);

  expect(code).toBe(0);
  expect(printed).toContain(`On ${server.url}: pass`);
  expect(printed).toMatch(/^ {2}curl .*\/create -H .*X-Session-ID.*--data-raw '\{.*\}'$/m);
  expect(printed).toMatch(/^ {4}400 \{"detail"/m);
  expect(server.sessionCount).toBe(0);
});

test('--dry-run creates no session, and prints what would run and what could not', async () => {
  await using server = await start(lab().environment);

  const { printed, code } = await ask([server.url, '--dry-run', '--profile', 'full']);

  expect(code).toBe(0);
  expect(printed).toMatch(
    /^http.* · environment lab · profile full · \d+ checks\nat most \d+ sessions, \d+ calls, no time limit/,
  );
  expect(printed).toMatch(/\ndiscovery {2}\d+ would run, \d+ not testable\n {2}discovery\/health, /);
  expect(printed.replace(/\s+/g, ' ')).toContain("? resume/replay: needs the fixture environment 'conformance'");
  expect(server.sessionCount).toBe(0);
});

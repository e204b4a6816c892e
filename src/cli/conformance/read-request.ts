import { validateHeaderValue } from 'node:http';
import { createSecureContext } from 'node:tls';
import {
  type ConformanceCheck,
  type ConformanceOptions,
  type EnvironmentSdk,
  type ExpectedFailures,
  ExpectedFailuresError,
  groupResults,
  type HttpHeader,
  matchesName,
  PROFILE_INCLUDES,
  type Profile,
  parseExpectedFailures,
  SDKS,
  selectChecks,
} from '../../conformance/index.ts';
import {
  definedFields,
  errorMessage,
  isLoopbackHost,
  isRecord,
  joinWords,
  nearestName,
  tryParseJson,
  unknownName,
} from '../../core/index.ts';
import {
  collect,
  collectList,
  defineFlags,
  type FlagValues,
  integerParser,
  parsePositive,
  parseSeconds,
  parseServerUrl,
} from '../command.ts';
import { CliError, readTextFile } from '../failure.ts';
import { parseHeader, warnIfTooShort } from '../remote/flags.ts';
import { readJsonObject } from '../remote/tool-input.ts';
import { pagerFlags } from '../terminal/text-output.ts';

const selectionFlags = defineFlags({
  '--only <names>': { help: 'only these checks: ids, groups or requirements, comma-separated', parse: collectList },
  '--skip <names>': { help: 'all checks except these', parse: collectList },
});

const resultFlags = defineFlags({
  '--expected-failures <file>':
    'checks that are expected to fail: one id per line, then # and the reason, or # sometimes: and the reason',
  '--strict': 'fail the run on warnings',
  '--require-complete': 'fail the run if something is not testable',
  '--report <folder>': 'write results.json, junit.xml, report.html and badge.svg',
  '--json': 'print only results.json',
  '--verbose': 'show passed checks too',
  '--list': 'list the checks and exit',
  ...pagerFlags,
});

export const conformanceFlags = defineFlags({
  '--profile <names>': {
    help: 'discovery, core, full, soak or hostile, comma-separated (default: core)',
    parse: collectList,
  },
  '--env <name>': 'environment to test (default: the fixture if it is served, otherwise the first)',
  ...selectionFlags,
  '--tool <names>': { help: 'tools that may be called (default: all)', parse: collectList },
  '--skip-tool <names>': { help: 'tools that may not be called', parse: collectList },
  '--no-tool-calls': 'call no tools',
  '--input <tool=json>': { help: 'input for a tool, as JSON or @file (repeatable)', parse: collect },
  '--secrets <@file>': 'JSON object of secrets for every episode; not in any report',
  '--max-calls <number>': {
    help: 'maximum number of tool calls (default: as many as the checks need)',
    parse: integerParser(),
  },
  '--max-seconds <number>': { help: 'start no check after this time (default: 120 in core)', parse: parseSeconds },
  '--seed <number>': { help: 'seed of everything random (default: 1)', parse: integerParser() },
  '--concurrency <number>': { help: 'number of concurrent checks (default: 4)', parse: parsePositive },
  '--sdk <name>':
    'openreward, ors-sdk, or auto to detect it: separates what this SDK does in every environment from what the environment does',
  '--i-own-this': 'allow the profile hostile against a server on another machine',
  '--start <command>': 'start the server with this command, wait for it, and stop it at the end',
  '--api-key <key>': { help: 'sent as X-API-Key; not in any report', env: 'ORS_API_KEY' },
  '--header <name: value>': {
    help: 'sent with every request; the value is not in any report (repeatable)',
    parse: collect,
  },
  '--timeout <seconds>': { help: 'longest wait for one response (default: 30)', parse: parseSeconds },
  '--ca <file>': 'PEM file of trusted certificate authorities',
  '--cert <file>': 'PEM file of a client certificate; needs --key',
  '--key <file>': 'PEM file of its key',
  '--insecure': "do not verify the server's certificate",
  '--session-timeout <seconds>': {
    help: 'time without requests after which the server ends a session (default: 900)',
    parse: parseSeconds,
  },
  '--result-linger <seconds>': { help: 'time for which the server keeps a result (default: 60)', parse: parseSeconds },
  '--heartbeat <seconds>': { help: 'longest silence of a stream (default: 15)', parse: parseSeconds },
  ...resultFlags,
  '--explain <id>': 'explain a check or a requirement; with a URL, show the requests that it sends',
  '--dry-run': 'send discovery requests only, and print what would run',
});

export const conformanceClientFlags = defineFlags({
  '--command <command>': 'shell command that starts the adapter, which controls the client',
  ...selectionFlags,
  '--timeout <seconds>': { help: 'longest wait for an action of the client (default: 20)', parse: parseSeconds },
  '--concurrency <number>': {
    help: 'number of concurrent checks, each with its own adapter (default: 12)',
    parse: parsePositive,
  },
  ...resultFlags,
  '--explain <id>': 'explain a check or a requirement',
});

export type ConformanceFlags = FlagValues<typeof conformanceFlags>;
export type ConformanceClientFlags = FlagValues<typeof conformanceClientFlags>;

const EVERY_PROFILE = ['full', 'soak', 'hostile'] as const;

/** Validated command line. */
export type ConformanceRequest =
  | { readonly kind: 'list' | 'explain'; readonly checks: readonly ConformanceCheck[] }
  | {
      readonly kind: 'plan' | 'run' | 'explain-on';
      readonly url: URL;
      readonly options: Awaited<ReturnType<typeof parseConformanceOptions>>;
      readonly expectations: ExpectedFailures;
      /** SDK of the environment, or whether to detect it. */
      readonly sdk: 'auto' | EnvironmentSdk['name'] | undefined;
      readonly checks: readonly ConformanceCheck[];
    };

/** Validates the command line before anything is sent. @throws CliError */
export async function parseConformanceFlags(
  address: string | undefined,
  flags: ConformanceFlags,
  all: readonly ConformanceCheck[],
): Promise<ConformanceRequest> {
  const read = await parseConformanceOptions(flags, all);
  if (flags.list) {
    // Without a profile, all of them are listed.
    const profiles = flags.profile ? read.profiles : EVERY_PROFILE;
    return { kind: 'list', checks: selectChecks(all, { ...read, ...(profiles && { profiles }) }) };
  }
  const explained = flags.explain === undefined ? undefined : checksNamed(flags.explain, all);
  if (address === undefined) {
    if (explained) return { kind: 'explain', checks: explained };
    throw new CliError('the URL of the server is missing; write: ors conformance http://127.0.0.1:8080');
  }
  const url = new URL(parseServerUrl(address));
  const options = explained ? { ...read, ...onlyThese(explained) } : read;
  const checks = selectChecks(all, options);
  if (checks.length === 0) throw new CliError(noChecksMessage(flags, all));
  if (checks.some(({ profile }) => profile === 'hostile') && !isLoopbackHost(url.hostname) && !flags.iOwnThis) {
    throw new CliError(`the profile hostile attacks ${url.hostname}; if that server is yours, add --i-own-this`);
  }
  const expectations = await readExpectedFailures(flags.expectedFailures);
  const kind = flags.dryRun ? 'plan' : explained ? 'explain-on' : 'run';
  return { kind, url, options, expectations, sdk: readSdk(flags.sdk), checks };
}

function readSdk(name: string | undefined): 'auto' | EnvironmentSdk['name'] | undefined {
  if (name === undefined) return undefined;
  const known = ['auto', ...SDKS] as const;
  const found = known.find((each) => each === name);
  if (found === undefined) throw new CliError(`--sdk: ${unknownName('SDK', name, known)}`);
  return found;
}

function checksNamed(name: string, all: readonly ConformanceCheck[]): readonly ConformanceCheck[] {
  return selectChecks(all, { profiles: EVERY_PROFILE, only: parseCheckNames('--explain', [name], all) });
}

const onlyThese = (checks: readonly ConformanceCheck[]) => ({
  profiles: [...new Set(checks.map(({ profile }) => profile))],
  only: checks.map(({ id }) => id),
  skip: [],
});

function noChecksMessage(
  { only = [], skip = [], profile = ['core'] }: ConformanceFlags,
  all: readonly ConformanceCheck[],
): string {
  const named = selectChecks(all, { profiles: EVERY_PROFILE, only });
  const left = named.filter((check) => !matchesName(check, skip));
  if (left.length === 0) return `no check is left; --skip ${skip.join(',')} excludes all of --only ${only.join(',')}`;
  const profiles = [...new Set(left.map((check) => check.profile))];
  const asked = only.length > 0 ? `those of --only ${only.join(',')}` : `those of --profile ${profile.join(',')}`;
  if (only.length === 0) return `no check is left; --skip ${skip.join(',')} excludes all ${asked}`;
  return `no check is left; ${asked} are in ${joinWords(profiles)}: add --profile ${profiles.join(',')}`;
}

export async function readExpectedFailures(file: string | undefined): Promise<ExpectedFailures> {
  if (file === undefined) return new Map();
  const text = await readTextFile(file, '--expected-failures');
  try {
    return parseExpectedFailures(text);
  } catch (error) {
    if (!(error instanceof ExpectedFailuresError)) throw error;
    throw new CliError(`--expected-failures: ${file}: ${error.message}`, { cause: error });
  }
}

/** Converts the flags to options of the suite. @throws CliError */
async function parseConformanceOptions(
  flags: ConformanceFlags,
  checks: readonly NamedCheck[],
): Promise<Omit<ConformanceOptions, 'signal'>> {
  const { env, tool, skipTool, maxCalls, maxSeconds, timeout, seed, concurrency, secrets } = flags;
  return {
    profiles: readProfiles(flags.profile ?? ['core']),
    ...definedFields({ environment: env, tools: tool, skipTools: skipTool, maxCalls, maxSeconds, seed, concurrency }),
    ...parseSelection(flags, checks),
    noToolCalls: !flags.toolCalls,
    inputs: await readInputs(flags.input ?? []),
    ...(secrets !== undefined && { secrets: await readSecrets(secrets) }),
    ...definedFields({ timeoutMs: toMs(timeout) }),
    times: definedFields({
      idleMs: toMs(flags.sessionTimeout),
      lingerMs: toMs(flags.resultLinger),
      heartbeatMs: toMs(flags.heartbeat),
    }),
    headers: parseHeaders(flags),
    tls: await readTls(flags),
  };
}

const toMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);

/** Returns the checks that --only and --skip select. @throws CliError for an unknown name. */
export const parseSelection = (
  { only, skip }: Pick<ConformanceFlags, 'only' | 'skip'>,
  checks: readonly NamedCheck[],
) => ({
  ...(only && { only: parseCheckNames('--only', only, checks) }),
  ...(skip && { skip: parseCheckNames('--skip', skip, checks) }),
});

function readProfiles(names: readonly string[]): Profile[] {
  const known = Object.keys(PROFILE_INCLUDES);
  for (const name of names)
    if (!known.includes(name)) throw new CliError(`--profile: ${unknownName('profile', name, known)}`);
  // The keys of PROFILE_INCLUDES are the profiles.
  return [...new Set(names)] as Profile[];
}

function parseHeaders({ header = [], apiKey }: ConformanceFlags): HttpHeader[] {
  const headers = header.flatMap((line) => Object.entries(parseHeader(line)));
  if (apiKey !== undefined && !isHeaderValue(apiKey)) {
    throw new CliError(
      'invalid --api-key or ORS_API_KEY: it has characters that headers cannot contain, such as a line break; check the key',
    );
  }
  return [...(apiKey === undefined ? [] : [['X-API-Key', apiKey] as const]), ...headers];
}

function isHeaderValue(value: string): boolean {
  try {
    validateHeaderValue('X-API-Key', value);
    return true;
  } catch {
    return false;
  }
}

async function readInputs(inputs: readonly string[]): Promise<Record<string, Record<string, unknown>>> {
  const pairs = inputs.map(async (argument) => {
    const at = argument.indexOf('=');
    if (at < 1) throw new CliError(`invalid --input ${argument}: expected tool='{"answer": "42"}' or tool=@file`);
    const tool = argument.slice(0, at);
    return [tool, await readJsonObject(argument.slice(at + 1), `--input ${tool}`)] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

/** Errors repeat neither the argument nor the contents of the file: both may be secrets. */
async function readSecrets(argument: string): Promise<Record<string, string>> {
  if (!argument.startsWith('@')) {
    throw new CliError(
      'invalid --secrets: expected @file, which keeps secrets out of the shell history; write --secrets @secrets.json',
    );
  }
  const file = argument.slice(1);
  const secrets = tryParseJson(await readTextFile(file, '--secrets'));
  if (!isTable(secrets)) {
    throw new CliError(`--secrets: '${file}' must contain a JSON object of strings, such as {"API_KEY": "..."}`);
  }
  warnIfTooShort(secrets);
  return secrets;
}

const isTable = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((each) => typeof each === 'string');

async function readTls({ ca, cert, key, insecure }: ConformanceFlags): Promise<NonNullable<ConformanceOptions['tls']>> {
  if ((cert === undefined) !== (key === undefined)) throw new CliError('--cert and --key need each other; pass both');
  const pem = {
    ...(ca !== undefined && { ca: await readPem(ca, '--ca') }),
    ...(cert !== undefined && { cert: await readPem(cert, '--cert') }),
    ...(key !== undefined && { key: await readPem(key, '--key') }),
  };
  try {
    createSecureContext(pem);
  } catch (error) {
    throw new CliError(`invalid --ca, --cert or --key: ${errorMessage(error)}`);
  }
  return { ...pem, ...(insecure && { rejectUnauthorized: false }) };
}

async function readPem(file: string, flag: string): Promise<string> {
  const text = await readTextFile(file, flag);
  if (text.includes('-----BEGIN ')) return text;
  throw new CliError(`${flag}: '${file}' is not a PEM file; it has no line -----BEGIN`);
}

/** A check that a name can select: by id, group or requirement. */
type NamedCheck = Parameters<typeof matchesName>[0];

/** Returns names of checks, groups or requirements. @throws CliError for an unknown name. */
export function parseCheckNames(
  flag: string,
  names: readonly string[],
  checks: readonly NamedCheck[],
): readonly string[] {
  for (const name of names) {
    if (!checks.some((check) => matchesName(check, [name])))
      throw new CliError(`${flag}: ${unknownCheck(name, checks)}`);
  }
  return names;
}

/** Formats the error for an unknown name: suggests a similar one, or lists the groups. */
function unknownCheck(name: string, checks: readonly NamedCheck[]): string {
  const groups = groupResults(checks.map(({ id }) => ({ check: id }))).map(({ group }) => group);
  const near = nearestName(name, [...checks.flatMap(({ id, requirement }) => [id, requirement]), ...groups]);
  if (near === undefined || groups.includes(near)) {
    return `${unknownName('check, group or requirement', name, groups)} --list shows all checks.`;
  }
  return `there is no check, group or requirement '${name}'. Did you mean '${near}'? --list shows all.`;
}

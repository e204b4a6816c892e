import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConformanceCheck,
  type ConformanceProgress,
  type ConformanceResults,
  type ConformanceRun,
  createInputGenerator,
  createReportRedactor,
  detectSdk,
  EXIT_CODES,
  type ExpectedFailures,
  failuresOfSdk,
  formatSdk,
  makeWritableFolder,
  parseExpectedFailures,
  planChecks,
  runChecks,
  TargetNotFoundError,
  type TargetProcess,
  toConformanceResults,
  UnknownToolError,
  writeReports,
} from '../../conformance/index.ts';
import {
  abortable,
  definedFields,
  errorMessage,
  onAbort,
  UnknownNameError,
  withoutTrailingSlashes,
} from '../../core/index.ts';
import { fileProblem, PACKAGE, PACKAGE_FOLDER } from '../../core/node/index.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { schemeAdvice } from '../remote/connect.ts';
import { type CheckProgress, createCheckProgressLine } from '../terminal/progress.ts';
import { safeJson, type Terminal } from '../terminal/terminal.ts';
import { describeCheck, explainCheck, listChecks } from './describe-check.ts';
import { type ConformanceFlags, type ConformanceRequest, parseConformanceFlags } from './read-request.ts';
import { budgetLine, showConformanceResults, showEvidence, showPlan, subjectLine } from './show-results.ts';
import { startServer } from './start-server.ts';

interface ConformanceParts {
  readonly checks: readonly ConformanceCheck[];
  readonly terminal: Terminal;
}

type ServerRequestKind = Extract<ConformanceRequest, { kind: 'plan' | 'run' | 'explain-on' }>;

/** Name of the suite in reports. */
export const SUITE = `${PACKAGE.name} ${PACKAGE.version}`;

/** Runs `ors conformance`. @returns the exit code. @throws CliError if the checks cannot run. */
export async function runConformance(
  address: string | undefined,
  flags: ConformanceFlags,
  { checks, terminal }: ConformanceParts,
): Promise<number> {
  const request = await parseConformanceFlags(address, flags, checks);
  if (!('url' in request)) {
    terminal.print(flags.json ? json(request.checks.map(describeCheck)) : describeChecks(request, terminal));
    return EXIT_CODES.conforms;
  }
  try {
    return await useServer(request, flags, { checks, terminal });
  } catch (error) {
    throw await explainError(error, request, flags);
  }
}

async function useServer(
  request: ServerRequestKind,
  flags: ConformanceFlags,
  parts: ConformanceParts,
): Promise<number> {
  const { url, options } = request;
  if (flags.report !== undefined && request.kind !== 'plan') await prepareReport(flags.report);
  using interrupts = listenForInterrupts();
  await using server =
    flags.start === undefined ? undefined : await startServer(flags.start, url, options.tls ?? {}, interrupts.signal);
  if (request.kind === 'plan') return await plan(request, flags, server, parts);
  const ofSdk = await knownFailuresOfSdk(request, flags, parts.terminal);
  const run = await runUntilInterrupted(interrupts.signal, request, flags, server, parts);
  const resultsParts = {
    options,
    knownChecks: parts.checks.map(({ id }) => id),
    expectations: new Map([...ofSdk, ...request.expectations]),
    keepAll: request.kind === 'explain-on',
    acceptsOptional: request.kind === 'explain-on',
    curlOptions: curlOptionsOf(flags),
  };
  const { terminal } = parts;
  const show = request.kind === 'explain-on' ? evidenceOf(request.checks, terminal) : undefined;
  return await reportRun(run, resultsParts, flags, { signal: interrupts.signal, terminal, show });
}

/** Returns the known failures of the SDK of `--sdk`; none without the flag, or if no SDK is detected. */
async function knownFailuresOfSdk(
  { sdk: wanted, url, options }: ServerRequestKind,
  flags: ConformanceFlags,
  terminal: Terminal,
): Promise<ExpectedFailures> {
  if (wanted === undefined) return new Map();
  const detected = await detectSdk(url, options);
  const sdk = wanted === 'auto' || detected?.name === wanted ? detected : { name: wanted, version: undefined };
  const summary = sdk
    ? `its failures in every environment are marked`
    : 'every failure counts as one of the environment';
  if (!flags.json) terminal.print(`SDK: ${sdk ? formatSdk(sdk) : 'none that is known'}; ${summary}\n`);
  if (!sdk) return new Map();
  const file = join(PACKAGE_FOLDER, 'docs', 'expected-failures', `${sdk.name}.txt`);
  return failuresOfSdk(sdk, parseExpectedFailures(await readFile(file, 'utf8')));
}

async function plan(
  { url, options, checks }: ServerRequestKind,
  { json: asJson }: ConformanceFlags,
  server: TargetProcess | undefined,
  { terminal }: ConformanceParts,
): Promise<number> {
  await using inputs = createInputGenerator();
  const planned = await planChecks(url, options, { checks, inputs, ...(server && { process: server }) });
  const { environment, environments, budget } = planned;
  const rows = planned.checks.map(({ check, missing = null }) => ({ ...describeCheck(check), missing }));
  if (asJson) terminal.print(json({ url: url.href, environment, environments, budget, checks: rows }));
  else {
    terminal.print(`${subjectLine(plain(url), environment, options.profiles ?? [], checks.length)}\n`);
    terminal.print(`${budgetLine(budget)}\n${showPlan(planned, terminal)}`);
  }
  return EXIT_CODES.conforms;
}

async function runUntilInterrupted(
  signal: AbortSignal,
  { kind, url, options }: ServerRequestKind,
  { json: asJson }: ConformanceFlags,
  server: TargetProcess | undefined,
  { checks, terminal }: ConformanceParts,
): Promise<ConformanceRun> {
  await using inputs = createInputGenerator({ seed: options.seed ?? 1 });
  const headline = ({ environment, total, budget }: ConformanceProgress) =>
    `${subjectLine(plain(url), environment, options.profiles ?? [], total)}\n${budgetLine(budget)}\n`;
  const isQuiet = asJson === true || kind === 'explain-on';
  return await runWithProgress(signal, { terminal, isQuiet, headline }, (onProgress) => {
    const parts = { checks, inputs, suite: SUITE, onProgress, ...(server && { process: server }) };
    return runChecks(url, { ...options, signal }, parts);
  });
}

interface RunReportOptions {
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
  /** Formats the results of some checks. @default all results by group, and the headline */
  readonly show?: ((results: ConformanceResults) => string) | undefined;
}

/** Writes and prints the results of a run of a server or a client. @returns the exit code. */
export async function reportRun(
  run: Parameters<typeof toConformanceResults>[0],
  parts: Parameters<typeof toConformanceResults>[1],
  flags: Pick<ConformanceFlags, 'json' | 'report' | 'strict' | 'requireComplete' | 'verbose' | 'only' | 'skip'>,
  { signal, terminal, show }: RunReportOptions,
): Promise<number> {
  const { json: asJson, report, strict, requireComplete, verbose, only, skip } = flags;
  const interrupted = signal.aborted ? (signal.reason as CliError).exitCode : undefined;
  const results = toConformanceResults(run, { ...parts, ...definedFields({ strict, requireComplete, interrupted }) });
  const isPart = show !== undefined || only !== undefined || skip !== undefined;
  const written = report === undefined ? [] : await writeReports(report, results, { isPart });
  if (asJson) terminal.print(json(results));
  else {
    terminal.print(show ? show(results) : showConformanceResults(results, terminal, verbose === true));
    if (written.length > 0) terminal.print(`\nWrote ${written.join(', ')}.\n`);
  }
  return results.verdict.exit_code;
}

/** Formats each check with its result and requests. */
const evidenceOf = (checks: readonly ConformanceCheck[], terminal: Terminal) => (results: ConformanceResults) => {
  const texts = checks.map((check) => {
    const result = results.results.find((each) => each.check === check.id);
    return explainCheck(check, terminal) + (result ? `${showEvidence(result, results, terminal)}\n` : '');
  });
  return texts.join('');
};

function describeChecks({ kind, checks }: ConformanceRequest, terminal: Terminal): string {
  if (kind === 'list') return listChecks(checks, terminal);
  const texts = checks.map((check) => explainCheck(check, terminal)).join('\n');
  const [first] = checks;
  return `${texts}\nThe requests as curl lines: ors conformance <url> --explain ${first?.id}\n`;
}

/** Returns the connection options for curl. */
const curlOptionsOf = ({ insecure, ca, cert, key }: ConformanceFlags): string[] => [
  ...(insecure ? ['-k'] : []),
  ...(ca === undefined ? [] : ['--cacert', ca]),
  ...(cert === undefined || key === undefined ? [] : ['--cert', cert, '--key', key]),
];

export const json = (value: unknown): string => `${safeJson(value)}\n`;

const plain = ({ href }: URL): string => withoutTrailingSlashes(href);

/** Explains an error, and redacts secrets in its message. */
async function explainError(
  error: unknown,
  { url, options }: ServerRequestKind,
  flags: ConformanceFlags,
): Promise<CliError> {
  const { text } = createReportRedactor(options);
  if (error instanceof TargetNotFoundError) {
    const flag = error.cause instanceof UnknownNameError ? '--env: ' : '';
    const message = `${flag}${plain(url)}: ${error.message.replace(/\.$/, '')}${await adviceFor(error, url, flags)}`;
    return new CliError(text(message), { exitCode: EXIT_CODES['no-target'] });
  }
  if (error instanceof UnknownToolError) return new CliError(text(`--tool, --skip-tool or --input: ${error.message}`));
  return suiteFailure(error, text);
}

/** Marks an unexpected error as one of the suite. @param redact redacts secrets in the message. */
export function suiteFailure(error: unknown, redact = (text: string) => text): CliError {
  if (error instanceof CliError) return new CliError(redact(error.message), { exitCode: error.exitCode });
  const message = redact(`the suite failed: ${errorMessage(error)}`);
  return new CliError(message, { exitCode: EXIT_CODES['harness-error'] });
}

/** Returns what to do about a missing server. The messages about certificates are those of OpenSSL. */
async function adviceFor(error: TargetNotFoundError, url: URL, { apiKey }: ConformanceFlags): Promise<string> {
  const { message, isUnreachable, isUnauthorized, cause } = error;
  if (cause instanceof UnknownNameError) return '';
  if (isUnauthorized) {
    return apiKey === undefined
      ? '; pass a key with --api-key or ORS_API_KEY'
      : '; check the key in --api-key or ORS_API_KEY';
  }
  if (/certificate.required|handshake.failure|alert.bad.certificate/i.test(message)) {
    return '; it may require a client certificate: pass --cert <file> --key <file>';
  }
  if (/certificate/i.test(message))
    return '; pass its certificate authority with --ca <file>, or skip verification with --insecure';
  if (!isUnreachable && !/https/i.test(message)) return '; pass the URL below which /list_environments is served';
  return `; ${(await schemeAdvice(url.href, error)) ?? 'check the address, and that the server runs'}`;
}

interface ProgressOptions<Progress> {
  readonly terminal: Terminal;
  readonly isQuiet: boolean;
  /** Formats the lines that are printed before the first check. */
  readonly headline: (progress: Progress) => string;
}

/** Runs checks with a progress line. An interrupt before the first check rejects, see `untilBegun`. */
export async function runWithProgress<Progress extends CheckProgress, Run>(
  signal: AbortSignal,
  { terminal, isQuiet, headline }: ProgressOptions<Progress>,
  run: (onProgress: (progress: Progress) => void) => Promise<Run>,
): Promise<Run> {
  using line = createCheckProgressLine(isQuiet ? { ...terminal, isInteractive: false } : terminal);
  let hasBegun = false;
  const onProgress = (progress: Progress) => {
    if (!hasBegun && !isQuiet) terminal.print(headline(progress));
    hasBegun = true;
    line.show(progress);
  };
  return await untilBegun(
    signal,
    () => hasBegun,
    () => run(onProgress),
  );
}

/**
 * Runs checks. An interrupt before the first check rejects with the reason; a later one ends the run early, with a report.
 *
 * @param hasBegun returns true once the first check runs.
 * @throws signal.reason; errors of the run.
 */
export async function untilBegun<T>(signal: AbortSignal, hasBegun: () => boolean, run: () => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const stopListening = onAbort(signal, (reason) => {
    if (!hasBegun()) interruption.abort(reason);
  });
  try {
    return await abortable(interruption.signal, run);
  } finally {
    stopListening();
  }
}

/** Creates the folder of a report before the run, which may take long. @throws CliError */
export async function prepareReport(folder: string): Promise<void> {
  try {
    await makeWritableFolder(folder);
  } catch (error) {
    throw new CliError(`--report: cannot write to '${folder}': ${fileProblem(error, 'write')}; pass a folder`);
  }
}

/** Sets the exit code; after an interrupt, exits although checks may still wait for a response. */
export function exitWith(code: number): void {
  process.exitCode = code;
  if (code >= EXIT_CODES.interrupted) process.stdout.write('', () => process.exit(code));
}

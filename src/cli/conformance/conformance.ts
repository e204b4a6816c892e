import { createRequire } from 'node:module';
import {
  type ConformanceCheck,
  type ConformanceProgress,
  type ConformanceResults,
  type ConformanceRun,
  createInputGenerator,
  createReportRedactor,
  EXIT_CODES,
  planChecks,
  runChecks,
  TargetNotFoundError,
  type TargetProcess,
  toConformanceResults,
  UnknownToolError,
  writeReports,
} from '../../conformance/index.ts';
import { errorMessage, withoutTrailingSlashes } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { describeCheck, explainCheck, showList } from './describe-check.ts';
import { showEvidence } from './explain.ts';
import type { ConformanceFlags } from './flags.ts';
import { prepareReport } from './prepare-report.ts';
import { createProgressLine } from './progress.ts';
import { type ConformanceRequest, parseConformanceFlags } from './read-request.ts';
import { budgetLine, showPlan, subjectLine } from './show-plan.ts';
import { showConformanceResults } from './show-results.ts';
import { startServer } from './start-server.ts';
import { untilBegun } from './until-begun.ts';
import { usageError } from './usage.ts';

/** What a command line is carried out with. */
export interface ConformanceParts {
  readonly checks: readonly ConformanceCheck[];
  readonly terminal: Terminal;
}

type ServerRequestKind = Extract<ConformanceRequest, { kind: 'plan' | 'run' | 'explain-on' }>;

const PACKAGE: { readonly name: string; readonly version: string } = createRequire(import.meta.url)(
  'ors-kit/package.json',
);

/** Carries a command line out and gives the exit code. @throws Failure where it cannot be carried out. */
export async function conformance(
  address: string | undefined,
  flags: ConformanceFlags,
  { checks, terminal }: ConformanceParts,
): Promise<number> {
  const request = await parseConformanceFlags(address, flags, checks);
  if (request.kind === 'list' || request.kind === 'explain') {
    terminal.print(flags.json ? json(request.checks.map(describeCheck)) : described(request, terminal));
    return EXIT_CODES.conforms;
  }
  try {
    return await onServer(request, flags, { checks, terminal });
  } catch (error) {
    throw asFailure(error, request);
  }
}

async function onServer(request: ServerRequestKind, flags: ConformanceFlags, parts: ConformanceParts): Promise<number> {
  const { url, options } = request;
  if (flags.report !== undefined && request.kind !== 'plan') await prepareReport(flags.report);
  using interrupts = listenForInterrupts();
  await using server =
    flags.start === undefined ? undefined : await startServer(flags.start, url, options.tls ?? {}, interrupts.signal);
  if (request.kind === 'plan') return await plan(request, flags, server, parts);
  const run = await runUntil(interrupts.signal, request, flags, server, parts);
  const interrupted = interrupts.signal.aborted ? (interrupts.signal.reason as CliError).exitCode : undefined;
  const results = toConformanceResults(run, {
    options,
    knownChecks: parts.checks.map(({ id }) => id),
    expectations: request.expectations,
    keepAll: request.kind === 'explain-on',
    curlOptions: curlOptionsOf(flags),
    ...(flags.strict && { strict: true }),
    ...(flags.requireComplete && { requireComplete: true }),
    ...(interrupted !== undefined && { interrupted }),
  });
  await tell(request, results, flags, parts.terminal);
  return results.verdict.exit_code;
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

async function runUntil(
  signal: AbortSignal,
  { kind, url, options }: ServerRequestKind,
  { json: asJson }: ConformanceFlags,
  server: TargetProcess | undefined,
  { checks, terminal }: ConformanceParts,
): Promise<ConformanceRun> {
  await using inputs = createInputGenerator({ seed: options.seed ?? 1 });
  const isQuiet = asJson || kind === 'explain-on';
  using line = createProgressLine(isQuiet ? { ...terminal, isInteractive: false } : terminal);
  let hasBegun = false;
  const onProgress = (progress: ConformanceProgress) => {
    if (!hasBegun && !isQuiet) {
      terminal.print(`${subjectLine(plain(url), progress.environment, options.profiles ?? [], progress.total)}\n`);
      terminal.print(`${budgetLine(progress.budget)}\n`);
    }
    hasBegun = true;
    line.show(progress);
  };
  const suite = `${PACKAGE.name} ${PACKAGE.version}`;
  const parts = { checks, inputs, suite, onProgress, ...(server && { process: server }) };
  return await untilBegun(
    signal,
    () => hasBegun,
    () => runChecks(url, { ...options, signal }, parts),
  );
}

async function tell(
  { kind, checks }: ServerRequestKind,
  results: ConformanceResults,
  { json: asJson, report, verbose, only, skip }: ConformanceFlags,
  terminal: Terminal,
): Promise<void> {
  const isPart = kind === 'explain-on' || only !== undefined || skip !== undefined;
  const written = report === undefined ? [] : await writeReports(report, results, { isPart });
  if (asJson) return terminal.print(json(results));
  if (kind === 'explain-on') {
    for (const check of checks) {
      const result = results.results.find((each) => each.check === check.id);
      terminal.print(explainCheck(check, terminal) + (result ? `${showEvidence(result, results, terminal)}\n` : ''));
    }
  } else terminal.print(showConformanceResults(results, terminal, verbose === true));
  if (written.length > 0) terminal.print(`\nWrote ${written.join(', ')}.\n`);
}

function described({ kind, checks }: ConformanceRequest, terminal: Terminal): string {
  if (kind === 'list') return showList(checks, terminal);
  const texts = checks.map((check) => explainCheck(check, terminal)).join('\n');
  const [first] = checks;
  return `${texts}\nThe requests as curl lines: ors conformance <url> --explain ${first?.id}\n`;
}

/** What curl needs to reach the server too. */
const curlOptionsOf = ({ insecure, ca, cert, key }: ConformanceFlags): string[] => [
  ...(insecure ? ['-k'] : []),
  ...(ca === undefined ? [] : ['--cacert', ca]),
  ...(cert === undefined || key === undefined ? [] : ['--cert', cert, '--key', key]),
];

const json = (value: unknown): string => `${safeJson(value)}\n`;

const plain = ({ href }: URL): string => withoutTrailingSlashes(href);

/** No secret leaves through an error either. */
function asFailure(error: unknown, { url, options }: ServerRequestKind): CliError {
  const { text } = createReportRedactor(options);
  if (error instanceof CliError) return new CliError(text(error.message), { exitCode: error.exitCode });
  const message = errorMessage(error);
  if (error instanceof TargetNotFoundError) {
    return new CliError(text(`${plain(url)}: ${message}${adviceFor(message)}`), { exitCode: EXIT_CODES['no-target'] });
  }
  if (error instanceof UnknownToolError) return usageError(text(`--tool, --skip-tool or --input: ${message}`));
  return new CliError(text(`the suite broke: ${message}`), { exitCode: EXIT_CODES['harness-error'] });
}

function adviceFor(message: string): string {
  if (/certificate.required|handshake.failure|alert.bad.certificate/i.test(message)) {
    return '; it may want to see a certificate of yours: give it by --cert <file> --key <file>';
  }
  if (/certificate/i.test(message))
    return '; name its authority with --ca <file>, or leave it unchecked with --insecure';
  return /cannot be reached/.test(message) ? '; check the address, and that the server runs' : '';
}

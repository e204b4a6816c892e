import type { CheckResult, ConformanceResults } from '../../../generated/conformance-results.ts';
import { requirements } from '../../../generated/requirements.ts';
import { groupBy, withoutCredentials, withoutTrailingSlashes } from '../../core/index.ts';
import type { ClientRun } from '../client/index.ts';
import type { ConformanceOptions } from '../options.ts';
import type { CheckRunResult, ConformanceRun } from '../result.ts';
import { createReportRedactor, type ReportRedactor, toEvidence } from './evidence.ts';
import { decideVerdict, type ExpectedFailures, summarizeResults, type VerdictPolicy } from './verdict.ts';

export type { CheckResult, ConformanceResults };

export interface ResultsParts extends VerdictPolicy {
  /** Options of the run, whose secrets and headers are masked. */
  readonly options: Pick<ConformanceOptions, 'secrets' | 'headers'>;
  /** Ids of all checks, of all profiles. */
  readonly knownChecks: readonly string[];
  /** Keeps all exchanges of passed checks too. @default false */
  readonly keepAll?: boolean;
  /** Options that curl needs to reach the server, such as `-k`. @default none */
  readonly curlOptions?: readonly string[];
}

/**
 * Converts a run to the form of reports, without secrets.
 *
 * @example
 * const run = await runChecks(new URL(url), options, { checks: serverChecks, inputs, suite: 'mine 1.0' });
 * const results = toConformanceResults(run, { options, knownChecks: serverChecks.map(({ id }) => id) });
 * process.exitCode = results.verdict.exit_code;
 */
export function toConformanceResults(
  run: ConformanceRun | ClientRun,
  { options, knownChecks, keepAll = false, curlOptions = [], ...policy }: ResultsParts,
): ConformanceResults {
  const redactor = createReportRedactor(options);
  const results = run.results.map((result) => ({
    ...checkResult(result, redactor, policy.expectations ?? new Map()),
    ...toEvidence(result, redactor, { keepAll, curlOptions }),
  }));
  const summary = summarizeResults(results);
  const { seconds, ...budget } = run.budget;
  return {
    schema_version: 1,
    suite: run.suite,
    requirements_revision: run.requirements,
    subject: 'client' in run ? 'client' : 'server',
    client: 'client' in run && run.client !== undefined ? redactor.text(run.client) : null,
    url: redactor.text(withoutTrailingSlashes(withoutCredentials(run.url))),
    environment: redactor.text(run.environment),
    environments: run.environments.map(redactor.text),
    started_at: run.startedAt,
    duration_ms: run.durationMs,
    interrupted: policy.interrupted !== undefined,
    profiles: [...run.profiles],
    seed: run.seed,
    budget: { ...budget, seconds: Number.isFinite(seconds) ? seconds : null },
    used: run.used,
    summary,
    verdict: decideVerdict(results, summary, policy, knownChecks),
    results,
  };
}

function checkResult(result: CheckRunResult, redactor: ReportRedactor, expectations: ExpectedFailures) {
  const { state, message, requirement } = result;
  const { document, heading } = requirements[requirement].source;
  const mayBeExpected = state === 'fail' || state === 'warn';
  const expected = mayBeExpected ? expectations.get(result.check) : undefined;
  return {
    check: result.check,
    title: result.title,
    requirement,
    level: result.level,
    contested: result.contested,
    sentence: result.sentence,
    document,
    heading,
    state,
    violated: result.violated,
    expected_failure: expected?.reason ?? null,
    ...(expected?.sdk !== undefined && { of_sdk: expected.sdk }),
    message: message === undefined ? null : redactor.text(message),
    notes: result.notes.map(redactor.text),
    duration_ms: result.durationMs,
  };
}

/** Returns the group of a check: its id up to the last slash. */
const checkGroup = ({ check }: { readonly check: string }): string => check.slice(0, check.lastIndexOf('/'));

/**
 * Groups results by the ids of their checks, up to the last slash. Keeps their order.
 *
 * @example
 * const { results } = parseResults(await readFile('results.json', 'utf8'));
 * const groups = groupResults(results).map(({ group }) => group); // ['discovery', 'error', ...]
 */
export function groupResults<T extends { readonly check: string }>(
  results: readonly T[],
): { readonly group: string; readonly results: readonly T[] }[] {
  return [...groupBy(results, checkGroup)].map(([group, ofGroup]) => ({ group, results: ofGroup }));
}

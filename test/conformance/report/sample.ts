import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { type RequirementId, requirements } from '../../../generated/requirements.ts';
import type { Exchange } from '../../../src/conformance/probe/index.ts';
import { type ResultsParts, toConformanceResults } from '../../../src/conformance/report/results.ts';
import type { CheckRunResult, CheckState, ConformanceRun } from '../../../src/conformance/result.ts';

/** Returns an exchange of /health. */
export function exchange(parts: Partial<Exchange> & { readonly answer?: string } = {}): Exchange {
  const { answer = '{"status":"ok"}', ...given } = parts;
  return {
    number: 1,
    method: 'GET',
    url: 'http://127.0.0.1:1/health',
    requestHeaders: [],
    requestBody: undefined,
    sentAt: 10,
    status: 200,
    responseHeaders: [['Content-Type', 'application/json']],
    chunks: [{ at: 12.34, bytes: Buffer.from(answer) }],
    headAt: 12,
    endedAt: 13,
    ...given,
  };
}

const OF_LEVEL = { must: 'ORS-DISC-001', should: 'ORS-DISC-006', may: 'ORS-DISC-028' } as const;

/** Returns the result of a check: `result('session/ping', 'fail')`. */
export function result(
  check: `${string}/${string}`,
  state: CheckState,
  { level = 'must', ...parts }: Partial<CheckRunResult> = {},
): CheckRunResult {
  const requirement: RequirementId = OF_LEVEL[level];
  return {
    check,
    title: 'It holds',
    requirement,
    level,
    sentence: requirements[requirement].sentence,
    contested: false,
    state,
    violated: state === 'fail' || state === 'warn',
    ...(state !== 'pass' && { message: `${check} is ${state}` }),
    notes: [],
    durationMs: 5,
    exchanges: [exchange()],
    ...parts,
  };
}

export function run(results: readonly CheckRunResult[], parts: Partial<ConformanceRun> = {}): ConformanceRun {
  return {
    url: 'http://127.0.0.1:1/',
    suite: 'ors-kit 1.2.3',
    requirements: 'abc',
    profiles: ['core'],
    seed: 1,
    startedAt: '2025-03-01T12:00:00.000Z',
    durationMs: 1_234,
    environment: 'lab',
    environments: ['lab'],
    budget: { sessions: 3, calls: 2, seconds: 120 },
    used: { sessions: 1, calls: 1 },
    results,
    ...parts,
  };
}

/** Returns results of a run in the form of reports. */
export function reported(results: readonly CheckRunResult[], parts: Partial<ResultsParts> = {}): ConformanceResults {
  return toConformanceResults(run(results), { options: {}, knownChecks: results.map(({ check }) => check), ...parts });
}

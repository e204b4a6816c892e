import { assume, assumeApplicable, NotApplicableError, normalizeSuiteError, UntestableError } from './assertions.ts';
import type { CheckPrerequisite, ConformanceCheck } from './check.ts';
import type { InputGenerator } from './inputs/create-inputs.ts';
import { type ConformanceOptions, PROFILE_INCLUDES, type Profile } from './options.ts';
import { type BudgetLimits, ProbeConnection, ProbeRequests, type TargetProcess } from './probe/index.ts';
import { allowedTools, firstSample, MAX_SHARED_CALLS } from './shared.ts';
import { discoverTarget, EXTENSION_TOOLS, FIXTURE, isFixture, type TestTarget } from './target.ts';

/**
 * Returns the checks of a run, in the order of the list.
 *
 * @example
 * const checks = selectChecks(serverChecks, { profiles: ['full'], skip: ['hostile'] });
 */
export function selectChecks(
  checks: readonly ConformanceCheck[],
  { profiles = ['core'], only, skip = [] }: Pick<ConformanceOptions, 'profiles' | 'only' | 'skip'>,
): ConformanceCheck[] {
  const included = new Set<Profile>(profiles.flatMap((profile) => PROFILE_INCLUDES[profile]));
  return checks.filter(
    (check) =>
      included.has(check.profile) && (only === undefined || matchesName(check, only)) && !matchesName(check, skip),
  );
}

/**
 * Returns whether one of the names is the id, a group or the requirement of a check.
 *
 * @example
 * const sessionChecks = serverChecks.filter((check) => matchesName(check, ['session', 'ORS-EPI-001']));
 */
export const matchesName = (
  { id, requirement }: Pick<ConformanceCheck, 'id' | 'requirement'>,
  names: readonly string[],
): boolean =>
  names.some((name) => id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`) || requirement === name);

const SHARED = { sessions: 1, calls: MAX_SHARED_CALLS };
const CORE_SECONDS = 120;

/** Returns the maximum that these checks can need, within the limits of the options. */
export function computeBudget(
  checks: readonly ConformanceCheck[],
  { maxCalls, maxSeconds, noToolCalls, profiles = ['core'] }: ConformanceOptions,
): BudgetLimits {
  const usesShared = checks.some(({ profile }) => profile !== 'discovery');
  const sum = (kind: 'sessions' | 'calls') =>
    checks.reduce((total, { cost }) => total + (cost?.[kind] ?? 0), usesShared ? SHARED[kind] : 0);
  const isSmall = profiles.every((profile) => profile === 'discovery' || profile === 'core');
  return {
    sessions: sum('sessions'),
    calls: noToolCalls ? 0 : Math.min(maxCalls ?? Infinity, sum('calls')),
    seconds: maxSeconds ?? (isSmall ? CORE_SECONDS : Infinity),
  };
}

/** The things that prerequisites of checks refer to. */
export interface CheckResources {
  readonly target: TestTarget;
  readonly process: TargetProcess | undefined;
  /** Rejects with UntestableError if no tool can be called. */
  sample(): Promise<unknown>;
}

/** @throws UntestableError if a prerequisite is missing; NotApplicableError if a server may lack it */
export async function assertPrerequisite(need: CheckPrerequisite, resources: CheckResources): Promise<void> {
  const { target, process } = resources;
  const { name, tools, terminalTool, split } = target.environment;
  if (need === 'task') return assume(split, `environment '${name}' has no split with a task`);
  if (need === 'call') return void (await resources.sample());
  if (need === 'environments') return assumeApplicable(target.other, 'the server has only one environment');
  if (need === 'process') return assume(process, 'needs --start, so that the suite may stop the server');
  assume(isFixture(name), `needs the fixture environment '${FIXTURE}' (docs/development/conformance-fixture.md)`);
  const tool = need.slice('fixture:'.length);
  // 'only_here' is a task tool, which discovery does not list.
  const isAvailable = need === 'fixture' || tool === 'only_here' || tools.some((each) => each.name === tool);
  if (isAvailable || terminalTool?.name === tool) return;
  const isExtension = EXTENSION_TOOLS.some((each) => each === tool);
  assumeApplicable(!isExtension, `the fixture on this server has no tool '${tool}', which belongs to an extension`);
  assume(false, `the fixture on this server has no tool '${tool}'`);
}

/**
 * The checks that a run would make, and its budget.
 *
 * @example
 * const testable = ({ checks }: ConformancePlan) => checks.filter(({ missing }) => missing === undefined);
 */
export interface ConformancePlan {
  readonly environment: string;
  readonly environments: readonly string[];
  readonly budget: BudgetLimits;
  readonly checks: readonly PlannedCheck[];
}

export interface PlannedCheck {
  readonly check: ConformanceCheck;
  /** The missing prerequisite; undefined if discovery shows none. */
  readonly missing: string | undefined;
}

/** The parts of a run that planning needs. */
export interface PlanParts {
  readonly checks: readonly ConformanceCheck[];
  readonly inputs: InputGenerator;
  /** The server's process, if the suite has started it. */
  readonly process?: TargetProcess;
}

/**
 * Determines by discovery alone which checks a run with these options would make.
 *
 * @throws TargetNotFoundError if no ORS server responds at the URL
 * @example
 * await using inputs = createInputGenerator();
 * const plan = await planChecks(new URL('http://localhost:8080'), {}, { checks: serverChecks, inputs });
 * const untestable = plan.checks.filter(({ missing }) => missing !== undefined);
 */
export async function planChecks(url: URL, options: ConformanceOptions, parts: PlanParts): Promise<ConformancePlan> {
  const { headers = [], tls = {}, timeoutMs = 30_000 } = options;
  using connection = new ProbeConnection({ url, headers, timeoutMs, tls });
  const target = await discoverTarget(new ProbeRequests(connection), options);
  const checks = selectChecks(parts.checks, options);
  const planned = checks.map(async (check) => ({
    check,
    missing: await missingPrerequisite(check, target, options, parts),
  }));
  return {
    environment: target.environment.name,
    environments: target.names,
    budget: computeBudget(checks, options),
    checks: await Promise.all(planned),
  };
}

async function missingPrerequisite(
  { needs = [] }: ConformanceCheck,
  target: TestTarget,
  options: ConformanceOptions,
  { inputs, process }: PlanParts,
): Promise<string | undefined> {
  const sample = async () => {
    assume(!options.noToolCalls, 'tool calls are not allowed');
    // Task tools are visible only in an episode.
    if (target.environment.tools.length > 0)
      await firstSample(allowedTools(target.environment, options), options, inputs);
  };
  try {
    for (const need of needs) await assertPrerequisite(need, { target, process, sample });
    return undefined;
  } catch (thrown) {
    const error = normalizeSuiteError(thrown);
    if (error instanceof UntestableError || error instanceof NotApplicableError) return error.message;
    throw error;
  }
}

import { setImmediate } from 'node:timers/promises';
import type { OrsClient, RemoteEnvironment } from '../client/index.ts';
import { createInputGenerator } from '../conformance/index.ts';
import {
  createRedactor,
  deadlineSignal,
  definedFields,
  type Redactor,
  settlesWithin,
  UnknownNameError,
} from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import {
  CLOSE_TIMEOUT_MS,
  closeSecondCopies,
  errorDetail,
  openClient,
  selectEnvironments,
  type TrialTarget,
} from '../trial/index.ts';
import type { Attack, TaskView } from './attack.ts';
import { attacks } from './attacks/index.ts';
import { measureFloor } from './floor.ts';
import { pays, type RewardScale } from './judge.ts';
import { type ObservedEnvironment, observeEnvironment } from './observe.ts';
import type { AttackResult, AuditFinding, AuditOptions, AuditPlan, AuditReport, EnvironmentAudit } from './options.ts';
import { createSolver, findPayingCalls, PAYING_TASKS } from './paying-calls.ts';
import { exploredTasks, planAttacks, reasonNotToCall, reasonToSkip } from './plan.ts';
import {
  type AuditBudget,
  BudgetError,
  CLOSE_GRACE_MS,
  createExplorer,
  createTranscriptPlayer,
  type PlayerSettings,
  request,
  type TranscriptPlayer,
} from './play-transcript.ts';
import { type AttemptResult, proveAttempt } from './prove.ts';

/** Options of one environment with their defaults. */
type AuditSettings = Required<
  Pick<AuditOptions, 'tasks' | 'budgetMs' | 'maxSessions' | 'maxCalls' | 'timeoutMs' | 'seed'>
> &
  Required<Pick<AuditOptions, 'secrets' | 'ownsEnvironment' | 'dryRun' | 'signal' | 'inputs'>> &
  Pick<AuditOptions, 'split' | 'maxReward'>;

interface AuditedEnvironment {
  readonly remote: RemoteEnvironment;
  readonly source: Environment | undefined;
}

/** Work that all environments of an audit share. */
interface AuditRun {
  readonly selected: readonly Attack[];
  readonly settings: AuditSettings;
  readonly findings: AuditFinding[];
  readonly redactor: Redactor;
  /** Number of environments. */
  readonly environments: number;
  readonly onAttack: () => void;
}

/** Share of the sessions of the budget, and of the time that is left, that one attack may use. */
const ATTACK_SHARE = 0.2;
const ATTACK_TIME_SHARE = 0.25;
/** Time after which attempts without a request let timers and interrupts run. */
const YIELD_MS = 50;

/**
 * Attacks environments without a model, and proves each exploit that it finds by replaying it in new sessions. A target with
 * the code of environments is attacked in the same way; only `solve` and `maxReward` are used in addition.
 *
 * An environment whose audit fails has a `failure` in the report; the others are audited nevertheless.
 *
 * @throws RangeError for invalid options; Error for an unknown environment or attack; OrsConnectionError if a server cannot
 *   be reached.
 * @example
 * const { findings } = await audit(await loadTarget('environment.ts'), { tasks: 10 });
 * const proofs = findings.filter(({ kind }) => kind === 'proof');
 */
export async function audit(target: TrialTarget, options: AuditOptions = {}): Promise<AuditReport> {
  await using _copies = { [Symbol.asyncDispose]: () => closeSecondCopies(target) };
  const { seed = 1, inputs = createInputGenerator({ seed }) } = options;
  await using _ownInputs = options.inputs ? undefined : inputs;
  const settings = readSettings({ ...options, seed, inputs });
  const selected = selectAttacks(options.attacks);
  const began = performance.now();
  const opened = await openClient(target, settings.timeoutMs);
  let closeMs = CLOSE_TIMEOUT_MS;
  const close = async () => void (await settlesWithin(closeMs, opened[Symbol.asyncDispose]()));
  await using _opened = { [Symbol.asyncDispose]: close };
  const environments = selectEnvironments(
    await listEnvironments(target, opened.client, settings),
    options.environments,
  );
  const audited: EnvironmentAudit[] = [];
  let done = 0;
  const run: AuditRun = {
    selected,
    settings,
    findings: [],
    redactor: createRedactor(settings.secrets),
    environments: environments.length,
    onAttack: () => options.onProgress?.(++done, environments.length * selected.length),
  };
  for (const [at, environment] of environments.entries()) {
    audited.push(await auditEnvironment(environment, run));
    done = (at + 1) * selected.length;
    if (settings.signal.aborted) break;
  }
  const interrupted = settings.signal.aborted;
  // Tools that never return would delay the end of a budget.
  if (interrupted || audited.some(({ isExhausted }) => isExhausted)) closeMs = CLOSE_GRACE_MS;
  const { dryRun } = settings;
  const durationMs = performance.now() - began;
  return { version: 1, dryRun, seed, findings: run.findings, environments: audited, interrupted, durationMs };
}

async function listEnvironments(target: TrialTarget, client: OrsClient, settings: AuditSettings) {
  const { signal, timeoutMs, budgetMs } = settings;
  const limits = { signal, timeoutMs: Math.min(timeoutMs, budgetMs) };
  const sources = 'client' in target ? [] : target.environments;
  const names =
    'client' in target
      ? await request(limits, (deadline) => client.environments({ signal: deadline }))
      : sources.map(({ name }) => name);
  return names.map((name, at): AuditedEnvironment => ({ remote: client.environment(name), source: sources[at] }));
}

/** State of the audit of one environment, also after a failure. */
interface EnvironmentProgress {
  observed?: ObservedEnvironment;
  plan?: AuditPlan;
  readonly results: AttackResult[];
}

/** Audits an environment within its budget. @throws UnknownNameError for a split that the only environment does not have. */
async function auditEnvironment(environment: AuditedEnvironment, run: AuditRun): Promise<EnvironmentAudit> {
  const { budgetMs, maxSessions, maxCalls, timeoutMs, secrets, signal, split } = run.settings;
  const began = performance.now();
  const budget: AuditBudget = { endsAt: began + budgetMs, maxSessions, maxCalls, sessions: 0, calls: 0 };
  const deadline = deadlineSignal(budgetMs, () => new BudgetError('the time limit'), signal);
  const progress: EnvironmentProgress = { results: [] };
  let isExhausted = false;
  let failure: string | undefined;
  try {
    await attackEnvironment(environment, run, { secrets, timeoutMs, signal: deadline.signal, budget }, progress);
  } catch (error) {
    // A mistake of the caller, not of the environment.
    if (error instanceof UnknownNameError && run.environments === 1) throw error;
    const message = run.redactor.text(errorDetail(error));
    let reason = 'the audit was interrupted';
    if (!signal.aborted) {
      isExhausted = error instanceof BudgetError || deadline.isTimedOut;
      reason = `${isExhausted ? 'the budget ended' : 'the audit failed'}: ${message}`;
      if (!isExhausted) failure = message;
      else if (!progress.observed) failure = `${reason}, before the tasks were read`;
    }
    for (const { id } of run.selected.slice(progress.results.length)) {
      progress.results.push({ attack: id, state: 'skipped', reason, attempts: 0 });
    }
  } finally {
    deadline.release();
  }
  const { observed, results, plan } = progress;
  return {
    name: environment.remote.name,
    split: observed?.split ?? split ?? '',
    tasks: observed?.views.length ?? 0,
    attacks: results,
    skippedTools: observed?.skippedTools ?? [],
    sessions: budget.sessions,
    calls: budget.calls,
    isExhausted,
    ...definedFields({ failure, plan }),
    durationMs: performance.now() - began,
  };
}

async function attackEnvironment(
  { remote, source }: AuditedEnvironment,
  { selected, settings, findings, redactor, onAttack }: AuditRun,
  player: PlayerSettings,
  progress: EnvironmentProgress,
): Promise<void> {
  const observed = await observeEnvironment(remote, settings, player);
  progress.observed = observed;
  if (settings.dryRun) {
    const { results, plan } = planAttacks(observed, selected, player.budget, source?.hooks.solve !== undefined);
    progress.results.push(...results);
    progress.plan = plan;
    return;
  }
  const nothingToCall = reasonNotToCall(observed);
  if (nothingToCall !== undefined) throw new Error(nothingToCall);
  const play = createTranscriptPlayer(remote, player);
  const scale = { max: source?.maxReward ?? settings.maxReward, floor: await measureFloor(observed, play) };
  const solver = source && createSolver(source, remote, player, observed.skippedTools);
  const environment = await withPayingCalls(observed, selected, play, solver, scale.max);
  for (const attack of selected) {
    const { found, ...result } = await runAttack(attack, environment, scale, play, player);
    progress.results.push(result);
    if (found) findings.push(toFinding(attack, found, environment, scale, remote.name, redactor));
    onAttack();
  }
}

/** Adds calls that earn a reward to the first tasks, if an attack needs them. */
async function withPayingCalls(
  observed: ObservedEnvironment,
  selected: readonly Attack[],
  play: TranscriptPlayer,
  solver: Parameters<typeof findPayingCalls>[3],
  maxReward: number | undefined,
): Promise<ObservedEnvironment> {
  if (selected.every(({ paying }) => paying === undefined)) return observed;
  const views: TaskView[] = [];
  for (const [at, view] of observed.views.entries()) {
    const paying = at < PAYING_TASKS ? await findPayingCalls(observed, view, play, solver, maxReward) : undefined;
    views.push({ ...view, paying });
  }
  return { ...observed, views };
}

interface AttackRun extends AttackResult {
  readonly found?: AttemptResult & { readonly what: string };
}

async function runAttack(
  attack: Attack,
  environment: ObservedEnvironment,
  scale: RewardScale,
  play: TranscriptPlayer,
  { budget, signal }: PlayerSettings,
): Promise<AttackRun> {
  const { id } = attack;
  const skipped = reasonToSkip(attack, environment);
  if (skipped !== undefined) return { attack: id, state: 'skipped', reason: skipped, attempts: 0 };
  const explored = exploredTasks(attack, environment);
  const maxSessions = budget.sessions + budget.maxSessions * ATTACK_SHARE;
  const endsAt = performance.now() + (budget.endsAt - performance.now()) * ATTACK_TIME_SHARE;
  const explore = createExplorer(play);
  let attempts = 0;
  let suspicion: AttackRun['found'];
  let reason: string | undefined;
  let yieldsAt = performance.now() + YIELD_MS;
  for (const attempt of attack.attempts(environment)) {
    if (performance.now() > yieldsAt) {
      await setImmediate();
      yieldsAt = performance.now() + YIELD_MS;
    }
    signal.throwIfAborted();
    if (budget.sessions > maxSessions || performance.now() > endsAt) {
      reason = 'its share of the budget was used up';
      break;
    }
    attempts++;
    for (const view of explored) {
      const steps = attempt.steps(view);
      if (!steps || !pays(attack, await explore(view, steps), scale)) continue;
      const result = await proveAttempt(attack, attempt, environment, scale, play);
      const found = result && { what: attempt.what, ...result };
      if (found?.kind === 'proof') return { attack: id, state: 'proof', attempts, found };
      suspicion ??= found;
      break;
    }
  }
  const result = { attack: id, attempts, ...(reason !== undefined && { reason }) };
  return suspicion ? { ...result, state: 'suspicion', found: suspicion } : { ...result, state: 'clean' };
}

function toFinding(
  { id, category, title, advice }: Attack,
  { kind, what, reason, reward, paid, tried, replays }: AttemptResult & { readonly what: string },
  { split }: ObservedEnvironment,
  { floor, max }: RewardScale,
  environment: string,
  redactor: Redactor,
): AuditFinding {
  return {
    kind,
    attack: id,
    category,
    title,
    environment,
    split,
    what: redactor.text(what),
    ...(reason !== undefined && { reason }),
    advice,
    reward,
    floor,
    maxReward: max ?? null,
    paid,
    tried,
    replays: replays.map(({ calls, ...replay }) => ({
      ...replay,
      calls: calls.map((call) => ({ ...call, text: redactor.text(call.text) })),
    })),
  };
}

/** @throws RangeError */
function readSettings(options: AuditOptions & Pick<AuditSettings, 'seed' | 'inputs'>): AuditSettings {
  const settings = {
    tasks: 20,
    budgetMs: 120_000,
    maxSessions: 5_000,
    maxCalls: 100_000,
    timeoutMs: 30_000,
    secrets: {},
    ownsEnvironment: false,
    dryRun: false,
    signal: new AbortController().signal,
    ...options,
  };
  for (const name of ['tasks', 'budgetMs', 'maxSessions', 'maxCalls', 'timeoutMs'] as const) {
    const value = settings[name];
    if (Number.isFinite(value) && value >= 1) continue;
    throw new RangeError(`invalid ${name}: expected a number of at least 1, got ${value}`);
  }
  return settings;
}

/** @throws RangeError for a prefix that no attack has. */
function selectAttacks(prefixes: readonly string[] | undefined): readonly Attack[] {
  if (prefixes === undefined) return attacks;
  const unknown = prefixes.find((prefix) => !attacks.some(({ id }) => id.startsWith(prefix.toUpperCase())));
  if (unknown !== undefined) {
    throw new UnknownNameError(
      'attack',
      unknown,
      attacks.map(({ id }) => id),
    );
  }
  return attacks.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix.toUpperCase())));
}

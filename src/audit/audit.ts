import type { RemoteEnvironment } from '../client/index.ts';
import { createInputGenerator } from '../conformance/index.ts';
import { createRedactor, type Redactor, sum } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import { closeSecondCopies, openClient, selectEnvironments, type TrialTarget } from '../trial/index.ts';
import type { Attack, TaskView } from './attack.ts';
import { attacks } from './attacks/index.ts';
import { createExplorer } from './explore.ts';
import { FLOOR_SESSIONS, measureFloor } from './floor.ts';
import { pays, type RewardScale } from './judge.ts';
import { type ObservedEnvironment, observeEnvironment } from './observe.ts';
import type { AttackResult, AuditFinding, AuditOptions, AuditReport, EnvironmentAudit } from './options.ts';
import { createSolver, findPayingCalls, MAX_TRIES } from './paying-calls.ts';
import {
  type AuditBudget,
  BudgetError,
  createTranscriptPlayer,
  type PlayerSettings,
  type TranscriptPlayer,
} from './play-transcript.ts';
import { type AttemptResult, proveAttempt } from './prove.ts';

/** Options of one environment with their defaults. */
type AuditSettings = Required<Pick<AuditOptions, 'tasks' | 'budgetMs' | 'maxSessions' | 'timeoutMs' | 'seed'>> &
  Required<Pick<AuditOptions, 'secrets' | 'ownsEnvironment' | 'dryRun' | 'signal' | 'inputs'>> &
  Pick<AuditOptions, 'split' | 'maxReward'>;

interface AuditedEnvironment {
  readonly remote: RemoteEnvironment;
  readonly source: Environment | undefined;
}

/** Tasks on which an attempt is explored before it is replayed on all. */
const EXPLORED_TASKS = 2;
/** Share of the sessions of the budget, and of the time that is left, that one attack may use. */
const ATTACK_SHARE = 0.2;
const ATTACK_TIME_SHARE = 0.25;
/** Tasks for which calls that earn a reward are searched. */
const PAYING_TASKS = 6;

/**
 * Attacks environments without a model, and proves each exploit that it finds by replaying it in new sessions. A target with
 * the code of environments is attacked in the same way; only `solve` and `maxReward` are used in addition.
 *
 * @throws RangeError for invalid options; Error for an unknown environment, split or attack; OrsConnectionError if a server
 *   cannot be reached.
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
  await using opened = await openClient(target, settings.timeoutMs);
  const sources = 'client' in target ? [] : target.environments;
  const names =
    'client' in target
      ? await opened.client.environments({ signal: settings.signal })
      : sources.map(({ name }) => name);
  const all = names.map((name, at) => ({ remote: opened.client.environment(name), source: sources[at] }));
  const environments = selectEnvironments(all, options.environments);
  const findings: AuditFinding[] = [];
  const audited: EnvironmentAudit[] = [];
  let interrupted = false;
  let done = 0;
  const onAttack = () => options.onProgress?.(++done, environments.length * selected.length);
  try {
    for (const environment of environments) {
      audited.push(await auditEnvironment(environment, selected, settings, findings, onAttack));
    }
  } catch (error) {
    if (!settings.signal.aborted) throw error;
    interrupted = true;
  }
  const { dryRun } = settings;
  return {
    version: 1,
    dryRun,
    seed,
    findings,
    environments: audited,
    interrupted,
    durationMs: performance.now() - began,
  };
}

async function auditEnvironment(
  { remote, source }: AuditedEnvironment,
  selected: readonly Attack[],
  settings: AuditSettings,
  findings: AuditFinding[],
  onAttack: () => void,
): Promise<EnvironmentAudit> {
  const began = performance.now();
  const { budgetMs, maxSessions, dryRun, secrets, signal, timeoutMs } = settings;
  const budget: AuditBudget = { endsAt: began + budgetMs, maxSessions, sessions: 0, calls: 0 };
  const player: PlayerSettings = { secrets, signal, timeoutMs, budget };
  const observed = await observeEnvironment(remote, settings, player);
  const play = createTranscriptPlayer(remote, player);
  const max = source?.maxReward ?? settings.maxReward;
  const results: AttackResult[] = [];
  const redactor = createRedactor(secrets);
  let isExhausted = false;
  try {
    const scale = { max, floor: dryRun ? 0 : await measureFloor(observed, play) };
    const solver = source && createSolver(source, remote, player, observed.skippedTools);
    const environment = dryRun ? observed : await withPayingCalls(observed, selected, play, solver);
    for (const attack of selected) {
      const { found, ...result } = dryRun
        ? planAttack(attack, environment)
        : await runAttack(attack, environment, scale, play, budget);
      results.push(result);
      if (found) findings.push(toFinding(attack, found, environment, scale, remote.name, redactor));
      onAttack();
    }
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    isExhausted = true;
    const reason = `the budget ended: ${error.message}`;
    for (const { id } of selected.slice(results.length)) {
      results.push({ attack: id, state: 'skipped', reason, attempts: 0 });
    }
  }
  const { split, views, skippedTools } = observed;
  const used = { sessions: budget.sessions, calls: budget.calls, isExhausted, durationMs: performance.now() - began };
  return { name: remote.name, split, tasks: views.length, attacks: results, skippedTools, ...used };
}

/** Adds calls that earn a reward to the first tasks, if an attack needs them. */
async function withPayingCalls(
  observed: ObservedEnvironment,
  selected: readonly Attack[],
  play: TranscriptPlayer,
  solver: Parameters<typeof findPayingCalls>[3],
): Promise<ObservedEnvironment> {
  if (selected.every(({ paying }) => paying === undefined)) return observed;
  const views: TaskView[] = [];
  for (const [at, view] of observed.views.entries()) {
    const paying = at < PAYING_TASKS ? await findPayingCalls(observed, view, play, solver) : undefined;
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
  budget: AuditBudget,
): Promise<AttackRun> {
  const { id } = attack;
  const skipped = reasonToSkip(attack, environment);
  if (skipped !== undefined) return { attack: id, state: 'skipped', reason: skipped, attempts: 0 };
  const explored = environment.views.slice(0, attack.proof === 'constant' ? 1 : EXPLORED_TASKS);
  const maxSessions = budget.sessions + budget.maxSessions * ATTACK_SHARE;
  const endsAt = performance.now() + (budget.endsAt - performance.now()) * ATTACK_TIME_SHARE;
  const explore = createExplorer(play);
  let attempts = 0;
  let suspicion: AttackRun['found'];
  let reason: string | undefined;
  for (const attempt of attack.attempts(environment)) {
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

function reasonToSkip({ paying: use }: Attack, { tools, views }: ObservedEnvironment): string | undefined {
  if (tools.length === 0) return 'no tool can be called';
  const hasPaying = views.some(({ paying }) => paying !== undefined);
  return use === 'needed' && !hasPaying ? 'no call that earns a reward is known' : undefined;
}

/** Counts the attempts of an attack without making them. */
function planAttack(attack: Attack, environment: ObservedEnvironment): AttackRun {
  const attempts = Array.from(attack.attempts(environment)).length;
  return { attack: attack.id, state: 'skipped', reason: 'dry run', attempts };
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
    timeoutMs: 30_000,
    secrets: {},
    ownsEnvironment: false,
    dryRun: false,
    signal: new AbortController().signal,
    ...options,
  };
  for (const name of ['tasks', 'budgetMs', 'maxSessions', 'timeoutMs'] as const) {
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
    throw new RangeError(`unknown attack '${unknown}'; the attacks are ${attacks.map(({ id }) => id).join(', ')}`);
  }
  return attacks.filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix.toUpperCase())));
}

/**
 * Number of attempts and sessions that an audit may need.
 *
 * @example
 * const { environments } = await audit({ environments: [environment] }, { dryRun: true });
 * const plans: AuditPlan[] = environments.map(planOf);
 */
export interface AuditPlan {
  readonly attempts: number;
  /** Upper bound before the replays of what pays. */
  readonly sessions: number;
}

/**
 * Returns what an audit of an environment may need, from the result of a dry run.
 *
 * @example
 * const { environments } = await audit({ environments: [environment] }, { dryRun: true });
 * const plans = environments.map(planOf);
 */
export function planOf({ attacks: results, sessions }: EnvironmentAudit): AuditPlan {
  const attempts = sum(results.map((result) => result.attempts));
  return { attempts, sessions: sessions + FLOOR_SESSIONS + PAYING_TASKS * MAX_TRIES + attempts * EXPLORED_TASKS };
}

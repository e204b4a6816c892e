import type { OrsClient, RemoteEnvironment } from '../client/index.ts';
import { createInputGenerator } from '../conformance/index.ts';
import { isRecord } from '../core/index.ts';
import type { Attack, AuditContext } from './attack.ts';
import { attacks } from './attacks/index.ts';
import { toReward, type UnmetClaim, unmetClaim } from './judge.ts';
import { observeEnvironment } from './observe.ts';
import type { AuditFinding, AuditReplay, SessionWrapper } from './options.ts';
import { createTranscriptPlayer, type PlayerSettings } from './play-transcript.ts';
import type { CallStep, TranscriptStep } from './transcript.ts';

/**
 * Options of `replayFinding`.
 *
 * @example
 * const options: ReplayFindingOptions = { secrets: { api_key: key }, timeoutMs: 10_000 };
 */
export interface ReplayFindingOptions {
  /** Secrets for the sessions. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Timeout of one response, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Maximum sum of rewards of an episode. @default that of the finding */
  readonly maxReward?: number;
  /** Calls tools too whose descriptions say that their effects cannot be undone. @default false */
  readonly ownsEnvironment?: boolean;
  /** Plays the transcripts as they are, without reading their values and the tools again. @default false */
  readonly isLiteral?: boolean;
  /** Wraps each session, for example to record it. */
  readonly wrap?: (session: Parameters<SessionWrapper>[0], replay: AuditReplay) => ReturnType<SessionWrapper>;
  readonly signal?: AbortSignal;
}

/**
 * Result of replaying a finding on one task.
 *
 * @example
 * const stillPays = (replayed: ReplayResult[]) => replayed.some(({ isReproduced }) => isReproduced);
 */
export interface ReplayResult extends AuditReplay {
  /** Reward that the report has for this task. */
  readonly expected: number | null;
  /** True if the replay shows what the attack claims. */
  readonly isReproduced: boolean;
  /** Claim that the replay does not meet. */
  readonly unmet?: UnmetClaim;
  /** Reason why the transcript could not be played. */
  readonly failure?: string;
}

/**
 * Replays the transcripts of a finding in new sessions, and judges them by the claim of the attack. Values that a leak has
 * revealed are read again from the environment: if players cannot read them any more, the finding is fixed.
 *
 * @throws OrsConnectionError if the server cannot be reached; Error if a transcript calls a tool whose description says that
 *   its effects cannot be undone.
 * @example
 * const finding = parseFinding(JSON.parse(await readFile('finding.json', 'utf8')));
 * const replayed = await replayFinding(client, finding);
 */
export async function replayFinding(
  client: OrsClient,
  finding: AuditFinding,
  options: ReplayFindingOptions = {},
): Promise<ReplayResult[]> {
  const { secrets = {}, timeoutMs = 30_000, isLiteral, wrap, signal = new AbortController().signal } = options;
  const remote = client.environment(finding.environment);
  const budget = {
    endsAt: Number.POSITIVE_INFINITY,
    maxSessions: Number.POSITIVE_INFINITY,
    maxCalls: Number.POSITIVE_INFINITY,
    sessions: 0,
    calls: 0,
  };
  const settings: PlayerSettings = { secrets, timeoutMs, signal, budget };
  const attack = attackOf(finding);
  const scale = { floor: finding.floor, max: options.maxReward ?? finding.maxReward ?? undefined };
  const stepsOf = isLiteral ? ({ steps }: AuditReplay) => steps : await rereadSteps(remote, finding, options, settings);
  const results: ReplayResult[] = [];
  for (const replay of finding.replays) {
    const { split, index, reward: expected } = replay;
    const steps = stepsOf(replay);
    if (!steps) {
      const unmet = { claim: 'readable', message: `players cannot read the value any more: ${finding.what}` } as const;
      results.push({ ...replay, calls: [], reward: 0, expected, isReproduced: false, unmet });
      continue;
    }
    const wrapSession: SessionWrapper | undefined = wrap && ((session) => wrap(session, replay));
    const play = createTranscriptPlayer(remote, { ...settings, wrap: wrapSession });
    const run = await play(replay, steps);
    const { calls, failure } = run;
    const unmet = failure === undefined ? unmetClaim(attack, run, scale) : undefined;
    results.push({
      ...{ split, index, steps, calls, reward: toReward(run.reward), expected },
      isReproduced: failure === undefined && unmet === undefined,
      ...(unmet && { unmet }),
      ...(failure !== undefined && { failure }),
    });
  }
  return results;
}

type StepsOfReplay = (replay: AuditReplay) => readonly TranscriptStep[] | undefined;

/** Returns a function that makes the steps of a leak again from what players can read now; undefined if they cannot. */
async function rereadSteps(
  remote: RemoteEnvironment,
  { attack: id, what, split, replays }: AuditFinding,
  { ownsEnvironment = false }: ReplayFindingOptions,
  settings: PlayerSettings,
): Promise<StepsOfReplay> {
  await using inputs = createInputGenerator();
  const indexes = [...new Set(replays.map(({ index }) => index))].sort((one, other) => one - other);
  const options = { tasks: indexes.length, indexes, split, seed: 1, ownsEnvironment, inputs };
  const observed = await observeEnvironment(remote, options, settings);
  const refused = replays
    .flatMap(({ steps }) => callsOf(steps))
    .find(({ tool }) => observed.skippedTools.includes(tool));
  if (refused) {
    throw new Error(
      `the finding calls '${refused.tool}', whose description says that its effects cannot be undone; pass --i-own-this if the environment is yours`,
    );
  }
  const attack = attackOf({ attack: id });
  if (!readsTask(attack, replays)) return ({ steps }) => steps;
  return ({ index, steps }) => currentSteps(attack, what, observed, index, steps);
}

const callsOf = (steps: readonly TranscriptStep[]): readonly CallStep[] =>
  steps.flatMap((step) => (step.do === 'call' ? [step] : step.do === 'together' ? step.calls : []));

/** Returns whether the values of transcripts are copies of what players read before the first call. */
const readsTask = ({ category, proof }: Attack, replays: readonly AuditReplay[]): boolean =>
  category === 'leak' &&
  proof === 'source' &&
  replays.every(({ steps }) => callsOf(steps).every(({ read, clock }) => !read && !clock));

/** Returns the steps of the same attempt on a task as it is now: those of the finding, if an attempt still yields them. */
function currentSteps(
  attack: Attack,
  what: string,
  observed: AuditContext,
  index: number,
  steps: readonly TranscriptStep[],
): readonly TranscriptStep[] | undefined {
  const view = observed.views.find((each) => each.index === index);
  if (!view) return undefined;
  const known = JSON.stringify(steps);
  let current: readonly TranscriptStep[] | undefined;
  for (const attempt of attack.attempts(observed)) {
    const made = attempt.what === what ? attempt.steps(view) : undefined;
    if (made && JSON.stringify(made) === known) return made;
    current ??= made;
  }
  return current;
}

/** @throws TypeError for an attack that does not exist. */
function attackOf({ attack: id }: Pick<AuditFinding, 'attack'>): Attack {
  const attack = attacks.find((each) => each.id === id);
  if (attack) return attack;
  throw new TypeError(`invalid finding: unknown attack '${id}'; it may be of another version of ors-kit`);
}

/** Longest wait and largest number of pings of a transcript. */
const MAX_WAIT_MS = 60_000;
const MAX_PINGS = 1_000;

/**
 * Parses the JSON of a finding.
 *
 * @throws TypeError if it is not a finding of `audit`.
 * @example
 * const finding = parseFinding(JSON.parse(await readFile('finding.json', 'utf8')));
 */
export function parseFinding(value: unknown): AuditFinding {
  const isFinding =
    isRecord(value) &&
    typeof value.environment === 'string' &&
    typeof value.attack === 'string' &&
    typeof value.split === 'string' &&
    typeof value.what === 'string' &&
    typeof value.floor === 'number' &&
    (value.maxReward === null || typeof value.maxReward === 'number') &&
    Array.isArray(value.replays) &&
    value.replays.every(isReplay);
  if (!isFinding) {
    throw new TypeError('invalid finding: expected a JSON file of ors audit, with attack, environment and replays');
  }
  // All fields that a replay uses have been checked.
  const finding = value as unknown as AuditFinding;
  attackOf(finding);
  return finding;
}

const isReplay = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.split === 'string' &&
  isIndex(value.index) &&
  (value.reward === null || typeof value.reward === 'number') &&
  Array.isArray(value.steps) &&
  value.steps.every(isStep);

function isStep(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { do: kind, session, index, ms, count, calls } = value;
  if (kind === 'call') return isCall(value);
  if (kind === 'together') return Array.isArray(calls) && calls.every(isCall);
  if (kind === 'open') return isTextOrMissing(session) && (index === undefined || isIndex(index));
  if (kind === 'close') return typeof session === 'string';
  if (kind === 'wait') return typeof ms === 'number' && ms >= 0 && ms <= MAX_WAIT_MS;
  return kind === 'ping' && isIndex(count) && Number(count) <= MAX_PINGS;
}

const isCall = (value: unknown): boolean =>
  isRecord(value) &&
  value.do === 'call' &&
  typeof value.tool === 'string' &&
  isRecord(value.input) &&
  isTextOrMissing(value.session) &&
  (value.again === undefined || value.again === 'during' || value.again === 'after') &&
  (value.read === undefined || isReference(value.read, 'pattern')) &&
  (value.clock === undefined || isReference(value.clock, 'unit'));

const isReference = (value: unknown, field: 'pattern' | 'unit'): boolean =>
  isRecord(value) && typeof value.at === 'string' && typeof value[field] === 'string';

const isTextOrMissing = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

import { OrsConnectionError, type Session } from '../../client/index.ts';
import { fieldsOf, firstJsonDifference, seededRandom, sleep, tryParseJson } from '../../core/index.ts';
import type { Durability, Environment } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { errorDetail, MemoryJournal, openClient, type RecordedEpisode, withDeadline } from '../../trial/index.ts';
import type { ReturnEvidence, ReturnProblem } from '../evidence.ts';
import type { ValidationSettings } from '../options.ts';
import { playEpisode } from './play-episode.ts';
import { callBySolve, callRandomly, type SampledTask, sampleEvenly } from './play-task.ts';
import type { TrialInputRegistry } from './trial-inputs.ts';

/** Maximum number of calls of an episode that comes back; later ones are ignored. */
const MAX_CALLS = 40;
/** Maximum number of returns of an episode alone. */
const MAX_RETURNS = 7;
/** Maximum number of calls in all returns of an episode alone. */
const MAX_CALLS_ALONE = 100;
/** Time after which an environment is not continued any more. */
const BUDGET_MS = 30_000;
/** Time between an episode and its first return, so that a time in seconds differs. */
const PAUSE_MS = 1_000;

type RecordedCall = RecordedEpisode['calls'][number];
type Outcome = NonNullable<RecordedCall['outcome']>;

/** A durable environment, and what its episodes need. */
interface DurableTrial {
  readonly source: Environment;
  readonly durability: Durability;
  readonly trials: TrialInputRegistry;
  readonly settings: ValidationSettings;
  /** Returns true once the time for this environment is over. */
  readonly isOver: () => boolean;
}

/**
 * Creates the function that plays a task on a server with a journal, continues the episode on new servers, each with the
 * journal as it was after one of the calls, and compares the results. All inputs of the environment's code are the same:
 * calls, random numbers, time and session id. Returns undefined for an environment that is not durable.
 */
export function createReturnObserver(
  source: Environment | undefined,
  trials: TrialInputRegistry,
  settings: ValidationSettings,
): ((task: SampledTask) => Promise<readonly ReturnEvidence[]>) | undefined {
  if (!source?.durability) return undefined;
  const { durability } = source;
  let spentMs = 0;
  let hasPaused = false;
  return async (task) => {
    const began = performance.now();
    const isOver = () => spentMs + performance.now() - began > BUDGET_MS;
    const trial: DurableTrial = { source, durability, trials, settings, isOver };
    const returns: ReturnEvidence[] = [];
    for (const kind of kindsOf(source, task)) {
      if (isOver()) break;
      const played = await playStraight(trial, task, kind);
      if (played.problem) returns.push({ kind, at: played.calls, how: 'not stored', problem: played.problem });
      if (!played.recorded) continue;
      if (!hasPaused) await sleep(PAUSE_MS, settings.signal);
      hasPaused = true;
      for await (const evidence of continueEverywhere(trial, played.recorded)) returns.push({ kind, ...evidence });
    }
    spentMs += performance.now() - began;
    return returns;
  };
}

const kindsOf = ({ hooks }: Environment, { isFirst }: SampledTask): readonly ReturnEvidence['kind'][] =>
  hooks.solve ? (isFirst ? ['solve', 'random'] : ['solve']) : ['random'];

/** Plays an episode to its end. Other rules report that it cannot be opened. */
async function playStraight(trial: DurableTrial, task: SampledTask, kind: ReturnEvidence['kind']) {
  const { source, trials, settings } = trial;
  const journal = new MemoryJournal();
  await using served = await openClient({ environments: [source] }, settings.timeoutMs, { journal });
  let sid = '';
  const run = await playEpisode(served.client.environment(source.name), task, { kind }, settings, (player, played) => {
    ({ sid } = player.session);
    if (kind === 'solve') return callBySolve(source, task, player, played, settings);
    return callRandomly(player, trials, seededRandom(settings.seed + task.index));
  });
  const recorded = journal.episodeOf(sid);
  const { calls = [] } = recorded ?? {};
  // The journal lacks the outcome of a call that was not stored, or that did not end in time.
  const end = calls.findIndex(({ outcome }) => outcome === undefined);
  const complete = calls.slice(0, end === -1 ? MAX_CALLS : Math.min(end, MAX_CALLS));
  const last = run.steps[end];
  const problem: ReturnProblem | undefined =
    last && last.outcome !== 'late'
      ? { call: describeCall(calls[end] as RecordedCall), message: last.text }
      : undefined;
  return {
    calls: complete.length,
    problem,
    recorded: recorded && complete.length > 0 ? { ...recorded, calls: complete } : undefined,
  };
}

/** Continues an episode after each call, until a result differs. */
async function* continueEverywhere(
  trial: DurableTrial,
  recorded: RecordedEpisode,
): AsyncGenerator<Omit<ReturnEvidence, 'kind'>> {
  const again = await continueEpisode(trial, recorded, 0);
  if (!again) return;
  yield { at: 0, how: 'played again', ...again };
  const { problem } = again;
  if (problem && trial.durability === 'replay') return;
  // Results that differ without a return say nothing about it, and neither do those after them.
  const calls = problem ? recorded.calls.slice(0, (problem.call?.number ?? 1) - 1) : recorded.calls;
  const comparable = { ...recorded, calls };
  const latestFirst = Array.from(calls.keys(), (index) => calls.length - index);
  const returns = Math.min(MAX_RETURNS, Math.floor(MAX_CALLS_ALONE / calls.length));
  for (const at of sampleEvenly(latestFirst, returns).toReversed()) {
    const alone = await continueEpisode(trial, comparable, at);
    if (!alone) return;
    yield { at, how: 'alone', ...alone };
    if (alone.problem) return;
  }
  if (calls.length < 2) return;
  const beside = await continueEpisode(trial, comparable, 1, { hasNeighbour: true });
  if (beside) yield { at: 1, how: 'beside another', ...beside };
}

/**
 * Continues an episode on a new server after the first calls, and compares the results of the others.
 *
 * @param options.hasNeighbour continues a second copy of the episode at the same time, with each call before the first.
 * @returns undefined if the time is over before the end.
 */
async function continueEpisode(
  { source, durability, settings, isOver }: DurableTrial,
  recorded: RecordedEpisode,
  at: number,
  { hasNeighbour = false } = {},
): Promise<Pick<ReturnEvidence, 'problem'> | undefined> {
  const { episode } = recorded;
  const callsOf = (from: number, to?: number) => recorded.calls.slice(from, to);
  const stored = { episode, calls: callsOf(0, at) };
  // A replay would notice the other session id.
  const neighbourAt = durability === 'replay' ? 0 : at;
  const neighbour = { episode: { ...episode, sid: `${episode.sid}-neighbour` }, calls: callsOf(0, neighbourAt) };
  const journal = new MemoryJournal(hasNeighbour ? [stored, neighbour] : [stored]);
  let time: number | undefined;
  await using served = await openClient({ environments: [source] }, settings.timeoutMs, {
    journal,
    // An episode that cannot come back is to be continued later; here, every attempt is the same.
    queueMs: 1_000,
    wallClock: () => time ?? Date.now(),
    headers: { 'X-Secrets': Buffer.from(JSON.stringify(settings.secrets)).toString('base64') },
  });
  const attach = (sid: string) => served.client.attach({ environment: source.name, sid });
  const session = attach(episode.sid);
  const beside = hasNeighbour ? attach(neighbour.episode.sid) : undefined;
  const send = (work: (signal: AbortSignal) => Promise<unknown>) => messageOfFailure(work, settings);
  const run = (target: Session | undefined, { name, input, now }: RecordedCall) => {
    time = now;
    return send(async (signal) => target?.call(name, input as JSONObject, { signal }));
  };
  for (const each of [session, beside]) {
    const message = await send(async (signal) => each?.ping({ signal }));
    if (message !== undefined) return { problem: { message } };
  }
  for (const call of callsOf(neighbourAt, at)) await run(beside, call);
  for (const call of callsOf(at)) {
    if (isOver()) return undefined;
    await run(beside, call);
    const message = await run(session, call);
    const outcome = journal.episodeOf(episode.sid)?.calls.find(({ number }) => number === call.number)?.outcome;
    if (!outcome) return { problem: { call: describeCall(call), message: message ?? 'it was not stored' } };
    const difference = outcomeDifference(call.outcome as Outcome, outcome, durability);
    if (difference) return { problem: { call: describeCall(call), difference } };
  }
  return {};
}

/** Returns the message of the error with which a request fails. The result of a call is in the journal. */
async function messageOfFailure(
  work: (signal: AbortSignal) => Promise<unknown>,
  settings: ValidationSettings,
): Promise<string | undefined> {
  try {
    await withDeadline(settings, work);
    return undefined;
  } catch (error) {
    settings.signal.throwIfAborted();
    if (error instanceof OrsConnectionError) throw error;
    return errorDetail(error);
  }
}

/** Compares what the server compares. It ignores the texts of errors, and at a replay those of failures. */
function outcomeDifference(before: Outcome, after: Outcome, durability: Durability): ReturnProblem['difference'] {
  if (before.event === 'error' && after.event === 'error') return undefined;
  const values = [before, after].map((outcome) =>
    outcome.event === 'end' ? tryParseJson(outcome.json) : { error: outcome.message },
  );
  if (durability === 'replay' && values.every((value) => fieldsOf(value).ok === false)) return undefined;
  return firstJsonDifference(...(values as [unknown, unknown]));
}

const describeCall = ({ number, name, input }: RecordedCall) => ({ number, tool: name, input: input as JSONObject });

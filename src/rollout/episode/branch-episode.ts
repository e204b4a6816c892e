import type { Session } from '../../client/index.ts';
import { definedFields, equalJson, mapConcurrent, meanOf, type Semaphore, standardErrorOf } from '../../core/index.ts';
import type { Message } from '../../protocol/index.ts';
import type { TraceHandle } from '../../trace/client/index.ts';
import { type Reducer, reduceRewards } from '../rewards.ts';
import type { Continuation, EpisodeBranch, EpisodeEnd, EpisodeStep } from './episode-record.ts';
import { continueEpisode, type EpisodeState, type TrackedCall } from './episode-session.ts';

/**
 * How the states of an episode are evaluated: the same agent continues it from them.
 *
 * @example
 * const branch: BranchPolicy = { continuations: 4, states: null };
 */
export interface BranchPolicy {
  /** Number of continuations of each state. */
  readonly continuations: number;
  /** Maximum number of states of an episode, spread evenly; null for all. */
  readonly states: number | null;
}

/** Policy and resources of the continuations of an episode. */
export interface BranchOptions {
  readonly policy: BranchPolicy;
  /** Limits the number of continuations of the run that are played at once. */
  readonly permits: Semaphore;
  /** Resolves when the trace of a continuation can be created. */
  readonly ready: () => Promise<void>;
  /** Creates the trace of a continuation after this number of calls, if they are recorded. */
  readonly createTrace: (calls: number) => TraceHandle | undefined;
}

/** An episode that has ended, and whose session is still open. */
interface EndedEpisode {
  readonly session: Session;
  /** Fork of the session from before its first call. */
  readonly start: Session;
  readonly end: EpisodeEnd;
  readonly calls: readonly TrackedCall[];
  readonly states: readonly EpisodeState[];
  /** Conversation after the prompt. */
  readonly messages: readonly Message[];
}

interface ContinuationRequest {
  readonly session: Session;
  readonly trace: TraceHandle | undefined;
  /** Number of responses of the agent before the state. */
  readonly turns: number;
  /** Distinguishes the random numbers of the agent from those of other continuations. */
  readonly seed: number;
}

/**
 * Continues an episode from its states, and estimates the advantage of its calls: the value of the next state minus that
 * of the state before them, where the value of a state is the mean score of the episodes continued from it. The value of
 * the last state is the score of the episode itself.
 *
 * @param play plays a continuation with the agent of the episode.
 * @throws errors of `play`, of the client and of the store; the signal's reason.
 */
export async function branchEpisode(
  episode: EndedEpisode,
  options: BranchOptions,
  context: BranchContext,
  play: PlayContinuation,
): Promise<EpisodeBranch[]> {
  const { continuations: count, states: maxStates } = options.policy;
  const states = spread(statesWithMessages(episode), maxStates ?? Infinity);
  const jobs = states.flatMap((state) =>
    Array.from({ length: count }, (_, index) => ({ state, seed: state.calls * count + index + 1 })),
  );
  const played = await mapConcurrent(
    jobs,
    Math.max(1, jobs.length),
    ({ state, seed }, signal) => playContinuation(episode, state, options, { ...context, signal }, seed, play),
    context.signal,
  );
  const branches = states.map(({ calls }, at) => {
    const continuations = played.slice(at * count, (at + 1) * count);
    const scores = continuations.map((continuation) => wholeScore(episode.end, calls, continuation, context.reducer));
    return { calls, value: meanOf(scores) ?? 0, standard_error: standardErrorOf(scores), continuations };
  });
  return branches.map((branch, at) => ({
    ...branch,
    advantage: (branches[at + 1]?.value ?? episode.end.score) - branch.value,
  }));
}

interface BranchContext {
  readonly secrets: Readonly<Record<string, string>>;
  readonly reducer: Reducer;
  readonly signal: AbortSignal;
}

type PlayContinuation = (request: ContinuationRequest, signal: AbortSignal) => Promise<EpisodeEnd>;

/** Plays one continuation on a separate fork. */
async function playContinuation(
  { session, start }: EndedEpisode,
  { calls, at, messages }: StateWithMessages,
  { permits, ready, createTrace }: BranchOptions,
  { secrets, signal }: BranchContext,
  seed: number,
  play: PlayContinuation,
): Promise<Continuation> {
  if (!(await permits.acquire({ signal }))) throw signal.reason;
  try {
    const parent = at === undefined ? start : session;
    await using forked = await parent.fork({ secrets, signal, ...definedFields({ at }) });
    const continued = await continueEpisode(forked, session, messages);
    await ready();
    const trace = createTrace(calls);
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    const end = await play({ session: continued, trace, turns, seed }, signal);
    return { ...end, trace_id: trace?.id ?? null };
  } finally {
    permits.release();
  }
}

/** Returns the score of an episode that begins with calls of another one, and ends as a continuation of it. */
function wholeScore(
  { steps: before }: EpisodeEnd,
  calls: number,
  { steps, ungraded }: Continuation,
  reducer: Reducer,
): number {
  if (ungraded !== null) return 0;
  const rewards = [...before.slice(0, calls), ...steps].map(({ reward }) => reward);
  return reduceRewards(rewards, reducer) ?? 0;
}

/** Adds the advantage of the last state before each call. */
export function withAdvantages(steps: readonly EpisodeStep[], branches: readonly EpisodeBranch[]): EpisodeStep[] {
  return steps.map((step, call) => {
    const advantage = branches.findLast(({ calls }) => calls <= call)?.advantage;
    return { ...step, ...definedFields({ advantage }) };
  });
}

interface StateWithMessages extends EpisodeState {
  /** Conversation after the prompt, up to the state. */
  readonly messages: readonly Message[];
}

/** Returns the states in which the agent was about to respond. */
function statesWithMessages({ states, calls, messages }: EndedEpisode): StateWithMessages[] {
  const conversations = conversationsBefore(messages, calls);
  return states.flatMap((state) => {
    const messages = conversations.get(state.calls);
    return messages ? [{ ...state, messages }] : [];
  });
}

/**
 * Cuts a conversation before each response that began with a call of the session.
 *
 * @param calls the calls of the session; the conversation may contain others, which never reached it.
 * @returns the messages before the response, by the number of calls before it.
 */
function conversationsBefore(
  messages: readonly Message[],
  calls: readonly TrackedCall[],
): ReadonlyMap<number, readonly Message[]> {
  const before = new Map<number, readonly Message[]>([[0, []]]);
  let made = 0;
  for (const [at, message] of messages.entries()) {
    if (message.role === 'assistant') made += countMade(message, calls.slice(made));
    else before.set(made, messages.slice(0, at + 1));
  }
  return before;
}

/** Counts the calls of a response that are the next ones of the session. */
function countMade({ blocks }: Message, next: readonly TrackedCall[]): number {
  const isAnswer = !blocks.some(({ type }) => type === 'tool_call');
  if (isAnswer) return next[0]?.answer === undefined ? 0 : 1;
  let made = 0;
  for (const block of blocks) {
    const call = next[made];
    if (block.type !== 'tool_call' || block.name !== call?.step.tool) continue;
    if (equalJson(block.input, call.input)) made += 1;
  }
  return made;
}

/** Returns at most `count` items, spread evenly, with the first one. */
function spread<T>(items: readonly T[], count: number): T[] {
  const taken = Math.min(count, items.length);
  return Array.from({ length: taken }, (_, at) => items[Math.floor((at * items.length) / taken)] as T);
}

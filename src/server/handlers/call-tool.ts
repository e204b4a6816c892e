import type { operations } from '../../../generated/ors.ts';
import {
  type Awaitable,
  andThen,
  errorMessage,
  isPromiseLike,
  joinSignals,
  settle,
  settlesWithin,
  startTimer,
  utf8LengthAbove,
} from '../../core/index.ts';
import { type Conditions, toolNames } from '../../environment/index.ts';
import type { HostedEpisode, HostedTool, HostedToolResult } from '../../hosting/index.ts';
import { EventList, type EventStream, LateEvents, type OperationRequest } from '../../http/index.ts';
import { errorEvent, type JSONObject, OrsError, type RefusalReason, resultEvents } from '../../protocol/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import type { BeginCallRequest, CallEntry, CallOutcome } from '../calls/call-table.ts';
import type { ServerContext } from '../context.ts';
import { withPermit } from '../limits/with-limits.ts';
import { reportAuthorError } from '../observability/author-error.ts';
import {
  type AuthorWork,
  type AuthorWorkEnd,
  type ObserverSpan,
  type RepeatedCallState,
  runInSpan,
} from '../observability/observer.ts';
import { callTimeout, type DurableEpisode, JournalError } from '../sessions/durable-episode.ts';
import type { JournaledCall } from '../sessions/journal.ts';
import type { EpisodeRecorder } from '../sessions/recorder.ts';
import type { ServerSession } from '../sessions/session.ts';

/** Results with more characters than this are streamed, and stay fetchable until they have been sent completely. */
const LARGE_RESULT_CHARACTERS = 65_536;

/** Events per write of a large result: waiting for each event would take longer than sending it. */
const EVENTS_PER_WRITE = 16;

interface ToolCallRequest {
  readonly name: string;
  readonly input: JSONObject;
  /** Problem in the JSON text of the input that the parsed value no longer shows. */
  readonly inputProblem: { readonly pointer: string; readonly message: string } | undefined;
  /** @default a random seed, and the time */
  readonly conditions?: Conditions;
  /** Position in an episode that a journal has. */
  readonly number?: number;
}

/**
 * Handles `POST /{env_name}/call`: starts a call, or finds the one that the request repeats, and streams its outcome.
 * Source: HTTP API, "POST /{env_name}/call".
 */
export function callTool(
  request: OperationRequest<operations['callTool']>,
  context: ServerContext,
): Awaitable<EventList | LateEvents> {
  const session = findSession(request, context);
  const { name, input, task_id } = request.body;
  const run = (taskId: string) => {
    const call = { name, input: input as JSONObject, inputProblem: request.problems[0] };
    const { durable } = session;
    return durable ? runDurable(session, durable, { ...call, taskId }, context) : runObserved(session, call, context);
  };
  return streamCall(session, { taskId: task_id, name, input }, run, context);
}

/** The path must name the environment of the session, so that clients notice a mix-up at the first call. */
function findSession(
  { header, path, caller }: OperationRequest<operations['callTool']>,
  context: ServerContext,
): ServerSession {
  const session = context.sessions.get(header['X-Session-ID'], caller);
  const environment = context.environments.get(path.env_name);
  if (environment === session.environment) return session;
  throw new OrsError(
    'not_found',
    `environment mismatch: the session is one of '${session.environment.name}', the path names '${environment.name}'`,
  );
}

/** Runs a call that the journal gets before it runs, and its outcome before the client. */
function runDurable(
  session: ServerSession,
  durable: DurableEpisode,
  call: ToolCallRequest & { readonly taskId: string },
  context: ServerContext,
): Promise<CallOutcome> {
  const work = (conditions: Conditions, number: number) =>
    runObserved(session, { ...call, conditions, number }, context);
  return orLost(session, context, () => durable.run(call, work, () => takeSnapshot(session)));
}

/** Runs a call once more that the end of a server has interrupted. */
export function runDurableAgain(
  session: ServerSession,
  durable: DurableEpisode,
  call: JournaledCall,
  context: ServerContext,
): Promise<CallOutcome> {
  const request = { name: call.name, input: call.input as JSONObject, inputProblem: call.inputProblem };
  const work = (conditions: Conditions, number: number) =>
    runObserved(session, { ...request, conditions, number }, context);
  return orLost(session, context, () => durable.runAgain(call, work, () => takeSnapshot(session)));
}

/** Drops the session if its journal fails: the client must not receive what another server would not know. */
async function orLost(
  session: ServerSession,
  { sessions }: ServerContext,
  work: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  try {
    return await work();
  } catch (error) {
    const message = errorMessage(error);
    if (error instanceof JournalError) sessions.endAsUnstored(session, error);
    else sessions.endAsLost(session, message);
    return { event: 'error', message };
  }
}

const takeSnapshot = ({ environment, readyEpisode }: ServerSession): Awaitable<string | undefined> =>
  environment.durability === 'snapshot' ? readyEpisode?.snapshot() : undefined;

const runObserved = (session: ServerSession, call: ToolCallRequest, context: ServerContext): Awaitable<CallOutcome> =>
  session.recorder ? runRecorded(session.recorder, session, call, context) : runCall(session, call, context);

/** Runs a call and records it in the form that the client receives. */
async function runRecorded(
  recorder: EpisodeRecorder,
  session: ServerSession,
  call: ToolCallRequest,
  context: ServerContext,
): Promise<CallOutcome> {
  await recorder.ready();
  const recordOutcome = recorder.call(call);
  const outcome = await runCall(session, call, context);
  recordOutcome(outcome);
  return outcome;
}

/**
 * Runs a call after setup, when the mode of its tool allows it. Never rejects: failures that the agent can handle
 * become a result with `ok: false`, all others an error.
 */
function runCall(session: ServerSession, call: ToolCallRequest, context: ServerContext): Awaitable<CallOutcome> {
  const execution = new ToolCallExecution(session, call, context);
  if (session.readyEpisode) return execution.run(session.readyEpisode);
  return session.ready.then(
    (episode) => execution.run(episode),
    (error) => execution.failWithoutEpisode(error),
  );
}

/** One call, from the queue to its outcome. The end is reported to the observer once. */
class ToolCallExecution {
  readonly #session: ServerSession;
  readonly #call: ToolCallRequest;
  readonly #context: ServerContext;
  #span: ObserverSpan<AuthorWorkEnd> | undefined;
  #queuedAt: number | undefined;
  #isReported = false;

  constructor(session: ServerSession, call: ToolCallRequest, context: ServerContext) {
    this.#session = session;
    this.#call = call;
    this.#context = context;
  }

  run(episode: HostedEpisode): Awaitable<CallOutcome> {
    const { name } = this.#call;
    const tool = episode.tools.get(name);
    if (!tool) {
      const problem = `unknown tool; this episode has: ${toolNames(episode.tools.values())}`;
      return this.#finishUnstarted(this.#failed(problem, 'not_found'), 'failed');
    }
    // Refused at once, although it would also be refused after the wait.
    if (this.#session.isFinished) return this.#finishUnstarted(this.#episodeFinished(), 'failed', name);
    const timeoutMs = tool.timeoutMs ?? this.#context.settings.callTimeoutMs;
    if (timeoutMs === Infinity) return this.#enqueue(tool, () => this.#runTool(episode));
    // After a timeout the client has its response, while the next call in the queue still waits for the tool to stop.
    return new Promise((respond) => {
      void andThen(
        this.#enqueue(tool, () => this.#runWithTimeout(episode, timeoutMs, respond)),
        respond,
      );
    });
  }

  /** Ends a call of a session whose setup failed. */
  failWithoutEpisode(error: unknown): CallOutcome {
    const message = errorMessage(error);
    return this.#finishUnstarted({ event: 'error', message }, 'error');
  }

  /** Reports a call that ends before it is queued. */
  #finishUnstarted(outcome: CallOutcome, reported: AuthorWorkEnd['outcome'], tool?: string): CallOutcome {
    this.#span = this.#context.observer.authorWork(this.#describeWork(tool));
    this.#reportEnd(reported);
    return outcome;
  }

  /** Waits until the mode of the tool allows the call, then for a permit if the server limits the number of calls. */
  #enqueue({ mode }: HostedTool, work: () => Awaitable<CallOutcome>): Awaitable<CallOutcome> {
    const { callSemaphore, settings } = this.#context;
    const begin = () => {
      if (!callSemaphore) return this.#start(work);
      const waiting = () => this.#reportWaiting('call');
      const options = { signal: this.#session.signal, graceMs: settings.deleteGraceMs, waiting };
      return withPermit(callSemaphore, options, () => this.#start(work));
    };
    const { durable, environment, tools } = this.#session;
    // A replay makes one call after the other.
    const inOrder = durable && environment.durability === 'replay' && mode === 'serial' ? 'exclusive' : mode;
    return tools.run(this.#call.name, inOrder, begin, () => this.#reportWaiting('tool'));
  }

  #reportWaiting(queue: 'tool' | 'call'): () => void {
    const { observer, now } = this.#context;
    this.#queuedAt ??= now();
    return observer.waiting(queue);
  }

  #start(work: () => Awaitable<CallOutcome>): Awaitable<CallOutcome> {
    const { observer, now } = this.#context;
    const waitedMs = this.#queuedAt === undefined ? 0 : now() - this.#queuedAt;
    this.#span = observer.authorWork(this.#describeWork(this.#call.name, waitedMs));
    return runInSpan(this.#span, work);
  }

  /** Runs the tool with a time limit. If the tool does not stop when the limit is reached, the session is lost. */
  async #runWithTimeout(
    episode: HostedEpisode,
    timeoutMs: number,
    respond: (outcome: CallOutcome) => void,
  ): Promise<CallOutcome> {
    const session = this.#session;
    const tool = this.#call.name;
    const { settings, log, sessions } = this.#context;
    const message = `tool '${tool}' was stopped: it ran longer than ${timeoutMs} ms`;
    const joined = joinSignals(session.signal);
    const onOverrun = () => {
      const reason = `tool '${tool}' ran longer than ${timeoutMs} ms and did not stop`;
      episode.abort(reason);
      sessions.endAsLost(session, reason);
    };
    let cancelTimer = startTimer(timeoutMs, () => {
      joined.abort(callTimeout(timeoutMs));
      cancelTimer = startTimer(settings.deleteGraceMs, onOverrun);
      log.warn({ sid: session.sid, environment: session.environment.name, tool }, message);
      this.#reportEnd('timeout', message);
      respond(session.isFinished ? this.#episodeFinished() : { event: 'error', message });
    });
    try {
      return await this.#runTool(episode, joined.signal);
    } finally {
      cancelTimer();
      joined.release();
    }
  }

  /** Runs the tool, unless the session or the episode ended while the call was queued. Never rejects. */
  #runTool(episode: HostedEpisode, signal?: AbortSignal): Awaitable<CallOutcome> {
    if (this.#session.hasEnded) {
      this.#reportEnd('gone', 'session is over');
      return { event: 'error', message: 'session is over' };
    }
    if (this.#session.isFinished) {
      this.#reportEnd('failed');
      return this.#episodeFinished();
    }
    const { name, input, inputProblem, conditions } = this.#call;
    if (inputProblem) {
      this.#reportEnd('failed');
      const pointer = inputProblem.pointer.slice('/input'.length) || 'the input';
      return this.#failed(`${pointer} ${inputProblem.message}`, 'input_validation');
    }
    return settle(
      () => episode.run(name, input, signal, conditions),
      (result) => this.#outcomeOf(result),
      (error) => {
        const code = this.#session.describeCode(`tool ${name}`);
        const message = reportAuthorError(error, code, this.#context);
        this.#reportEnd('error', message);
        return this.#session.isFinished ? this.#episodeFinished() : { event: 'error', message };
      },
    );
  }

  #outcomeOf(result: HostedToolResult): CallOutcome {
    const session = this.#session;
    if (session.isFinished) {
      // Another call has finished the episode meanwhile: this result would add a reward to a graded episode.
      this.#reportEnd('failed');
      return this.#episodeFinished();
    }
    if (result.ok && result.finished) session.isFinished = true;
    const excess = describeExcessSize(result.ok ? result.json : result.reason, this.#context.settings.maxResultBytes);
    this.#reportEnd(result.ok && !excess ? 'ok' : 'failed');
    if (excess) return this.#failed(excess);
    if (result.ok) return { event: 'end', json: result.json };
    return this.#failed(session.redactor.text(result.reason), result.refusal);
  }

  #episodeFinished(): CallOutcome {
    return this.#failed('the episode is finished; no tool runs after that', 'episode_finished');
  }

  /**
   * Returns a result with `ok: false`. Source: data types, "RunToolError".
   *
   * @param reason why the server refused the call. @default the tool failed
   */
  #failed(problem: string, reason?: RefusalReason): CallOutcome {
    const error = `Tool '${this.#call.name}' failed: ${problem}`;
    return { event: 'end', json: JSON.stringify({ ok: false, error, reason }) };
  }

  #describeWork(tool: string | undefined, waitedMs?: number): AuthorWork {
    const { sid, environment } = this.#session;
    // Names of task tools may contain secrets.
    const shown = tool === undefined ? undefined : this.#session.redactor.text(tool);
    return { sid, environment: environment.name, kind: 'call', tool: shown, waitedMs };
  }

  #reportEnd(outcome: AuthorWorkEnd['outcome'], error?: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#span?.ended({ outcome: this.#session.hasEnded ? 'gone' : outcome, error });
  }
}

/**
 * Streams the outcome of a call: of the one that the request repeats, or of a new one, which `run` starts. The stream opens
 * at the latest after `setupAnswerMs`, before clients take the silence for a dead connection. It is cut if the session
 * moves to another server, so that clients resume the call there by its task id.
 */
export function streamCall(
  session: ServerSession,
  call: BeginCallRequest,
  run: (taskId: string) => Awaitable<CallOutcome>,
  context: ServerContext,
): Awaitable<EventList | LateEvents> {
  const isReady = session.isSettingUp
    ? session.hold(() => settlesWithin(context.settings.setupAnswerMs, session.ready))
    : (session.readyEpisode ?? session.ready);
  return andThen(isReady as Awaitable<unknown>, () => startOrRepeat(session, call, run, context));
}

function startOrRepeat(
  session: ServerSession,
  call: BeginCallRequest,
  run: (taskId: string) => Awaitable<CallOutcome>,
  { observer }: ServerContext,
): EventList | LateEvents {
  session.assertNotMoved();
  let isNew = false;
  const entry = session.calls.begin(call, (taskId) => {
    isNew = true;
    return run(taskId);
  });
  if (!isNew) observer.callRepeated(repeatedState(entry));
  return entry ? callEvents(entry, session) : unknownTaskId(call.taskId ?? '');
}

function repeatedState(call: CallEntry | undefined): RepeatedCallState {
  if (!call) return 'forgotten';
  return call.isRunning ? 'running' : 'completed';
}

/** Returns the reason why a result is too large to be sent, or undefined if it is not. */
export function describeExcessSize(result: string, maxBytes: number): string | undefined {
  const bytes = utf8LengthAbove(maxBytes, result);
  if (bytes === undefined) return undefined;
  return `its result has ${bytes} bytes, more than the limit of ${maxBytes}, and is not sent`;
}

type CompletedOutcome = CallOutcome & { event: 'end' };

function callEvents(call: CallEntry, session: ServerSession): EventList | LateEvents {
  const { outcome } = call;
  const first: ServerSentEvent = { event: 'task_id', data: call.taskId };
  if (isPromiseLike(outcome)) {
    const rest = outcome.then((late) =>
      isLarge(late) ? largeResult(call, late, session) : new EventList([...eventsOf(late)]),
    );
    // A call that is cut may have no stream.
    rest.catch(() => undefined);
    return new LateEvents([first], rest);
  }
  return isLarge(outcome)
    ? new LateEvents([first], Promise.resolve(largeResult(call, outcome, session)))
    : new EventList([first, ...eventsOf(outcome)]);
}

const isLarge = (outcome: CallOutcome): outcome is CompletedOutcome =>
  outcome.event === 'end' && outcome.json.length > LARGE_RESULT_CHARACTERS;

const eventsOf = (outcome: CallOutcome): Iterable<ServerSentEvent> =>
  outcome.event === 'end' ? resultEvents(outcome.json) : [errorEvent(outcome.message)];

async function* largeResult(call: CallEntry, outcome: CompletedOutcome, session: ServerSession): EventStream {
  let isSent = false;
  try {
    // Not `yield*`, which awaits each event of a synchronous generator.
    for (const events of batches(resultEvents(outcome.json))) yield events;
    isSent = true;
  } finally {
    // A client that was disconnected can fetch the result again, however long it has been reading.
    if (!isSent && !session.hasEnded) session.calls.restoreResult(call, outcome);
  }
}

function* batches(events: Iterable<ServerSentEvent>): Generator<readonly ServerSentEvent[]> {
  let batch: ServerSentEvent[] = [];
  for (const event of events) {
    if (batch.length === EVENTS_PER_WRITE) {
      yield batch;
      batch = [];
    }
    batch.push(event);
  }
  yield batch;
}

const unknownTaskId = (id: string): EventList =>
  new EventList([{ event: 'task_id', data: id }, errorEvent('unknown task_id')]);

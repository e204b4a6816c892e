import { type Awaitable, andThen, isPromiseLike, settlesWithin, utf8LengthAbove } from '../../core/index.ts';
import { EventList, type EventStream, LateEvents } from '../../http/index.ts';
import { errorEvent, resultEvents } from '../../protocol/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import type { BeginCallRequest, CallEntry, CallOutcome } from '../calls/call-table.ts';
import type { ServerContext } from '../context.ts';
import type { RepeatedCallState } from '../observability/observer.ts';
import type { ServerSession } from '../sessions/session.ts';

/** Results with more characters than this are streamed, and stay fetchable until they have been sent completely. */
const LARGE_RESULT_CHARACTERS = 65_536;

/** Events per write of a large result: waiting for each event would take longer than sending it. */
const EVENTS_PER_WRITE = 16;

/**
 * Streams the outcome of a call: of the one that the request repeats, or of a new one, which `run` starts. The stream opens
 * at the latest after `setupAnswerMs`, before clients take the silence for a dead connection.
 */
export function streamCall(
  session: ServerSession,
  call: BeginCallRequest,
  run: () => Awaitable<CallOutcome>,
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
  run: () => Awaitable<CallOutcome>,
  { observer }: ServerContext,
): EventList | LateEvents {
  let isNew = false;
  const entry = session.calls.begin(call, () => {
    isNew = true;
    return run();
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

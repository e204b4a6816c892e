import type { operations } from '../../../generated/ors.ts';
import { type Awaitable, andThen, isPromiseLike, settlesWithin } from '../../core/index.ts';
import { EventList, type EventStream, type Handlers, LateEvents, type OperationRequest } from '../../http/index.ts';
import { type JSONObject, OrsError, resultEvents } from '../../protocol/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { runAuthorCode } from '../author-error.ts';
import type { CallEntry, CallOutcome } from '../calls/call-table.ts';
import { callTool as runCall, type ToolCallRequest } from '../calls/call-tool.ts';
import type { ServerContext } from '../context.ts';
import { withLookupTimeout } from '../look-up.ts';
import type { RepeatedCallState } from '../observe/observer.ts';
import type { EpisodeRecorder } from '../record.ts';
import type { ServerSession } from '../sessions/session.ts';

type Interaction = Pick<operations, 'listTaskTools' | 'getPrompt' | 'callTool'>;

/** What an agent does in an episode. Source: HTTP API, "Episode Interaction". */
export const interactionHandlers: Handlers<Interaction, ServerContext> = {
  async listTaskTools({ header, caller }, { sessions }) {
    const session = sessions.get(header['X-Session-ID'], caller);
    const episode = await session.hold(() => session.ready);
    const tools = [...episode.tools.values()].map(({ spec }) => spec);
    session.recorder?.tools(tools);
    return { tools };
  },

  getPrompt({ header, caller }, context) {
    const session = context.sessions.get(header['X-Session-ID'], caller);
    return session.hold(() =>
      andThen(session.readyEpisode ?? session.ready, (episode) => {
        const { lookupTimeoutMs } = context.settings;
        const ask = () => withLookupTimeout(lookupTimeoutMs, (wait) => episode.prompt(wait));
        const prompt = session.untilEnded(runAuthorCode(session.describeCode('prompt'), context, ask));
        return andThen(prompt, (blocks) => {
          session.recorder?.prompt(blocks);
          return [...blocks];
        });
      }),
    );
  },

  /** Starts a call, or finds the one that the request repeats, and streams how it comes out. */
  callTool(request: OperationRequest<operations['callTool']>, context) {
    const session = sessionOf(request, context);
    // Not so long that the client takes the silence for a dead connection.
    const isReady = session.isSettingUp
      ? session.hold(() => settlesWithin(context.settings.setupAnswerMs, session.ready))
      : (session.readyEpisode ?? session.ready);
    return andThen(isReady as Awaitable<unknown>, () => answerCall(request, session, context));
  },
};

function answerCall(
  { body, problems }: OperationRequest<operations['callTool']>,
  session: ServerSession,
  context: ServerContext,
): EventList | LateEvents {
  const { name, input, task_id } = body;
  let isNew = false;
  const call = session.calls.begin({ taskId: task_id, name, input }, () => {
    isNew = true;
    return carriedOut(session, { name, input: input as JSONObject, inputProblem: problems[0] }, context);
  });
  if (!isNew) context.observer.callRepeated(found(call));
  return call ? callEvents(call, session) : unknownTaskId(task_id ?? '');
}

function carriedOut(session: ServerSession, call: ToolCallRequest, context: ServerContext): Awaitable<CallOutcome> {
  const { recorder } = session;
  return recorder ? recorded(recorder, session, call, context) : runCall(session, call, context);
}

/** Runs a call, and has it written down as the client sees it. */
async function recorded(
  record: EpisodeRecorder,
  session: ServerSession,
  call: ToolCallRequest,
  context: ServerContext,
): Promise<CallOutcome> {
  await record.ready();
  const notify = record.call(call);
  const outcome = await runCall(session, call, context);
  notify(outcome);
  return outcome;
}

/** The path must name the session's own environment: who opened the wrong one is to learn it at the first call. */
function sessionOf(
  { header, path, caller }: OperationRequest<operations['callTool']>,
  context: ServerContext,
): ServerSession {
  const session = context.sessions.get(header['X-Session-ID'], caller);
  const asked = context.environments.get(path.env_name);
  if (asked === session.environment) return session;
  throw new OrsError(
    'not_found',
    `environment mismatch: the session is one of '${session.environment.name}', the path names '${asked.name}'`,
  );
}

function found(call: CallEntry | undefined): RepeatedCallState {
  if (!call) return 'forgotten';
  return call.isRunning ? 'running' : 'completed';
}

/** So long a result, in characters, is read as a whole or not at all. */
const ONE_PIECE = 65_536;

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
  outcome.event === 'end' && outcome.json.length > ONE_PIECE;

const eventsOf = (outcome: CallOutcome): Iterable<ServerSentEvent> =>
  outcome.event === 'end' ? resultEvents(outcome.json) : [{ event: 'error', data: outcome.message }];

async function* largeResult(call: CallEntry, outcome: CompletedOutcome, session: ServerSession): EventStream {
  let isSent = false;
  try {
    // Not `yield*`, which would wait for each event of a generator that never waits.
    for (const events of batches(resultEvents(outcome.json))) yield events;
    isSent = true;
  } finally {
    // A reader that was cut off is to find it when it comes back, however long it had read.
    if (!isSent && !session.hasEnded) session.calls.restoreResult(call, outcome);
  }
}

/** As many as fill a write: to wait for each event would take longer than to send it. */
const BATCH = 16;

function* batches(events: Iterable<ServerSentEvent>): Generator<readonly ServerSentEvent[]> {
  let batch: ServerSentEvent[] = [];
  for (const event of events) {
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
    batch.push(event);
  }
  yield batch;
}

const unknownTaskId = (id: string): EventList =>
  new EventList([
    { event: 'task_id', data: id },
    { event: 'error', data: 'unknown task_id' },
  ]);

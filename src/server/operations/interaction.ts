import type { operations } from '../../../generated/ors.ts';
import { type Awaitable, andThen, isPromiseLike, settlesWithin } from '../../core/index.ts';
import { EventList, type EventStream, type Handlers, LateEvents, type OperationRequest } from '../../http/index.ts';
import { type JSONObject, OrsError, resultEvents } from '../../protocol/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import { runAuthorCode } from '../author-error.ts';
import type { Call, CallOutcome } from '../calls/call-table.ts';
import { callTool as runCall, type ToolCall } from '../calls/call-tool.ts';
import type { ServerContext } from '../context.ts';
import { lookUp } from '../look-up.ts';
import type { Found } from '../observe/observer.ts';
import type { EpisodeRecord } from '../record.ts';
import type { Session } from '../sessions/session.ts';

type Interaction = Pick<operations, 'listTaskTools' | 'getPrompt' | 'callTool'>;

/** What an agent does in an episode. Source: HTTP API, "Episode Interaction". */
export const interaction: Handlers<Interaction, ServerContext> = {
  async listTaskTools({ header, caller }, { sessions }) {
    const session = sessions.get(header['X-Session-ID'], caller);
    const episode = await session.hold(() => session.ready);
    const tools = [...episode.tools.values()].map(({ spec }) => spec);
    session.record?.tools(tools);
    return { tools };
  },

  getPrompt({ header, caller }, context) {
    const session = context.sessions.get(header['X-Session-ID'], caller);
    return session.hold(() =>
      andThen(session.readyEpisode ?? session.ready, (episode) => {
        const { lookupTimeoutMs } = context.settings;
        const ask = () => lookUp(lookupTimeoutMs, (wait) => episode.prompt(wait));
        const prompt = session.orGone(runAuthorCode(session.code('prompt'), context, ask));
        return andThen(prompt, (blocks) => {
          session.record?.prompt(blocks);
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
  session: Session,
  context: ServerContext,
): EventList | LateEvents {
  const { name, input, task_id } = body;
  let isNew = false;
  const call = session.calls.begin({ taskId: task_id, name, input }, () => {
    isNew = true;
    return carriedOut(session, { name, input: input as JSONObject, unkept: problems[0] }, context);
  });
  if (!isNew) context.observer.callRepeated(found(call));
  return call ? callEvents(call, session) : unknownTaskId(task_id ?? '');
}

function carriedOut(session: Session, call: ToolCall, context: ServerContext): Awaitable<CallOutcome> {
  const { record } = session;
  return record ? recorded(record, session, call, context) : runCall(session, call, context);
}

/** Runs a call, and has it written down as the client sees it. */
async function recorded(
  record: EpisodeRecord,
  session: Session,
  call: ToolCall,
  context: ServerContext,
): Promise<CallOutcome> {
  await record.ready();
  const tell = record.call(call);
  const outcome = await runCall(session, call, context);
  tell(outcome);
  return outcome;
}

/** The path must name the session's own environment: who opened the wrong one is to learn it at the first call. */
function sessionOf(
  { header, path, caller }: OperationRequest<operations['callTool']>,
  context: ServerContext,
): Session {
  const session = context.sessions.get(header['X-Session-ID'], caller);
  const asked = context.environments.get(path.env_name);
  if (asked === session.environment) return session;
  throw new OrsError(
    'not_found',
    `environment mismatch: the session is one of '${session.environment.name}', the path names '${asked.name}'`,
  );
}

function found(call: Call | undefined): Found {
  if (!call) return 'forgotten';
  return call.isRunning ? 'running' : 'completed';
}

/** So long a result, in characters, is read as a whole or not at all. */
const ONE_PIECE = 65_536;

type Completed = CallOutcome & { event: 'end' };

function callEvents(call: Call, session: Session): EventList | LateEvents {
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

const isLarge = (outcome: CallOutcome): outcome is Completed =>
  outcome.event === 'end' && outcome.json.length > ONE_PIECE;

const eventsOf = (outcome: CallOutcome): Iterable<ServerSentEvent> =>
  outcome.event === 'end' ? resultEvents(outcome.json) : [{ event: 'error', data: outcome.message }];

async function* largeResult(call: Call, outcome: Completed, session: Session): EventStream {
  let isSent = false;
  try {
    // Not `yield*`, which would wait for each event of a generator that never waits.
    for (const events of batches(resultEvents(outcome.json))) yield events;
    isSent = true;
  } finally {
    // A reader that was cut off is to find it when it comes back, however long it had read.
    if (!isSent && !session.isOver) session.calls.keepAnew(call, outcome);
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

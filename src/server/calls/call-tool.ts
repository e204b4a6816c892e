import { type Awaitable, after, settle } from '../../awaitable/index.ts';
import { failureJson, type HostedEpisode, type HostedRun, type HostedTool } from '../../hosting/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { reportAuthorError } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { excessOf } from '../limits/excess.ts';
import { inPlace } from '../limits/in-place.ts';
import type { Work, WorkEnd } from '../observe/observer.ts';
import { watchWork } from '../observe/watch-work.ts';
import type { Session } from '../sessions/session.ts';
import type { CallOutcome } from './call-table.ts';
import { limitTime } from './time-limit.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: JSONObject;
  /** Something in the input's JSON text that the value does not keep. */
  readonly unkept: { readonly pointer: string; readonly message: string } | undefined;
}

/**
 * Carries a call out once setup is done and earlier calls of the same tool are. Never rejects: what the agent can act on
 * becomes a result with `ok: false`, anything else an error. Source: HTTP API, "POST /{env_name}/call".
 */
export function callTool(session: Session, call: ToolCall, context: ServerContext): Awaitable<CallOutcome> {
  return settle(
    () => session.readyEpisode ?? session.ready,
    (episode) => callOf({ session, episode, call, context }),
    (error) => {
      const message = error instanceof Error ? error.message : String(error);
      return unbegun({ session, context }, { event: 'error', message }, session.isOver ? 'gone' : 'error');
    },
  );
}

interface Run {
  readonly session: Session;
  readonly episode: HostedEpisode;
  readonly call: ToolCall;
  readonly context: ServerContext;
}

function callOf(run: Run): Awaitable<CallOutcome> {
  const { episode, call, context } = run;
  const tool = episode.tools.get(call.name);
  if (!tool) {
    const names = [...episode.tools.keys()].join(', ');
    return unbegun(run, failed(call, `unknown tool; this episode has: ${names}`), 'failed');
  }
  if (call.unkept) {
    const place = call.unkept.pointer.slice('/input'.length) || 'the input';
    return unbegun(run, failed(call, `${place} ${call.unkept.message}`), 'failed', call.name);
  }
  const timeoutMs = tool.timeoutMs ?? context.settings.callTimeoutMs;
  if (timeoutMs === Infinity) return inTurn(run, tool, (end) => carryOut(run, end));
  // The call may have an outcome before the tool has ended, which the next one in turn waits for.
  return new Promise((answer) => {
    void after(
      inTurn(run, tool, (end) => inTime(run, timeoutMs, end, answer)),
      answer,
    );
  });
}

/** Tells what became of a call to whoever watches. */
type End = (how: WorkEnd['outcome'], error?: string) => void;

/** Of a call that never gets its turn. */
function unbegun(
  { session, context }: Pick<Run, 'session' | 'context'>,
  outcome: CallOutcome,
  how: WorkEnd['outcome'],
  tool?: string,
): CallOutcome {
  context.observer.work(workOf(session, tool))?.ended({ outcome: how });
  return outcome;
}

function inTurn(
  { session, call, context }: Run,
  { concurrent }: HostedTool,
  work: (end: End) => Awaitable<CallOutcome>,
): Awaitable<CallOutcome> {
  const { observer, now, callPlaces, settings } = context;
  const since = now();
  const begin = observer.waiting('tool');
  const stay = () => ({
    signal: session.signal,
    graceMs: settings.deleteGraceMs,
    waiting: () => observer.waiting('call'),
  });
  const goOn = () =>
    watchWork(observer, workOf(session, call.name, now() - since), (end) =>
      work((how, error) => end({ outcome: session.isOver ? 'gone' : how, error })),
    );
  return session.tools.run(call.name, concurrent, () => {
    begin();
    return inPlace(callPlaces, stay, goOn);
  });
}

const workOf = (session: Session, tool: string | undefined, waitedMs?: number): Work => ({
  sid: session.sid,
  environment: session.environment.name,
  kind: 'call',
  tool,
  waitedMs,
});

/** Runs the tool, unless the session or the episode came to its end while the call waited. */
function carryOut(run: Run, end: End, signal?: AbortSignal): Awaitable<CallOutcome> {
  const { session, episode, call, context } = run;
  if (session.isOver) {
    end('gone', 'session is over');
    return { event: 'error', message: 'session is over' };
  }
  if (session.isFinished) {
    end('failed');
    return failed(call, 'the episode is finished; no tool runs after that');
  }
  return settle(
    () => episode.run(call.name, call.input, signal),
    (result) => outcomeOf(result, run, end),
    (error) => {
      const message = reportAuthorError(error, session.code(`tool ${call.name}`), context);
      end('error', message);
      return { event: 'error', message };
    },
  );
}

function outcomeOf(result: HostedRun, { session, call, context }: Run, end: End): CallOutcome {
  if (result.ok && result.finished) session.isFinished = true;
  const excess = excessOf(result.ok ? result.json : result.reason, context.settings.maxResultBytes);
  end(result.ok && !excess ? 'ok' : 'failed');
  if (excess) return failed(call, excess);
  return result.ok ? { event: 'end', json: result.json } : failed(call, session.redact(result.reason));
}

/** A tool whose time is over is told to stop; one that does not costs the session. */
async function inTime(
  run: Run,
  timeoutMs: number,
  end: End,
  answer: (outcome: CallOutcome) => void,
): Promise<CallOutcome> {
  const { session, episode, call, context } = run;
  const message = `tool '${call.name}' was stopped: it ran longer than ${timeoutMs} ms`;
  const limit = limitTime(timeoutMs, session.signal, {
    graceMs: context.settings.deleteGraceMs,
    onTimeout() {
      context.log.warn({ sid: session.sid, environment: session.environment.name, tool: call.name }, message);
      end('timeout', message);
      answer({ event: 'error', message });
    },
    onOverrun() {
      const reason = `tool '${call.name}' ran longer than ${timeoutMs} ms and did not stop`;
      episode.abandon(reason);
      context.sessions.lose(session, reason);
    },
  });
  try {
    return await carryOut(run, end, limit.signal);
  } finally {
    limit.clear();
  }
}

const failed = ({ name }: ToolCall, reason: string): CallOutcome => ({ event: 'end', json: failureJson(name, reason) });

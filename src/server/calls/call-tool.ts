import { failureJson, type HostedEpisode } from '../../hosting/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { reportAuthorError } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { excessOf } from '../limits/excess.ts';
import { inPlace } from '../limits/in-place.ts';
import type { Work, WorkEnd } from '../observe/observer.ts';
import { watchWork } from '../observe/watch-work.ts';
import type { Session } from '../sessions/session.ts';
import type { CallOutcome } from './call-table.ts';
import { limitTime, type TimeLimit } from './time-limit.ts';

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
export async function callTool(session: Session, call: ToolCall, context: ServerContext): Promise<CallOutcome> {
  const { observer } = context;
  /** Of a call that never gets its turn. */
  const unbegun = (outcome: CallOutcome, how: WorkEnd['outcome'], tool?: string): CallOutcome => {
    observer.work(workOf(session, tool))?.ended({ outcome: how });
    return outcome;
  };
  let episode: HostedEpisode;
  try {
    episode = await session.ready;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return unbegun({ event: 'error', message }, session.isOver ? 'gone' : 'error');
  }
  const tool = episode.tools.get(call.name);
  if (!tool) {
    const names = [...episode.tools.keys()].join(', ');
    return unbegun(failed(call, `unknown tool; this episode has: ${names}`), 'failed');
  }
  if (call.unkept) {
    const place = call.unkept.pointer.slice('/input'.length) || 'the input';
    return unbegun(failed(call, `${place} ${call.unkept.message}`), 'failed', call.name);
  }
  const since = context.now();
  const begin = observer.waiting('tool');
  const { signal } = session;
  const stay = { signal, graceMs: context.settings.deleteGraceMs, waiting: () => observer.waiting('call') };
  return new Promise((answer) => {
    const timeoutMs = tool.timeoutMs ?? context.settings.callTimeoutMs;
    const goOn = () => {
      const work = workOf(session, call.name, context.now() - since);
      return watchWork(observer, work, (end) => {
        const finish = (outcome: CallOutcome, how: WorkEnd['outcome']) => {
          end({ outcome: session.isOver ? 'gone' : how, ...(outcome.event === 'error' && { error: outcome.message }) });
          answer(outcome);
        };
        return run({ session, episode, call, timeoutMs, context, answer: finish });
      });
    };
    void session.tools.run(call.name, tool.concurrent, () => {
      begin();
      return inPlace(context.callPlaces, stay, goOn);
    });
  });
}

interface Run {
  readonly session: Session;
  readonly episode: HostedEpisode;
  readonly call: ToolCall;
  readonly timeoutMs: number;
  readonly context: ServerContext;
  /** Takes the first outcome, and what observers are to make of it; the time may be over before the tool is. */
  readonly answer: (outcome: CallOutcome, how: WorkEnd['outcome']) => void;
}

const workOf = (session: Session, tool: string | undefined, waitedMs?: number): Work => ({
  sid: session.sid,
  environment: session.environment.name,
  kind: 'call',
  tool,
  waitedMs,
});

/** Runs the tool; resolves when it has ended. */
async function run(run: Run): Promise<void> {
  const { session, episode, call, timeoutMs, context, answer } = run;
  if (session.isOver) return answer({ event: 'error', message: 'session is over' }, 'gone');
  if (session.isFinished) return answer(failed(call, 'the episode is finished; no tool runs after that'), 'failed');
  const limit = timeoutMs === Infinity ? undefined : limitRun(run);
  try {
    const result = await episode.run(call.name, call.input, limit?.signal);
    if (result.ok && result.finished) session.isFinished = true;
    const excess = excessOf(result.ok ? result.json : result.reason, context.settings.maxResultBytes);
    if (excess) return answer(failed(call, excess), 'failed');
    if (!result.ok) return answer(failed(call, session.redact(result.reason)), 'failed');
    answer({ event: 'end', json: result.json }, 'ok');
  } catch (error) {
    const message = reportAuthorError(error, session.code(`tool ${call.name}`), context);
    answer({ event: 'error', message }, 'error');
  } finally {
    limit?.clear();
  }
}

/** A tool whose time is over is told to stop; one that does not costs the session. */
function limitRun({ session, episode, call, timeoutMs, context, answer }: Run): TimeLimit {
  const message = `tool '${call.name}' was stopped: it ran longer than ${timeoutMs} ms`;
  return limitTime(timeoutMs, session.signal, {
    graceMs: context.settings.deleteGraceMs,
    onTimeout() {
      context.log.warn({ sid: session.sid, environment: session.environment.name, tool: call.name }, message);
      answer({ event: 'error', message }, 'timeout');
    },
    onOverrun() {
      const reason = `tool '${call.name}' ran longer than ${timeoutMs} ms and did not stop`;
      episode.abandon(reason);
      context.sessions.lose(session, reason);
    },
  });
}

const failed = ({ name }: ToolCall, reason: string): CallOutcome => ({ event: 'end', json: failureJson(name, reason) });

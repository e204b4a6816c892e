import { failureJson, type HostedEpisode } from '../../hosting/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { reportAuthorError } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
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
  let episode: HostedEpisode;
  try {
    episode = await session.ready;
  } catch (error) {
    return { event: 'error', message: error instanceof Error ? error.message : String(error) };
  }
  const tool = episode.tools.get(call.name);
  if (!tool) return failed(call, `unknown tool; this episode has: ${[...episode.tools.keys()].join(', ')}`);
  if (call.unkept) {
    const place = call.unkept.pointer.slice('/input'.length) || 'the input';
    return failed(call, `${place} ${call.unkept.message}`);
  }
  return new Promise((answer) => {
    const timeoutMs = tool.timeoutMs ?? context.settings.callTimeoutMs;
    void session.tools.run(call.name, tool.concurrent, () =>
      run({ session, episode, call, timeoutMs, context, answer }),
    );
  });
}

interface Run {
  readonly session: Session;
  readonly episode: HostedEpisode;
  readonly call: ToolCall;
  readonly timeoutMs: number;
  readonly context: ServerContext;
  /** Takes the first outcome; the time may be over before the tool is. */
  readonly answer: (outcome: CallOutcome) => void;
}

/** Runs the tool; resolves when it has ended. */
async function run(run: Run): Promise<void> {
  const { session, episode, call, timeoutMs, context, answer } = run;
  if (session.isOver) return answer({ event: 'error', message: 'session is over' });
  if (session.isFinished) return answer(failed(call, 'the episode is finished; no tool runs after that'));
  const limit = timeoutMs === Infinity ? undefined : limitRun(run);
  try {
    const result = await episode.run(call.name, call.input, limit?.signal);
    if (!result.ok) return answer(failed(call, session.redact(result.reason)));
    if (result.finished) session.isFinished = true;
    answer({ event: 'end', json: result.json });
  } catch (error) {
    answer({ event: 'error', message: reportAuthorError(error, session.code(`tool ${call.name}`), context) });
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
      answer({ event: 'error', message });
    },
    onOverrun() {
      const reason = `tool '${call.name}' ran longer than ${timeoutMs} ms and did not stop`;
      episode.abandon(reason);
      context.sessions.lose(session, reason);
    },
  });
}

const failed = ({ name }: ToolCall, reason: string): CallOutcome => ({ event: 'end', json: failureJson(name, reason) });

import { type Awaitable, andThen, errorMessage, joinSignals, settle, startTimer } from '../../core/index.ts';
import { failureJson, type HostedEpisode, type HostedTool, type HostedToolResult } from '../../hosting/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { reportAuthorError } from '../author-error.ts';
import type { ServerContext } from '../context.ts';
import { describeExcessSize } from '../limits/excess.ts';
import { withPermit } from '../limits/with-permit.ts';
import type { AuthorWork, AuthorWorkEnd, ObserverSpan } from '../observe/observer.ts';
import { runInSpan } from '../observe/run-watched.ts';
import type { ServerSession } from '../sessions/session.ts';
import type { CallOutcome } from './call-table.ts';

export interface ToolCallRequest {
  readonly name: string;
  readonly input: JSONObject;
  /** Something in the input's JSON text that the value does not keep. */
  readonly inputProblem: { readonly pointer: string; readonly message: string } | undefined;
}

/**
 * Carries a call out once setup is done and earlier calls of the same tool are. Never rejects: what the agent can act on
 * becomes a result with `ok: false`, anything else an error. Source: HTTP API, "POST /{env_name}/call".
 */
export function callTool(
  session: ServerSession,
  call: ToolCallRequest,
  context: ServerContext,
): Awaitable<CallOutcome> {
  const run = new ToolCallExecution(session, call, context);
  if (session.readyEpisode) return run.run(session.readyEpisode);
  return session.ready.then(
    (episode) => run.run(episode),
    (error) => run.failWithoutEpisode(error),
  );
}

/** One call on its way to its outcome; whoever watches is told once what became of it. */
class ToolCallExecution {
  readonly #session: ServerSession;
  readonly #call: ToolCallRequest;
  readonly #context: ServerContext;
  #watch: ObserverSpan<AuthorWorkEnd> | undefined;
  #queuedAt: number | undefined;
  #isReported = false;

  constructor(session: ServerSession, call: ToolCallRequest, context: ServerContext) {
    this.#session = session;
    this.#call = call;
    this.#context = context;
  }

  /** There is no episode. */
  failWithoutEpisode(error: unknown): CallOutcome {
    const message = errorMessage(error);
    return this.#finishUnstarted({ event: 'error', message }, 'error');
  }

  run(episode: HostedEpisode): Awaitable<CallOutcome> {
    const { name, inputProblem } = this.#call;
    const tool = episode.tools.get(name);
    if (!tool) {
      const names = [...episode.tools.keys()].join(', ');
      return this.#finishUnstarted(this.#failed(`unknown tool; this episode has: ${names}`), 'failed');
    }
    if (inputProblem) {
      const place = inputProblem.pointer.slice('/input'.length) || 'the input';
      return this.#finishUnstarted(this.#failed(`${place} ${inputProblem.message}`), 'failed', name);
    }
    const timeoutMs = tool.timeoutMs ?? this.#context.settings.callTimeoutMs;
    if (timeoutMs === Infinity) return this.#enqueue(tool, () => this.#runTool(episode));
    // The call may have an outcome before the tool has ended, which the next one in turn waits for.
    return new Promise((response) => {
      void andThen(
        this.#enqueue(tool, () => this.#runWithTimeout(episode, timeoutMs, response)),
        response,
      );
    });
  }

  /** The call never gets its turn. */
  #finishUnstarted(outcome: CallOutcome, how: AuthorWorkEnd['outcome'], tool?: string): CallOutcome {
    this.#watch = this.#context.observer.authorWork(this.#work(tool));
    this.#reportEnd(how);
    return outcome;
  }

  #enqueue({ concurrent }: HostedTool, work: () => Awaitable<CallOutcome>): Awaitable<CallOutcome> {
    const { callSemaphore, settings } = this.#context;
    const begin = () => {
      if (!callSemaphore) return this.#start(work);
      const waiting = () => this.#wait('call');
      const options = { signal: this.#session.signal, graceMs: settings.deleteGraceMs, waiting };
      return withPermit(callSemaphore, options, () => this.#start(work));
    };
    return this.#session.tools.run(this.#call.name, concurrent, begin, () => this.#wait('tool'));
  }

  #wait(queue: 'tool' | 'call'): () => void {
    const { observer, now } = this.#context;
    this.#queuedAt ??= now();
    return observer.waiting(queue);
  }

  #start(work: () => Awaitable<CallOutcome>): Awaitable<CallOutcome> {
    const { observer, now } = this.#context;
    const waitedMs = this.#queuedAt === undefined ? 0 : now() - this.#queuedAt;
    this.#watch = observer.authorWork(this.#work(this.#call.name, waitedMs));
    return runInSpan(this.#watch, work);
  }

  #work(tool: string | undefined, waitedMs?: number): AuthorWork {
    const { sid, environment } = this.#session;
    // A task's own tools may be named by anything.
    const shown = tool === undefined ? undefined : this.#session.redactor.text(tool);
    return { sid, environment: environment.name, kind: 'call', tool: shown, waitedMs };
  }

  #reportEnd(how: AuthorWorkEnd['outcome'], error?: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#watch?.ended({ outcome: this.#session.hasEnded ? 'gone' : how, error });
  }

  /** Runs the tool, unless the session or the episode came to its end while the call waited. Never rejects. */
  #runTool(episode: HostedEpisode, signal?: AbortSignal): Awaitable<CallOutcome> {
    if (this.#session.hasEnded) {
      this.#reportEnd('gone', 'session is over');
      return { event: 'error', message: 'session is over' };
    }
    if (this.#session.isFinished) {
      this.#reportEnd('failed');
      return this.#failed('the episode is finished; no tool runs after that');
    }
    return settle(
      () => episode.run(this.#call.name, this.#call.input, signal),
      (result) => this.#outcomeOf(result),
      (error) => {
        const code = this.#session.describeCode(`tool ${this.#call.name}`);
        const message = reportAuthorError(error, code, this.#context);
        this.#reportEnd('error', message);
        return { event: 'error', message };
      },
    );
  }

  #outcomeOf(result: HostedToolResult): CallOutcome {
    const session = this.#session;
    if (result.ok && result.finished) session.isFinished = true;
    const excess = describeExcessSize(result.ok ? result.json : result.reason, this.#context.settings.maxResultBytes);
    this.#reportEnd(result.ok && !excess ? 'ok' : 'failed');
    if (excess) return this.#failed(excess);
    return result.ok ? { event: 'end', json: result.json } : this.#failed(session.redactor.text(result.reason));
  }

  /** A tool whose time is over is told to stop; one that does not costs the session. */
  async #runWithTimeout(
    episode: HostedEpisode,
    timeoutMs: number,
    response: (outcome: CallOutcome) => void,
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
      joined.abort(new DOMException(`the call ran longer than ${timeoutMs} ms`, 'TimeoutError'));
      cancelTimer = startTimer(settings.deleteGraceMs, onOverrun);
      log.warn({ sid: session.sid, environment: session.environment.name, tool }, message);
      this.#reportEnd('timeout', message);
      response({ event: 'error', message });
    });
    try {
      return await this.#runTool(episode, joined.signal);
    } finally {
      cancelTimer();
      joined.release();
    }
  }

  #failed(reason: string): CallOutcome {
    return { event: 'end', json: failureJson(this.#call.name, reason) };
  }
}

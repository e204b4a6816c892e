import type { RunContext } from './define-tool.ts';

interface ToolContextSession {
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

type ToolContextFields = Pick<RunContext<unknown, unknown, unknown>, 'input' | 'task' | 'state'>;

/** What a tool is given. Without a `signal` of the call's own it gets the session's, which is made if it asks. */
export const toolContext = (
  known: ToolContextFields,
  session: ToolContextSession,
  signal: AbortSignal | undefined,
): RunContext<unknown, unknown, unknown> =>
  new ToolContext(known, session, signal) as unknown as RunContext<unknown, unknown, unknown>;

class ToolContext {
  readonly input: unknown;
  readonly task: unknown;
  readonly state: unknown;
  readonly sessionId: string;
  readonly #session: ToolContextSession;
  readonly #signal: AbortSignal | undefined;

  constructor({ input, task, state }: ToolContextFields, session: ToolContextSession, signal: AbortSignal | undefined) {
    this.input = input;
    this.task = task;
    this.state = state;
    this.sessionId = session.sessionId;
    this.#session = session;
    this.#signal = signal;
    Object.defineProperty(this, 'signal', SIGNAL);
  }

  static signalOf(context: ToolContext): AbortSignal {
    return context.#signal ?? context.#session.signal;
  }
}

/** An own property, which is there in what an author spreads; the same function for all, which V8 needs to keep them fast. */
const SIGNAL = {
  enumerable: true,
  get(this: ToolContext) {
    return ToolContext.signalOf(this);
  },
};

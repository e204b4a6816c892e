import { type Awaitable, andThen, jsonProblem, orElse } from '../core/index.ts';
import type { JSONValue, SerializedBlock } from '../protocol/index.ts';
import type { Environment, SetupContext } from './define-environment.ts';
import { type RunContext, type Tool, toTools } from './define-tool.ts';
import { runTool, serializeBlocks, type ToolRunResult } from './run-tool.ts';

/** Session of an episode, as the episode sees it. */
export interface EpisodeHost {
  readonly sessionId: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is torn down. Read only if the author's code needs it, so it may be created on access. */
  readonly signal: AbortSignal;
  /** Receives warnings for the author. */
  warn(message: string): void;
  /** Called when a cleanup fails. */
  onError(what: string, error: unknown): void;
  /** Called with each handle that `setup` registers. @default ignored */
  onHandle?(handle: JSONValue): void;
}

/** Pending cleanup of the author's code. */
interface CleanupStep {
  readonly what: string;
  readonly run: () => Awaitable<void>;
}

/** One episode of an environment, from setup to teardown. */
export class Episode {
  readonly environment: Environment;
  readonly #task: unknown;
  readonly #session: EpisodeHost;
  #cleanups: (() => Awaitable<void>)[] | undefined;
  #state: unknown;
  #isSetUp = false;
  #tools: ReadonlyMap<string, Tool>;
  #prompt: Awaitable<readonly SerializedBlock[]> | undefined;
  #isTornDown = false;
  #isCleaningUp = false;
  #cleaningUp: Promise<void> | undefined;

  /** @param task full task, including parts that are hidden from clients. */
  constructor(environment: Environment, task: unknown, session: EpisodeHost) {
    this.environment = environment;
    this.#task = task;
    this.#session = session;
    this.#tools = environment.tools;
  }

  /** Runs the author's `setup` and adds the tools of the task. */
  setup(): Awaitable<void> {
    const { hooks } = this.environment;
    return andThen(hooks.setup?.(this.#setupContext() as never), (state) => {
      this.#state = state;
      this.#isSetUp = true;
      if (this.#isTornDown) return this.#cleanUp();
      if (hooks.taskTools) return andThen(hooks.taskTools(this.#context()), (tools) => this.#addTools(tools));
    });
  }

  /** All tools of this episode, shared ones first; complete after `setup`. */
  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /** Returns the prompt. The author's function is called once, so that changes of the state do not change the prompt. */
  prompt(): Awaitable<readonly SerializedBlock[]> {
    this.#prompt ??= orElse(
      () => this.#createPrompt(),
      (error) => {
        this.#prompt = undefined;
        throw error;
      },
    );
    return this.#prompt;
  }

  /** Runs a tool. @param signal signal of this call. @default the signal of the episode */
  run(name: string, input: unknown, signal?: AbortSignal): Awaitable<ToolRunResult> {
    const tool = this.#tools.get(name);
    if (!tool) return { ok: false, reason: 'unknown tool' };
    const createContext = (validInput: unknown) =>
      toolContext({ input: validInput, task: this.#task, state: this.#state }, this.#session, signal);
    return runTool(tool, input, createContext, (message) => this.#session.warn(message));
  }

  /**
   * Reverts setup: runs the author's `teardown`, then the registered cleanups in reverse order, each exactly once. If
   * setup is still running, everything that it registers later is cleaned up immediately.
   */
  teardown(): Awaitable<void> {
    this.#isTornDown = true;
    return this.#cleanUp();
  }

  #createPrompt(): Awaitable<readonly SerializedBlock[]> {
    return andThen(this.environment.hooks.prompt(this.#context()), (prompt) =>
      serializeBlocks(typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt, 'prompt'),
    );
  }

  #addTools(tools: object): void {
    const own = toTools(tools, `environment '${this.environment.name}', taskTools`);
    for (const tool of own.keys()) {
      if (this.#tools.has(tool)) throw new TypeError(`taskTools: '${tool}' is already a tool of every task; rename it`);
    }
    this.#tools = new Map([...this.#tools, ...own]);
  }

  #cleanUp(): Awaitable<void> {
    const first = this.#isCleaningUp ? undefined : this.#nextCleanup();
    if (first) {
      this.#isCleaningUp = true;
      this.#cleaningUp = this.#runCleanups(first);
    }
    return this.#cleaningUp;
  }

  /** Runs all cleanups, including those that are registered meanwhile. */
  async #runCleanups(first: CleanupStep): Promise<void> {
    for (let next: CleanupStep | undefined = first; next; next = this.#nextCleanup()) await this.#runCleanup(next);
    this.#isCleaningUp = false;
  }

  #nextCleanup(): CleanupStep | undefined {
    const { teardown } = this.environment.hooks;
    if (teardown && this.#isSetUp) {
      this.#isSetUp = false;
      return { what: 'teardown', run: () => teardown(this.#context()) };
    }
    const cleanup = this.#cleanups?.pop();
    return cleanup && { what: 'onCleanup', run: cleanup };
  }

  /** Reports a failure, so that the remaining cleanups run. */
  async #runCleanup({ what, run }: CleanupStep): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#session.onError(what, error);
    }
  }

  #setupContext(): SetupContext<unknown> {
    const session = this.#session;
    const { sessionId, secrets } = session;
    return {
      task: this.#task,
      secrets,
      sessionId,
      // A getter, because the session creates its signal on access.
      get signal() {
        return session.signal;
      },
      onCleanup: (cleanup) => {
        this.#cleanups ??= [];
        this.#cleanups.push(cleanup);
        if (this.#isTornDown) void this.#cleanUp();
      },
      registerHandle(handle) {
        const problem = jsonProblem(handle, 'registerHandle');
        if (problem) throw new TypeError(`${problem}, which JSON cannot keep`);
        session.onHandle?.(handle);
      },
    };
  }

  #context() {
    return { task: this.#task as never, state: this.#state, sessionId: this.#session.sessionId };
  }
}

interface ToolContextSession {
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

type ToolContextFields = Pick<RunContext<unknown, unknown, unknown>, 'input' | 'task' | 'state'>;

/** Creates the context of a tool. Without a signal of the call, `signal` is that of the session, created on access. */
const toolContext = (
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

/**
 * Descriptor of an own, enumerable property, so that it survives a spread by the author. All contexts share the getter,
 * because V8 then keeps them in fast mode.
 */
const SIGNAL = {
  enumerable: true,
  get(this: ToolContext) {
    return ToolContext.signalOf(this);
  },
};

import { type Awaitable, andThen, jsonProblem, orElse, propertyOf } from '../core/index.ts';
import type { JSONValue, SerializedBlock, SerializedToolOutput } from '../protocol/index.ts';
import { describeIssues, type SchemaValidation } from '../schema/index.ts';
import type { Environment, SetupContext } from './define-environment.ts';
import { isToolError, type RunContext, type Tool, toTools } from './define-tool.ts';
import { serializeBlocks, serializeOutput } from './tool-output.ts';

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

/** Result of a tool: an output, or a failure that the agent can handle. */
export type ToolRunResult =
  | { readonly ok: true; readonly output: SerializedToolOutput }
  | { readonly ok: false; readonly reason: string };

/** Reason of a ToolError without a message. */
export const EMPTY_TOOL_ERROR = 'the tool gave no reason';

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
      () =>
        andThen(this.environment.hooks.prompt(this.#context()), (prompt) =>
          serializeBlocks(typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt, 'prompt'),
        ),
      (error) => {
        this.#prompt = undefined;
        throw error;
      },
    );
    return this.#prompt;
  }

  /**
   * Validates the input of a tool, runs it and validates its output.
   *
   * @param signal signal of this call. @default the signal of the episode
   * @throws OutputError for an invalid output; every error of the tool except ToolError.
   */
  call(name: string, input: unknown, signal?: AbortSignal): Awaitable<ToolRunResult> {
    const tool = this.#tools.get(name);
    if (!tool) return { ok: false, reason: 'unknown tool' };
    const run = (valid: SchemaValidation<unknown>): Awaitable<ToolRunResult> => {
      if (!valid.ok) return { ok: false, reason: describeIssues(valid.issues) };
      const context = { input: valid.value, task: this.#task, state: this.#state };
      const result = tool.run(new ToolContext(context, this.#session, signal));
      return andThen(result, (value) => ({ ok: true, output: this.#outputOf(tool, value) }));
    };
    return orElse(
      () => andThen(tool.schema ? tool.schema.validate(input) : { ok: true, value: {} }, run),
      (error) => {
        if (!isToolError(error)) throw error;
        const message = propertyOf(error, 'message');
        const reason = typeof message === 'string' && message !== '' ? message : EMPTY_TOOL_ERROR;
        return { ok: false, reason };
      },
    );
  }

  /**
   * Reverts setup: runs the author's `teardown`, then the registered cleanups in reverse order, each exactly once. If
   * setup is still running, everything that it registers later is cleaned up immediately.
   */
  teardown(): Awaitable<void> {
    this.#isTornDown = true;
    return this.#cleanUp();
  }

  #outputOf(tool: Tool, result: unknown): SerializedToolOutput {
    const output = serializeOutput(result);
    if (output.blocks.length > 0) return output;
    this.#session.warn(`tool '${tool.spec.name}' returned no blocks; an empty text block is sent instead`);
    return { ...output, blocks: [{ text: '', detail: null, type: 'text' }] };
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
    for (let next: CleanupStep | undefined = first; next; next = this.#nextCleanup()) {
      try {
        await next.run();
      } catch (error) {
        // Reported, so that the remaining cleanups run.
        this.#session.onError(next.what, error);
      }
    }
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

/** Context of a tool. Without a signal of the call, `signal` is that of the session, created on access. */
class ToolContext implements RunContext<unknown, unknown, unknown> {
  readonly input: unknown;
  readonly task: unknown;
  readonly state: unknown;
  readonly sessionId: string;
  declare readonly signal: AbortSignal;
  readonly #session: EpisodeHost;
  readonly #signal: AbortSignal | undefined;

  constructor(
    { input, task, state }: Pick<ToolContext, 'input' | 'task' | 'state'>,
    session: EpisodeHost,
    signal: AbortSignal | undefined,
  ) {
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

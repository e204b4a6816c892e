import { type Awaitable, andThen, jsonProblem, orElse } from '../core/index.ts';
import type { JSONValue, SerializedBlock } from '../protocol/index.ts';
import type { Environment, SetupContext } from './define-environment.ts';
import type { RunContext, Tool } from './define-tool.ts';
import { toTools } from './define-tool.ts';
import { serializeBlocks } from './output.ts';
import { runTool, type ToolRunResult } from './run-tool.ts';
import { toolContext } from './tool-context.ts';

/** The session that an episode is played in, as the episode sees it. */
export interface EpisodeHost {
  readonly sessionId: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is torn down. Asked for only where somebody wants it, so it may be made then. */
  readonly signal: AbortSignal;
  /** For what the author should know. */
  warn(message: string): void;
  /** Told what could not be undone. */
  onError(what: string, error: unknown): void;
  /** Told what the episode holds outside of the process. Default: nobody is. */
  onHandle?(handle: JSONValue): void;
}

/** Something that an author's code has to undo. */
interface CleanupStep {
  readonly what: string;
  readonly undo: () => Awaitable<void>;
}

/** One episode of an environment: its state between setup and teardown. */
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

  /** `task` is the whole one. */
  constructor(environment: Environment, task: unknown, session: EpisodeHost) {
    this.environment = environment;
    this.#task = task;
    this.#session = session;
    this.#tools = environment.tools;
  }

  /** Runs the author's setup and asks for the task's own tools. */
  setup(): Awaitable<void> {
    const { hooks } = this.environment;
    return andThen(hooks.setup?.(this.#setupContext() as never), (state) => {
      this.#state = state;
      this.#isSetUp = true;
      if (this.#isTornDown) return this.#cleanUp();
      if (hooks.taskTools) return andThen(hooks.taskTools(this.#context()), (tools) => this.#addTools(tools));
    });
  }

  /** All tools of this episode, shared ones first; complete after setup. */
  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /** The prompt; the author is asked once, so calls that change the state do not change it. */
  prompt(): Awaitable<readonly SerializedBlock[]> {
    this.#prompt ??= orElse(
      () => this.#askPrompt(),
      (error) => {
        this.#prompt = undefined;
        throw error;
      },
    );
    return this.#prompt;
  }

  /** Runs the tool of this name. `signal` is for this call; without it the tool gets that of the episode. */
  run(name: string, input: unknown, signal?: AbortSignal): Awaitable<ToolRunResult> {
    const tool = this.#tools.get(name);
    if (!tool) return { ok: false, reason: 'unknown tool' };
    const context = (valid: unknown) => this.#toolContext(valid, signal);
    return runTool(tool, input, context, (message) => this.#session.warn(message));
  }

  /**
   * Undoes setup: the author's teardown, then what was registered, last first; each exactly once. What a late setup
   * leaves behind after that is undone as it comes.
   */
  teardown(): Awaitable<void> {
    this.#isTornDown = true;
    return this.#cleanUp();
  }

  #askPrompt(): Awaitable<readonly SerializedBlock[]> {
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

  /** Undoes what there is, and what comes meanwhile. */
  async #runCleanups(first: CleanupStep): Promise<void> {
    for (let next: CleanupStep | undefined = first; next; next = this.#nextCleanup()) await this.#attempt(next);
    this.#isCleaningUp = false;
  }

  #nextCleanup(): CleanupStep | undefined {
    const { teardown } = this.environment.hooks;
    if (teardown && this.#isSetUp) {
      this.#isSetUp = false;
      return { what: 'teardown', undo: () => teardown(this.#context()) };
    }
    const cleanup = this.#cleanups?.pop();
    return cleanup && { what: 'onCleanup', undo: cleanup };
  }

  /** One thing that cannot be undone must not keep the others from it. */
  async #attempt({ what, undo }: CleanupStep): Promise<void> {
    try {
      await undo();
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
      // Made if the author asks for it.
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

  #toolContext(input: unknown, signal: AbortSignal | undefined): RunContext<unknown, unknown, unknown> {
    return toolContext({ input, task: this.#task, state: this.#state }, this.#session, signal);
  }

  #context() {
    return { task: this.#task as never, state: this.#state, sessionId: this.#session.sessionId };
  }
}

import type { Awaitable } from '../awaitable/index.ts';
import { type JSONValue, jsonProblem, type SerializedBlock } from '../protocol/index.ts';
import type { Environment } from './define-environment.ts';
import type { Tool } from './define-tool.ts';
import { toTools } from './define-tool.ts';
import { serializeBlocks } from './output.ts';
import { runTool, type ToolRun } from './run-tool.ts';

export interface EpisodeOptions {
  readonly sessionId: string;
  /** The whole task. */
  readonly task: unknown;
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is torn down. */
  readonly signal: AbortSignal;
  /** For what the author should know. */
  readonly warn: (message: string) => void;
  /** Told what could not be undone. */
  readonly onError: (what: string, error: unknown) => void;
  /** Told what the episode holds outside of the process. Default: nobody is. */
  readonly onHandle?: (handle: JSONValue) => void;
}

/** One episode of an environment: its state between setup and teardown. */
export class Episode {
  readonly environment: Environment;
  readonly #options: EpisodeOptions;
  readonly #cleanups: (() => Awaitable<void>)[] = [];
  #state: unknown;
  #isSetUp = false;
  #isTornDown = false;
  #tools: ReadonlyMap<string, Tool>;
  #prompt: Promise<readonly SerializedBlock[]> | undefined;
  #teardown: Promise<void> | undefined;

  constructor(environment: Environment, options: EpisodeOptions) {
    this.environment = environment;
    this.#options = options;
    this.#tools = environment.tools;
  }

  /** Runs the author's setup and asks for the task's own tools. */
  async setup(): Promise<void> {
    const { task, secrets, signal, sessionId } = this.#options;
    const { author, name } = this.environment;
    const onCleanup = (cleanup: () => Awaitable<void>) => {
      this.#cleanups.push(cleanup);
      if (this.#teardown) void this.#undo();
    };
    const context = { task, secrets, signal, sessionId, onCleanup, registerHandle: this.#registerHandle };
    this.#state = await author.setup?.(context as never);
    this.#isSetUp = true;
    if (this.#teardown) return this.#undo();
    if (!author.taskTools) return;
    const own = toTools(await author.taskTools(this.#context()), `environment '${name}', taskTools`);
    for (const tool of own.keys()) {
      if (this.#tools.has(tool)) throw new TypeError(`taskTools: '${tool}' is already a tool of every task; rename it`);
    }
    this.#tools = new Map([...this.#tools, ...own]);
  }

  /** All tools of this episode, shared ones first; complete after setup. */
  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /** The prompt; the author is asked once, so calls that change the state do not change it. */
  prompt(): Promise<readonly SerializedBlock[]> {
    this.#prompt ??= this.#askPrompt().catch((error: unknown) => {
      this.#prompt = undefined;
      throw error;
    });
    return this.#prompt;
  }

  /** Runs the tool of this name. `signal` is for this call; without it the tool gets that of the episode. */
  run(name: string, input: unknown, signal = this.#options.signal): Awaitable<ToolRun> {
    const tool = this.#tools.get(name);
    if (!tool) return { ok: false, reason: 'unknown tool' };
    const { task, sessionId, warn } = this.#options;
    const state = this.#state;
    return runTool(tool, input, (valid) => ({ input: valid, task, state, signal, sessionId }), warn);
  }

  /**
   * Undoes setup: the author's teardown, then what was registered, last first; each exactly once. What a late setup
   * leaves behind after that is undone as it comes.
   */
  teardown(): Promise<void> {
    this.#teardown ??= this.#undo();
    return this.#teardown;
  }

  readonly #registerHandle = (handle: JSONValue) => {
    const problem = jsonProblem(handle, 'registerHandle');
    if (problem) throw new TypeError(`${problem}, which JSON cannot keep`);
    this.#options.onHandle?.(handle);
  };

  async #askPrompt(): Promise<readonly SerializedBlock[]> {
    const prompt = await this.environment.author.prompt(this.#context());
    return serializeBlocks(typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt, 'prompt');
  }

  async #undo(): Promise<void> {
    const { teardown } = this.environment.author;
    if (teardown && this.#isSetUp && !this.#isTornDown) {
      this.#isTornDown = true;
      await this.#attempt('teardown', () => teardown(this.#context()));
    }
    for (const cleanup of this.#cleanups.splice(0).reverse()) await this.#attempt('onCleanup', cleanup);
  }

  /** One thing that cannot be undone must not keep the others from it. */
  async #attempt(what: string, undo: () => Awaitable<void>): Promise<void> {
    try {
      await undo();
    } catch (error) {
      this.#options.onError(what, error);
    }
  }

  #context() {
    const { task, sessionId } = this.#options;
    return { task: task as never, state: this.#state, sessionId };
  }
}

import type { SerializedBlock, ToolSpec } from '../protocol/index.ts';
import type { Environment } from './define-environment.ts';
import type { Awaitable, Tool } from './define-tool.ts';
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
    this.#state = await author.setup?.({ task, secrets, signal, sessionId, onCleanup } as never);
    this.#isSetUp = true;
    if (this.#teardown) return this.#undo();
    if (!author.taskTools) return;
    const own = toTools(await author.taskTools(this.#context()), `environment '${name}', taskTools`);
    for (const tool of own.keys()) {
      if (this.#tools.has(tool)) throw new TypeError(`taskTools: '${tool}' is already a tool of every task; rename it`);
    }
    this.#tools = new Map([...this.#tools, ...own]);
  }

  /** The specifications of all tools of this episode, shared ones first. */
  get toolSpecs(): ToolSpec[] {
    return [...this.#tools.values()].map(({ spec }) => spec);
  }

  tool(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** The prompt; the author is asked once, so calls that change the state do not change it. */
  prompt(): Promise<readonly SerializedBlock[]> {
    this.#prompt ??= this.#askPrompt().catch((error: unknown) => {
      this.#prompt = undefined;
      throw error;
    });
    return this.#prompt;
  }

  run(tool: Tool, input: unknown): Promise<ToolRun> {
    const { signal, warn } = this.#options;
    return runTool(tool, input, { ...this.#context(), signal }, warn);
  }

  /**
   * Undoes setup: the author's teardown, then what was registered, last first; each exactly once. What a late setup
   * leaves behind after that is undone as it comes.
   */
  teardown(): Promise<void> {
    this.#teardown ??= this.#undo();
    return this.#teardown;
  }

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

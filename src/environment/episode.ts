import {
  type Awaitable,
  andThen,
  createResolver,
  definedFields,
  isRecord,
  jsonProblem,
  misspelledName,
  orElse,
  propertiesOf,
  propertyOf,
  randomSeed,
  seededRandom,
  truncate,
} from '../core/index.ts';
import {
  flattenMessages,
  type JSONObject,
  type JSONValue,
  promptMessages,
  type RefusalReason,
  type ScoreGroupCandidate,
  type SerializedBlock,
  type SerializedMessage,
  type SerializedToolOutput,
  serializeBlocks,
  serializeMessages,
} from '../protocol/index.ts';
import { describeIssues, type SchemaValidation } from '../schema/index.ts';
import type { Environment, SetupContext } from './define-environment.ts';
import { isToolError, type RunContext, type Tool, toTools } from './define-tool.ts';
import { type SerializedGroupScore, serializeOutput, serializeScores } from './tool-output.ts';

/** Inputs of author code that differ between runs, so that a journal can repeat them. */
export interface Conditions {
  /** Seed of the random numbers. */
  readonly seed: number;
  /** Time in milliseconds since 1970. */
  readonly now: number;
}

/** Session of an episode, as the episode sees it. */
export interface EpisodeHost {
  readonly sessionId: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Name of the selected toolset. @default none */
  readonly toolset?: string | undefined;
  /** Conditions of `setup`. @default a random seed, and the time */
  readonly conditions?: Conditions | undefined;
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
  | {
      readonly ok: false;
      readonly reason: string;
      /** Why the tool did not run; undefined if it failed itself. */
      readonly refusal?: RefusalReason | undefined;
    };

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
  #messages: Awaitable<readonly SerializedMessage[]> | undefined;
  #isTornDown = false;
  #isCleaningUp = false;
  #cleaningUp: Promise<void> | undefined;

  /** @param task full task, including parts that are hidden from clients. */
  constructor(environment: Environment, task: unknown, session: EpisodeHost) {
    this.environment = environment;
    this.#task = task;
    this.#session = session;
    this.#tools = withToolset(environment, session.toolset);
  }

  /**
   * Runs the author's `setup` and adds the tools of the task.
   *
   * @param saved what `snapshot` returned, for an episode that comes back: the author's `restore` runs instead.
   */
  setup(saved?: string): Awaitable<void> {
    const { hooks } = this.environment;
    const start = () =>
      saved === undefined
        ? hooks.setup?.(this.#setupContext() as never)
        : hooks.restore?.(readSnapshot(saved) as never, this.#setupContext() as never);
    return andThen(start(), (state) => {
      this.#state = state;
      this.#isSetUp = true;
      if (this.#isTornDown) return this.#cleanUp();
      if (hooks.taskTools) return andThen(hooks.taskTools(this.#context()), (tools) => this.#addTools(tools));
    });
  }

  /** All tools of this episode, shared ones first and those of the toolset last; complete after `setup`. */
  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /**
   * Returns the prompt, by default the messages as blocks. The author's function is called once, so that changes of the
   * state do not change the prompt.
   */
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

  /** Returns the conversation, by default the prompt as one message. The author's function is called once. */
  messages(): Awaitable<readonly SerializedMessage[]> {
    this.#messages ??= orElse(
      () => this.#createMessages(),
      (error) => {
        this.#messages = undefined;
        throw error;
      },
    );
    return this.#messages;
  }

  #createPrompt(): Awaitable<readonly SerializedBlock[]> {
    const { prompt } = this.environment.hooks;
    if (!prompt) return andThen(this.messages(), flattenMessages);
    return andThen(prompt(this.#context()), (value) =>
      serializeBlocks(typeof value === 'string' ? [{ type: 'text', text: value }] : value, 'prompt'),
    );
  }

  #createMessages(): Awaitable<readonly SerializedMessage[]> {
    const { messages } = this.environment.hooks;
    if (!messages) return andThen(this.prompt(), (blocks) => promptMessages(blocks));
    return andThen(messages(this.#context()), (value) => serializeMessages(value, 'messages'));
  }

  /**
   * Validates the input of a tool, runs it and validates its output.
   *
   * @param signal signal of this call. @default the signal of the episode
   * @param conditions conditions of this call. @default a random seed, and the time
   * @throws OutputError for an invalid output; every error of the tool except ToolError.
   */
  call(name: string, input: unknown, signal?: AbortSignal, conditions?: Conditions): Awaitable<ToolRunResult> {
    const tool = this.#tools.get(name);
    if (!tool) return { ok: false, reason: 'unknown tool', refusal: 'not_found' };
    const run = (valid: SchemaValidation<unknown>): Awaitable<ToolRunResult> => {
      if (!valid.ok) {
        const reason = describeIssues(valid.issues) + misspelledKeys(input, tool.spec.input_schema);
        return { ok: false, reason, refusal: 'input_validation' };
      }
      const context = { input: valid.value, task: this.#task, state: this.#state };
      const result = tool.run(new ToolContext(context, this.#session, signal, conditions));
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
   * Compares rollouts of the task.
   *
   * @param signal signal of this scoring. @default the signal of the episode
   * @throws OutputError for invalid scores; every error of the author.
   */
  scoreGroup(
    candidates: readonly ScoreGroupCandidate[],
    signal: AbortSignal = this.#session.signal,
  ): Awaitable<readonly SerializedGroupScore[]> {
    const { scoreGroup } = this.environment.hooks;
    if (!scoreGroup) throw new TypeError(`environment '${this.environment.name}' has no scoreGroup`);
    const { secrets } = this.#session;
    return andThen(scoreGroup({ ...this.#context(), candidates, secrets, signal }), (scores) =>
      serializeScores(scores, candidates.length),
    );
  }

  /** Returns what `restore` needs, as text; undefined if the environment has no `snapshot`. */
  snapshot(): Awaitable<string | undefined> {
    const { snapshot } = this.environment.hooks;
    return snapshot && andThen(snapshot(this.#context()), writeSnapshot);
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
    const own = toTools(definedFields(tools), `environment '${this.environment.name}', taskTools`);
    const shared = this.environment.tools;
    for (const [name, { terminal }] of own) {
      if (shared.has(name)) throw new TypeError(`taskTools: '${name}' is already a tool of every task; rename it`);
      if (terminal) throw new TypeError(`taskTools: '${name}' is terminal, which only a tool of every task can be`);
    }
    this.#tools = withToolset(this.environment, this.#session.toolset, own);
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
      random: lazyRandom(session.conditions),
      now: session.conditions?.now ?? Date.now(),
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

/**
 * Returns the tools of an episode: shared tools, those of its task, and those of its toolset, which replace others of the
 * same name.
 */
export function withToolset(
  { tools: shared, toolsets }: Environment,
  toolset: string | undefined,
  own: ReadonlyMap<string, Tool> = NO_TOOLS,
): ReadonlyMap<string, Tool> {
  const selected = toolset === undefined ? undefined : toolsets.get(toolset);
  if (!selected && own.size === 0) return shared;
  const kept = [...shared, ...own].filter(([name]) => !selected?.has(name));
  return new Map([...kept, ...(selected ?? [])]);
}

const NO_TOOLS: ReadonlyMap<string, Tool> = new Map();

/** Context of a tool. Without a signal of the call, `signal` is that of the session, created on access. */
class ToolContext implements RunContext<unknown, unknown, unknown> {
  readonly input: unknown;
  readonly task: unknown;
  readonly state: unknown;
  readonly sessionId: string;
  readonly random: () => number;
  readonly now: number;
  declare readonly signal: AbortSignal;
  readonly #session: EpisodeHost;
  readonly #signal: AbortSignal | undefined;

  constructor(
    { input, task, state }: Pick<ToolContext, 'input' | 'task' | 'state'>,
    session: EpisodeHost,
    signal: AbortSignal | undefined,
    conditions: Conditions | undefined,
  ) {
    this.input = input;
    this.task = task;
    this.state = state;
    this.sessionId = session.sessionId;
    this.random = lazyRandom(conditions);
    this.now = conditions?.now ?? Date.now();
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

/** Returns a generator of random numbers that is created with its first number: most calls never read one. */
function lazyRandom(conditions: Conditions | undefined): () => number {
  let random: (() => number) | undefined;
  return () => {
    random ??= seededRandom(conditions?.seed ?? randomSeed());
    return random();
  };
}

/** Marks a snapshot that is bytes; JSON never begins with it. */
const BYTES = '=';

function writeSnapshot(saved: unknown): string {
  if (saved instanceof Uint8Array) return BYTES + Buffer.from(saved).toString('base64');
  const problem = jsonProblem(saved, 'snapshot');
  if (problem) throw new TypeError(`${problem}, which JSON cannot keep; return JSON or a Uint8Array`);
  return JSON.stringify(saved);
}

/** Returns what `snapshot` returned. */
const readSnapshot = (text: string): JSONValue | Uint8Array =>
  text.startsWith(BYTES) ? new Uint8Array(Buffer.from(text.slice(1), 'base64')) : (JSON.parse(text) as JSONValue);

/** Maximum number of keys of an input that are compared with the names of parameters. */
const MAX_COMPARED_KEYS = 100;
const MAX_KEY_LENGTH = 100;

/** Returns a hint at the first misspelled parameter of an input, as the end of a sentence; empty if there is none. */
function misspelledKeys(input: unknown, schema: JSONObject | null): string {
  if (!isRecord(input) || schema === null) return '';
  const names = propertiesOf(schema, createResolver(schema)).map(({ name }) => name);
  const missing = names.filter((name) => !Object.hasOwn(input, name));
  const unknown = Object.keys(input).filter((key) => !names.includes(key));
  for (const key of unknown.slice(0, MAX_COMPARED_KEYS)) {
    const meant = misspelledName(key, missing);
    if (meant !== undefined) return `; '${truncate(key, MAX_KEY_LENGTH)}' is not a parameter, did you mean '${meant}'?`;
  }
  return '';
}

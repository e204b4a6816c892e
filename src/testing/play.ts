import { pino } from 'pino';
import { OrsClient, type TaskSelector, ToolCallError } from '../client/index.ts';
import {
  type Environment,
  Episode,
  getTaskAt,
  listTools,
  type PlayerOutput,
  resolveTask,
  toolNames,
  withToolset,
} from '../environment/index.ts';
import {
  type Block,
  type GroupScore,
  type JSONObject,
  joinText,
  type Message,
  type RefusalReason,
  type ScoreGroupCandidate,
  type TerminalTool,
  type ToolSpec,
  terminalToolInput,
} from '../protocol/index.ts';
import { serve } from '../server/index.ts';

/**
 * Options of `play`.
 *
 * @example
 * await play(environment, { split: 'train', index: 0 }, { via: 'process', secrets: { TOKEN: 'test' } });
 */
export interface PlayEpisodeOptions {
  /**
   * `wire` plays through a client and a server, as agents do; errors are those that players see. `process` calls the
   * environment directly; errors are those of the author, with their stacks. @default 'wire'
   */
  readonly via?: 'wire' | 'process';
  /** URL of a running server with the environment, for `wire`. @default a server that ends with the episode */
  readonly url?: string;
  /** Secrets for `setup`. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Toolset of the environment. @default none */
  readonly toolset?: string;
}

type EpisodeOptions = Pick<PlayEpisodeOptions, 'secrets' | 'toolset'>;

/** Plays an episode, in the same way over the wire and in the process. */
interface EpisodePlayer {
  readonly sessionId: string;
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /**
   * Calls a tool; also a terminal tool, which is not in `tools`.
   *
   * @throws ToolCallError if the tool returns `ok: false`; other errors depend on `via`.
   */
  readonly call: (name: string, input?: JSONObject) => Promise<PlayerOutput>;
  /** Returns the conversation that the agent continues: one message of the user if the environment has only a prompt. */
  readonly messages: () => Promise<readonly Message[]>;
  /** Compares rollouts of the task. Rejects if the environment cannot, or if its scores are invalid. */
  readonly scoreGroup: (candidates: readonly ScoreGroupCandidate[]) => Promise<readonly GroupScore[]>;
  /** Deletes the episode. Can be called twice. */
  readonly close: () => Promise<void>;
}

/**
 * Episode of a test.
 *
 * @example
 * await using episode: TestEpisode = await play(environment, { split: 'train', index: 0 });
 * const outputs = await episode.solve();
 */
export interface TestEpisode extends EpisodePlayer, AsyncDisposable {
  /** The tool that grades the final message, or null. */
  readonly terminalTool: TerminalTool | null;
  /**
   * Calls the terminal tool with the text of a final message.
   *
   * @throws ToolCallError if there is no terminal tool, or if it refuses the text.
   */
  answer(text: string): Promise<PlayerOutput>;
  /** Plays the episode by `solve` of the environment and returns the output of each call. */
  solve(): Promise<readonly PlayerOutput[]>;
}

/**
 * Starts an episode of an environment in a test.
 *
 * @throws Error if the episode cannot be created or its setup fails.
 * @example
 * await using episode = await play(environment, { split: 'train', index: 0 });
 * const { reward, finished } = await episode.call('submit', { answer: 3 });
 * expect([reward, finished]).toEqual([1, true]);
 */
export async function play(
  environment: Environment,
  selector: TaskSelector,
  { via = 'wire', url, ...options }: PlayEpisodeOptions = {},
): Promise<TestEpisode> {
  if (via === 'process' && url !== undefined) throw new TypeError("url requires via: 'wire'; omit one of them");
  const player =
    via === 'process'
      ? await playInProcess(environment, selector, options)
      : await playOverWire(environment, selector, options, url);
  const { terminalTool } = listTools(withToolset(environment, options.toolset).values());
  const answerBy = async (call: EpisodePlayer['call'], text: string): Promise<PlayerOutput> => {
    if (terminalTool) return call(terminalTool.name, terminalToolInput(terminalTool, text));
    const message = `environment '${environment.name}' has no terminal tool`;
    throw new ToolCallError(message, { sid: player.sessionId, reason: 'not_found' });
  };
  return {
    ...player,
    terminalTool,
    answer: (text) => answerBy(player.call, text),
    async solve() {
      const { solve } = environment.hooks;
      if (!solve) throw new Error(`environment '${environment.name}' has no solve function`);
      const outputs: PlayerOutput[] = [];
      const call = async (name: string, input?: JSONObject) => {
        const output = await player.call(name, input);
        outputs.push(output);
        return output;
      };
      const answer = (text = '') => answerBy(call, text);
      const { prompt, tools } = player;
      await solve({ task: (await findTask(environment, selector)) as never, prompt, tools, call, answer });
      return outputs;
    },
    [Symbol.asyncDispose]: player.close,
  };
}

/** Returns the full task, including parts that are hidden from players. */
const findTask = async (environment: Environment, selector: TaskSelector): Promise<unknown> =>
  'task' in selector ? resolveTask(environment, selector.task) : getTaskAt(environment, selector.split, selector.index);

/** Plays through a client. Without a URL, the episode has its own server, which validates its responses. */
async function playOverWire(
  environment: Environment,
  selector: TaskSelector,
  options: EpisodeOptions,
  url: string | undefined,
): Promise<EpisodePlayer> {
  const log = pino({ level: 'silent' });
  const server = url === undefined ? await serve([environment], { port: 0, log, validateResponses: true }) : undefined;
  // A test that times out before it has its episode cannot close it, and its runner would wait for the server forever.
  server?.unref();
  const client = new OrsClient(server?.url ?? url ?? '');
  const disconnect = async () => {
    await client.close();
    await server?.close();
  };
  let close = disconnect;
  try {
    const session = await client.environment(environment.name).session(selector, options);
    let closed: Promise<void> | undefined;
    close = () => (closed ??= session.close().finally(disconnect));
    return {
      sessionId: session.sid,
      prompt: await session.prompt(),
      tools: await session.tools(),
      call: (name, input) => session.call(name, input),
      messages: () => session.messages(),
      scoreGroup: (candidates) => session.scoreGroup(candidates),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Plays without a server. */
async function playInProcess(
  environment: Environment,
  selector: TaskSelector,
  { secrets = {}, toolset }: EpisodeOptions,
): Promise<EpisodePlayer> {
  if (toolset !== undefined && !environment.toolsets.has(toolset)) throw new Error(`unknown toolset '${toolset}'`);
  const sessionId = crypto.randomUUID();
  const abort = new AbortController();
  const failures: unknown[] = [];
  const episode = new Episode(environment, await findTask(environment, selector), {
    sessionId,
    secrets,
    toolset,
    signal: abort.signal,
    warn: (message) => process.emitWarning(message),
    onError: (_what, error) => void failures.push(error),
  });
  const close = async () => {
    abort.abort(new Error('the episode is over'));
    await episode.teardown();
    if (failures.length > 0) throw failures[0];
  };
  try {
    await episode.setup();
    return {
      sessionId,
      prompt: (await episode.prompt()) as readonly Block[],
      tools: [...listTools(episode.tools.values()).tools],
      call: createCall(episode, sessionId),
      // The type of a message forbids blocks that a message of its role cannot have, which has been checked.
      messages: async () => (await episode.messages()) as readonly Message[],
      scoreGroup: async (candidates) => episode.scoreGroup(candidates),
      close,
    };
  } catch (error) {
    // The error of setup matters more than that of teardown.
    await close().catch(() => undefined);
    throw error;
  }
}

function createCall(episode: Episode, sid: string): EpisodePlayer['call'] {
  let isFinished = false;
  return async (name, input = {}): Promise<PlayerOutput> => {
    const toolError = (detail: string, reason?: RefusalReason) =>
      new ToolCallError(`Tool '${name}' failed: ${detail}`, { sid, reason });
    const finishedError = () => toolError('the episode is finished; no tool runs after that', 'episode_finished');
    if (!episode.tools.has(name)) {
      throw toolError(`unknown tool; this episode has: ${toolNames(episode.tools.values())}`, 'not_found');
    }
    if (isFinished) throw finishedError();
    // Copied through JSON, as over the wire, so that the tool cannot change the caller's object.
    const run = await episode.call(name, JSON.parse(JSON.stringify(input)) as JSONObject);
    // Another call has finished the episode meanwhile.
    if (isFinished) throw finishedError();
    if (!run.ok) throw toolError(run.reason, run.refusal);
    isFinished ||= run.output.finished;
    return { ...run.output, text: joinText(run.output.blocks) };
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatMessages, type MessageFormats } from '../../client/formats/index.ts';
import { deferred, errorMessage, PendingPromises, settlesWithin } from '../../core/index.ts';
import { flattenMessages, joinText, type Message, text } from '../../protocol/index.ts';
import {
  type BridgeCallResult,
  type BridgePlayOptions,
  type BridgeSession,
  type PromptedSession,
  playSession,
  readConversation,
  type SessionPlayer,
  toVisibleBlocks,
  type VisibleResult,
} from '../session/index.ts';
import { loadServerSdk, type ServerSdk } from './sdk.ts';

/** Session of `ors-kit/client` whose episode ends with the MCP connection. */
export interface McpSession extends BridgeSession, PromptedSession {
  /** Deletes the episode on the server. */
  close(): Promise<void>;
}

/**
 * Options of an episode that is served by MCP.
 *
 * @example
 * await serveMcp(session, { name: 'maze', onReward: (row) => console.error(JSON.stringify(row)) });
 */
export interface McpEpisodeOptions extends BridgePlayOptions {
  /** Called with the reward of each call, and finally of the whole episode. Must not throw. @default ignored */
  readonly onReward?: (row: RewardRow) => void;
  /** Name of the MCP server. @default the name of the environment */
  readonly name?: string;
  /** Version of the MCP server. @default '1' */
  readonly version?: string;
}

/** Row of rewards, which no model sees. */
export type RewardRow = CallRewardRow | EpisodeRewardRow;

/** Reward of one call. */
export interface CallRewardRow
  extends Pick<BridgeCallResult, 'number' | 'tool' | 'ok' | 'reward' | 'finished'>,
    EpisodeIds {
  readonly type: 'call';
  /** Why the server refused the call, such as `episode_finished`; absent for all other calls. */
  readonly reason?: string;
}

/** Total of an episode, written when its MCP connection ends. */
export interface EpisodeRewardRow extends EpisodeIds {
  readonly type: 'episode';
  /** Number of calls. */
  readonly calls: number;
  /** Sum of the rewards; null if no call had one. */
  readonly reward: number | null;
  readonly finished: boolean;
}

/** The environment of an episode, and the id of its session on the environment's server. */
type EpisodeIds = Pick<BridgeSession, 'sid' | 'environment'>;

/** Methods of a transport of `@modelcontextprotocol/sdk` that serving requires. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
}

/**
 * Options of `serveMcp`.
 *
 * @example
 * await serveMcp(session, { onReward: (row) => appendFileSync('rewards.jsonl', `${JSON.stringify(row)}\n`) });
 */
export interface ServeMcpOptions extends McpEpisodeOptions {
  /** Transport of the MCP SDK. @default standard input and output of this process */
  readonly transport?: McpTransport;
}

/** MCP server of one episode. */
export interface RunningMcpServer extends AsyncDisposable {
  /** Resolves when the client has disconnected and the episode is deleted; rejects if it cannot be deleted. */
  readonly closed: Promise<void>;
  /** Ends the server and deletes the episode. Can be called twice. */
  close(): Promise<void>;
}

/**
 * Serves an episode as an MCP server: its prompt as instructions, as a prompt and as a resource, its tools as tools. The
 * model sees only blocks; rewards go to `onReward`. When the client disconnects, the session is closed. Requires the
 * package `@modelcontextprotocol/sdk`. Source: Model Context Protocol, lifecycle, prompts, resources, tools.
 *
 * The final message of the model never reaches an MCP server. If the environment grades it, its terminal tool is listed
 * too, with one string; no tool runs after the answer.
 *
 * @throws Error if the package is missing; errors of `session.prompt`, `session.messages`, `session.tools` and
 *   `session.terminalTool`, which leave the session open.
 * @example
 * const session = await client.environment('maze').session({ split: 'train', index: 0 });
 * const server = await serveMcp(session);
 * await server.closed;
 */
export async function serveMcp(session: McpSession, options: ServeMcpOptions = {}): Promise<RunningMcpServer> {
  const episode = await createEpisodeServer(session, options);
  const disconnected = deferred();
  const onDisconnect = () => disconnected.resolve();
  const closed = disconnected.promise.then(() => episode.close());
  // A failure also rejects `close`, so that `closed` does not have to be awaited.
  closed.catch(() => {});
  episode.server.onclose = onDisconnect;
  const transport = options.transport ?? (await openStdio(episode.calls, onDisconnect));
  // The documentation of the option requires a transport of the SDK.
  await episode.server.connect(transport as never);
  const close = () => {
    onDisconnect();
    return closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** Time that running calls have to end after standard input has ended, in ms: the client may still read results. */
const PENDING_CALLS_TIMEOUT_MS = 60_000;

/** Disconnects when standard input has ended and all calls have results, or when standard output is closed. */
async function openStdio(calls: () => Promise<unknown>, onDisconnect: () => void): Promise<McpTransport> {
  const { StdioServerTransport } = await loadServerSdk();
  const onEnd = async () => {
    // The SDK handles the last messages in the next turns of the event loop.
    await nextTurn();
    await settlesWithin(PENDING_CALLS_TIMEOUT_MS, calls());
    await nextTurn();
    onDisconnect();
  };
  process.stdin.once('end', onEnd).once('close', onEnd);
  process.stdout.once('error', onDisconnect);
  return new StdioServerTransport();
}

type McpSdkServer = InstanceType<ServerSdk['Server']>;

/** Creates the MCP server of an episode, not connected yet. */
export async function createEpisodeServer(session: McpSession, options: McpEpisodeOptions) {
  const sdk = await loadServerSdk();
  const rows = createRewardRows(session, options.onReward ?? (() => {}));
  const onResult = (result: BridgeCallResult) => {
    rows.add(result);
    options.onResult?.(result);
  };
  const player = await playSession(session, 'mcp', { onResult }, { listsTerminalTool: true });
  const prompt = toMcpPrompt(await readConversation(session));
  const { name = session.environment, version = '1' } = options;
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: prompt.instructions },
  );
  servePrompt(server, sdk, prompt);
  const calls = serveTools(server, sdk, player);
  let closed: Promise<void> | undefined;
  return {
    server,
    /** Resolves when no call is running. */
    calls: () => calls.settled(),
    /** Deletes the episode and reports its total reward. */
    close: () =>
      (closed ??= (async () => {
        try {
          await session.close();
        } finally {
          await calls.settled();
          rows.close();
          await server.close();
        }
      })()),
  };
}

function servePrompt(server: McpSdkServer, sdk: ServerSdk, { messages, contents }: McpPrompt): void {
  const { name, uri, description } = MCP_PROMPT;
  server.setRequestHandler(sdk.ListPromptsRequestSchema, () => ({ prompts: [{ name, description }] }));
  server.setRequestHandler(sdk.GetPromptRequestSchema, ({ params }) => {
    if (params.name === name) return { description, messages };
    throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `unknown prompt '${params.name}'; the only one is '${name}'`);
  });
  const resource = { uri, name, description, mimeType: contents[0]?.mimeType ?? 'text/plain' };
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({ resources: [resource] }));
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params }) => {
    if (params.uri === uri) return { contents };
    throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `unknown resource '${params.uri}'; the only one is '${uri}'`);
  });
}

/** Interval of progress notifications, in ms, which keep clients with a timeout waiting. */
const PROGRESS_MS = 10_000;

/** Serves the tools and returns the running calls. */
function serveTools(server: McpSdkServer, sdk: ServerSdk, { tools, call }: SessionPlayer<'mcp'>) {
  const running = new PendingPromises();
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params: { name, arguments: input, _meta } }, extra) => {
    const { progressToken } = _meta ?? {};
    let progress = 0;
    const notifyProgress = () => {
      const params = { progressToken, progress: ++progress };
      extra.sendNotification({ method: 'notifications/progress', params } as never).catch(() => {});
    };
    const timer = progressToken === undefined ? undefined : setInterval(notifyProgress, PROGRESS_MS);
    // A crashed tool is reported to the model, because MCP has no other recipient.
    const result = call(name, input, extra.signal).catch(
      (error: unknown): VisibleResult => ({
        blocks: [{ type: 'text', text: `Tool '${name}' crashed: ${errorMessage(error)}` }],
        isError: true,
      }),
    );
    try {
      const { blocks, isError } = await running.add(result);
      return { content: [...blocks], ...(isError && { isError }) };
    } finally {
      clearInterval(timer);
    }
  });
  return running;
}

/** Name and URI under which MCP clients find the prompt of an episode. */
const MCP_PROMPT = {
  name: 'task',
  uri: 'ors://prompt',
  description: 'The task of the agent in this episode.',
};

type McpResourceContents =
  | { uri: string; mimeType: string; text: string }
  | { uri: string; mimeType: string; blob: string };

/** Prompt of an episode in the three forms that MCP has. */
interface McpPrompt {
  /** Text for clients that read only the instructions. */
  readonly instructions: string;
  readonly messages: MessageFormats['mcp'];
  readonly contents: McpResourceContents[];
}

function toMcpPrompt(conversation: readonly Message[]): McpPrompt {
  const visible = toVisibleBlocks(flattenMessages(conversation));
  const note = `Its images are in the resource ${MCP_PROMPT.uri}.`;
  const hasImages = visible.some(({ type }) => type === 'image');
  return {
    instructions: joinText(hasImages ? [...visible, text(note)] : visible),
    messages: formatMessages(conversation, 'mcp'),
    contents: visible.map((block, index): McpResourceContents => {
      const uri = index === 0 ? MCP_PROMPT.uri : `${MCP_PROMPT.uri}/${index + 1}`;
      return block.type === 'text'
        ? { uri, mimeType: 'text/plain', text: block.text }
        : { uri, mimeType: block.mimeType, blob: block.data };
    }),
  };
}

/** Reports the reward of each call, and of the episode when it is closed. */
function createRewardRows({ sid, environment }: EpisodeIds, onReward: (row: RewardRow) => void) {
  let calls = 0;
  let sum: number | null = null;
  let isFinished = false;
  return {
    add({ number, tool, ok, reason, reward, finished }: BridgeCallResult): void {
      calls += 1;
      if (reward !== null) sum = (sum ?? 0) + reward;
      isFinished ||= finished;
      const refusal = reason === null ? {} : { reason };
      onReward({ type: 'call', sid, environment, number, tool, ok, reward, finished, ...refusal });
    },
    close(): void {
      onReward({ type: 'episode', sid, environment, calls, reward: sum, finished: isFinished });
    },
  };
}

import { formatMessages, type MessageFormats } from '../../client/formats/index.ts';
import { type Awaitable, errorMessage, fieldsOf, isRecord, PendingPromises } from '../../core/index.ts';
import { flattenMessages, type JSONObject, joinText, type Message, text } from '../../protocol/index.ts';
import {
  type BridgeCallResult,
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  type PromptedSession,
  playSession,
  readConversation,
  type SessionPlayer,
  toVisibleBlocks,
  type VisibleResult,
} from '../session/index.ts';
import {
  checkStatelessRequest,
  invalidParams,
  META,
  metaOf,
  namesRevision,
  REVISIONS,
  RPC_CODES,
  RpcError,
  type RpcId,
  type RpcRequest,
  type RpcResponse,
  SESSION_REVISIONS,
  toErrorResponse,
  toResult,
} from './messages.ts';

/**
 * Session of `ors-kit/client` whose episode ends with the MCP connection.
 *
 * @example
 * const session: McpSession = await client.environment('maze').session({ split: 'train', index: 0 });
 * await serveMcp(session);
 */
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

/**
 * Row of rewards, which no model sees.
 *
 * @example
 * const onReward = (row: RewardRow) => {
 *   if (row.type === 'episode') console.error(row.calls, row.reward);
 * };
 * await serveMcp(session, { onReward });
 */
export type RewardRow = CallRewardRow | EpisodeRewardRow;

/**
 * Reward of one call.
 *
 * @example
 * const format = ({ number, tool, reward }: CallRewardRow) => `${number}. ${tool}: ${reward}`;
 */
export interface CallRewardRow
  extends Pick<BridgeCallResult, 'number' | 'tool' | 'ok' | 'reward' | 'finished'>,
    EpisodeIds {
  readonly type: 'call';
  /** Why the server refused the call, such as `episode_finished`; absent for all other calls. */
  readonly reason?: string;
}

/**
 * Total of an episode, written when its MCP connection ends. Missing for a connection that was only asked what it supports
 * (`server/discover`): some clients start a second program for that.
 *
 * @example
 * const format = ({ sid, calls, reward }: EpisodeRewardRow) => `${sid}: ${reward} after ${calls} calls`;
 */
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

/** How the request of a client is connected to it. */
export interface RequestContext {
  /** Aborts when the client cancels the request or is gone. */
  readonly signal: AbortSignal;
  /** Sends a notification before the response. */
  readonly notify: (method: string, params: object) => void;
}

/** MCP server of one episode, for any transport and for several clients. */
export interface EpisodeServer {
  /** Carries out a request. Never rejects. @returns undefined for a request that was cancelled. */
  respond(request: RpcRequest, context: RequestContext): Promise<RpcResponse | undefined>;
  /** True if no tool runs any more. */
  readonly isOver: boolean;
  /** Number of calls that are running. */
  readonly runningCalls: number;
  /** Deletes the episode and reports its total reward. Can be called twice. */
  close(): Promise<void>;
}

type Method = (request: RpcRequest, context: RequestContext) => Awaitable<object>;

/** Creates the MCP server of an episode. @throws errors of the session, which they leave open. */
export async function createEpisodeServer(session: McpSession, options: McpEpisodeOptions): Promise<EpisodeServer> {
  const rows = createRewardRows(session, options.onReward ?? (() => {}));
  const onResult = (result: BridgeCallResult) => {
    rows.add(result);
    options.onResult?.(result);
  };
  const player = await playSession(session, 'mcp', { onResult }, { listsTerminalTool: true });
  const prompt = toMcpPrompt(await readConversation(session));
  const serverInfo = { name: options.name ?? session.environment, version: options.version ?? '1' };
  const identity = { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: prompt.instructions };
  const calls = new PendingPromises();
  const shared = [...promptMethods(prompt), ...toolMethods(player, calls)];
  const sessionMethods = new Map<string, Method>([
    ...shared,
    ['initialize', ({ params }) => ({ protocolVersion: negotiated(params?.protocolVersion), ...identity, serverInfo })],
    ['ping', () => ({})],
  ]);
  const statelessMethods = new Map<string, Method>([
    ...shared,
    ['server/discover', () => ({ supportedVersions: REVISIONS, ...identity })],
  ]);
  const complete = (method: string, result: object) => ({
    resultType: 'complete',
    // Episodes end at any time, and each has its own prompt and tools.
    ...(method !== 'tools/call' && method !== 'prompts/get' && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    _meta: { [META.serverInfo]: serverInfo },
  });
  let isDiscovered = false;
  let isUsed = false;
  let closed: Promise<void> | undefined;
  return {
    async respond(request, context) {
      if (request.method === 'server/discover') isDiscovered = true;
      else isUsed = true;
      const response = await settleRequest(request, async () => {
        const isStateless = namesRevision(request);
        if (isStateless) checkStatelessRequest(request);
        const method = (isStateless ? statelessMethods : sessionMethods).get(request.method);
        if (!method) throw new RpcError(RPC_CODES.methodNotFound, `unknown method '${request.method}'`);
        const result = await method(request, context);
        return isStateless ? complete(request.method, result) : result;
      });
      return context.signal.aborted ? undefined : response;
    },
    get isOver() {
      return isEpisodeOver(session);
    },
    get runningCalls() {
      return calls.size;
    },
    close: () =>
      (closed ??= (async () => {
        try {
          await session.close();
        } finally {
          await calls.settled();
          if (isUsed || !isDiscovered) rows.close();
        }
      })()),
  };
}

/** Converts the result or error of a request to a response. */
export async function settleRequest({ id }: RpcRequest, run: () => Promise<object>): Promise<RpcResponse> {
  try {
    return toResult(id, await run());
  } catch (error) {
    const fields = error instanceof RpcError ? error : { code: RPC_CODES.internalError, message: errorMessage(error) };
    return toErrorResponse(id, fields);
  }
}

/** Returns the revision of a session: the one that the client wants if it is supported, otherwise the newest. */
const negotiated = (wanted: unknown): string =>
  SESSION_REVISIONS.find((revision) => revision === wanted) ?? SESSION_REVISIONS[0];

/** Running requests of one client, which it can cancel by their ids. */
export class ClientRequests {
  readonly #running = new Map<RpcId, AbortController>();

  /** Carries out a request as `server.respond` does, until it is cancelled. */
  async run(server: EpisodeServer, request: RpcRequest, notify: RequestContext['notify']) {
    const controller = new AbortController();
    this.#running.set(request.id, controller);
    try {
      return await server.respond(request, { signal: controller.signal, notify });
    } finally {
      if (this.#running.get(request.id) === controller) this.#running.delete(request.id);
    }
  }

  /** Cancels a request; its response is undefined. Unknown ids are ignored, because the response may be on its way. */
  cancel(id: unknown): void {
    this.#running.get(id as RpcId)?.abort();
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort();
  }
}

/** Interval of progress notifications, in ms, which keep clients with a timeout waiting. */
const PROGRESS_MS = 10_000;

/** Dialect that applies to schemas without `$schema`. Many clients assume another one unless it is named. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function toolMethods({ tools, call }: SessionPlayer<'mcp'>, calls: PendingPromises): [string, Method][] {
  const listed = tools.map(({ inputSchema, ...tool }) => ({
    ...tool,
    inputSchema: { $schema: DIALECT, ...inputSchema },
  }));
  const callTool: Method = async (request, { signal, notify }) => {
    const { name, arguments: input = {} } = fieldsOf(request.params);
    if (typeof name !== 'string') throw invalidParams('invalid params: expected the name of a tool as name');
    if (!isRecord(input)) throw invalidParams('invalid params: expected an object as arguments');
    const { progressToken } = metaOf(request);
    let progress = 0;
    const notifyProgress = () => notify('notifications/progress', { progressToken, progress: ++progress });
    const timer = progressToken === undefined ? undefined : setInterval(notifyProgress, PROGRESS_MS);
    // A crashed tool is reported to the model, because MCP has no other recipient.
    const result = call(name, input as JSONObject, signal).catch(
      (error: unknown): VisibleResult => ({
        blocks: [{ type: 'text', text: `Tool '${name}' crashed: ${errorMessage(error)}` }],
        isError: true,
      }),
    );
    try {
      const { blocks, isError } = await calls.add(result);
      return { content: [...blocks], ...(isError && { isError }) };
    } finally {
      clearInterval(timer);
    }
  };
  return [
    ['tools/list', () => ({ tools: listed })],
    ['tools/call', callTool],
  ];
}

/** Name and URI under which MCP clients find the prompt of an episode. */
const MCP_PROMPT = {
  name: 'task',
  uri: 'ors://prompt',
  description: 'The task of the agent in this episode.',
};

function promptMethods({ messages, contents }: McpPrompt): [string, Method][] {
  const { name, uri, description } = MCP_PROMPT;
  const resource = { uri, name, description, mimeType: contents[0]?.mimeType ?? 'text/plain' };
  return [
    ['prompts/list', () => ({ prompts: [{ name, description }] })],
    [
      'prompts/get',
      ({ params }) => {
        if (params?.name === name) return { description, messages };
        throw invalidParams(`unknown prompt '${String(params?.name)}'; the only one is '${name}'`);
      },
    ],
    ['resources/list', () => ({ resources: [resource] })],
    ['resources/templates/list', () => ({ resourceTemplates: [] })],
    [
      'resources/read',
      ({ params }) => {
        if (params?.uri === uri) return { contents };
        throw invalidParams(`unknown resource '${String(params?.uri)}'; the only one is '${uri}'`);
      },
    ],
  ];
}

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

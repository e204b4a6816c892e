import { createLineSplitter, deferred, tryParseJson, wellFormedJson } from '../../core/index.ts';
import {
  ClientRequests,
  createEpisodeServer,
  type EpisodeServer,
  type McpEpisodeOptions,
  type McpSession,
} from './episode-server.ts';
import { parseMessage, type RpcMessage } from './messages.ts';

/**
 * Options of `serveMcp`.
 *
 * @example
 * await serveMcp(session, { onReward: (row) => appendFileSync('rewards.jsonl', `${JSON.stringify(row)}\n`) });
 */
export interface ServeMcpOptions extends McpEpisodeOptions {
  /** @default standard input and output of this process */
  readonly transport?: McpTransport;
}

/**
 * MCP server of one episode.
 *
 * @example
 * const server: RunningMcpServer = await serveMcp(session);
 * process.on('SIGTERM', () => server.close());
 */
export interface RunningMcpServer extends AsyncDisposable {
  /** Resolves when the client has disconnected and the episode is deleted; rejects if it cannot be deleted. */
  readonly closed: Promise<void>;
  /** Ends the server and deletes the episode. Can be called twice. */
  close(): Promise<void>;
}

/**
 * Serves an episode as an MCP server: its prompt as instructions, as a prompt and as a resource, its tools as tools. The
 * model sees only blocks; rewards go to `onReward`. When the client disconnects, the session is closed. Serves clients of
 * the revisions 2024-11-05 to 2026-07-28. Source: Model Context Protocol, versioning, prompts, resources, tools.
 *
 * The final message of the model never reaches an MCP server. If the environment grades it, its terminal tool is listed
 * too, with one string; no tool runs after the answer.
 *
 * @throws errors of `session.prompt`, `session.messages`, `session.tools` and `session.terminalTool`, which leave the
 *   session open.
 * @example
 * const session = await client.environment('maze').session({ split: 'train', index: 0 });
 * const server = await serveMcp(session);
 * await server.closed;
 */
export async function serveMcp(session: McpSession, options: ServeMcpOptions = {}): Promise<RunningMcpServer> {
  const { transport = createStdioTransport(), ...episodeOptions } = options;
  const server = await createEpisodeServer(session, episodeOptions);
  const requests = new ClientRequests();
  const disconnected = deferred();
  const onDisconnect = () => disconnected.resolve();
  const closed = disconnected.promise.then(async () => {
    requests.cancelAll();
    try {
      await server.close();
    } finally {
      await transport.close();
    }
  });
  // A failure also rejects `close`, so that `closed` does not have to be awaited.
  closed.catch(() => {});
  const send = (message: RpcMessage) => transport.send(message as never).catch(onDisconnect);
  transport.onmessage = (value: unknown) => receive(value, { server, requests, send });
  transport.onclose = onDisconnect;
  await transport.start();
  const close = () => {
    onDisconnect();
    return closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

interface Connection {
  readonly server: EpisodeServer;
  readonly requests: ClientRequests;
  readonly send: (message: RpcMessage) => void;
}

/** Handles a message of the client. Ignores responses, because the server sends no requests, and invalid messages. */
function receive(value: unknown, { server, requests, send }: Connection): void {
  const parsed = parseMessage(value);
  if (parsed?.kind === 'notification' && parsed.message.method === 'notifications/cancelled') {
    requests.cancel(parsed.message.params?.requestId);
  }
  if (parsed?.kind !== 'request') return;
  const notify = (method: string, params: object) => send({ jsonrpc: '2.0', method, params: { ...params } });
  void requests.run(server, parsed.message, notify).then((response) => response && send(response));
}

/**
 * Transport of an MCP connection, such as those of the packages `@modelcontextprotocol/sdk` and `.../server`.
 *
 * @example
 * const [ours, theirs] = InMemoryTransport.createLinkedPair();
 * await serveMcp(session, { transport: ours });
 */
export interface McpTransport {
  /** Begins to receive messages. */
  start(): Promise<void>;
  /** Sends one message to the client. */
  send(message: never): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
  /** Set by the server before `start`; called with each message that the client sends. */
  onmessage?: unknown;
  /** Set by the server before `start`; called when the client is gone. */
  onclose?: unknown;
}

/**
 * Creates a transport over standard input and output: one JSON message per line. It ends with standard input, and writes
 * nothing after that: the client no longer reads. Source: Model Context Protocol, transports, "stdio".
 */
function createStdioTransport(): McpTransport {
  const { stdin, stdout } = process;
  let isClosed = false;
  const stop = () => {
    isClosed = true;
    stdin.off('data', lines.push).off('end', onEnd).off('close', onEnd).off('error', onEnd);
    // A stream that is read keeps the process running.
    stdin.pause();
  };
  const onEnd = () => {
    if (isClosed) return;
    stop();
    transport.onclose?.();
  };
  const lines = createLineSplitter((line) => {
    const message = tryParseJson(line);
    if (message !== undefined) transport.onmessage?.(message);
  });
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      stdin.setEncoding('utf8').on('data', lines.push).on('end', onEnd).on('close', onEnd).on('error', onEnd);
      // Remains after the end, because writes that are under way may still fail.
      stdout.on('error', onEnd);
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd);
    },
    async send(message: never) {
      if (!isClosed) stdout.write(`${wellFormedJson(message)}\n`);
    },
    async close() {
      if (!isClosed) stop();
    },
  };
  return transport;
}

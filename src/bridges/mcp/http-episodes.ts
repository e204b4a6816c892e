import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEpisodeServer } from './episode-server.ts';
import { readJsonBody, sendJsonRpcError } from './mcp-requests.ts';
import type { McpHttpEpisodesOptions, McpSession } from './options.ts';
import { loadServerSdk, type ServerSdk } from './sdk.ts';

interface OpenEpisodeEntry {
  readonly transport: InstanceType<ServerSdk['StreamableHTTPServerTransport']>;
  readonly close: () => Promise<void>;
  /** Requests that are being answered. */
  busy: number;
  lastActivityAt: number;
}

/** The episodes of an HTTP server, one for each session of MCP. */
export async function createHttpEpisodes(open: () => Promise<McpSession>, options: McpHttpEpisodesOptions) {
  const { idleMs = 15 * 60_000, maxEpisodes = 100, onError = () => {} } = options;
  const sdk = await loadServerSdk();
  const episodes = new Map<string, OpenEpisodeEntry>();
  let opening = 0;
  let isClosed = false;

  async function initialize(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readJsonBody(request) : undefined;
    if (!sdk.isInitializeRequest(body)) {
      return sendJsonRpcError(
        response,
        400,
        'no session: begin with a request to initialize, and send its Mcp-Session-Id',
      );
    }
    if (isClosed || episodes.size + opening >= maxEpisodes) {
      return sendJsonRpcError(
        response,
        503,
        `${maxEpisodes} episodes are open, which is the most at a time; try again later`,
      );
    }
    opening += 1;
    try {
      const episode = await begin(await open(), sdk, episodes, options);
      // What was opened while the server closed is not in its way.
      if (isClosed) await episode.close();
      await handle(episode, request, response, body);
    } finally {
      opening -= 1;
    }
  }

  return {
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const id = request.headers['mcp-session-id'];
      if (id === undefined) return initialize(request, response);
      const episode = episodes.get(String(id));
      if (!episode)
        return sendJsonRpcError(response, 404, 'this session is over; begin a new one with a request to initialize');
      await handle(episode, request, response);
    },
    /** Deletes the episodes that nobody has asked for so long. */
    async sweep(now = Date.now()): Promise<void> {
      const idle = [...episodes.values()].filter(
        ({ busy, lastActivityAt }) => busy === 0 && now - lastActivityAt >= idleMs,
      );
      await closeAll(idle, onError);
    },
    close() {
      isClosed = true;
      return closeAll([...episodes.values()], onError);
    },
  };
}

async function begin(
  session: McpSession,
  sdk: ServerSdk,
  episodes: Map<string, OpenEpisodeEntry>,
  options: McpHttpEpisodesOptions,
): Promise<OpenEpisodeEntry> {
  const { onError = () => {} } = options;
  const id = randomUUID();
  try {
    const { server, close } = await createEpisodeServer(session, options);
    const end = () => {
      episodes.delete(id);
      return close();
    };
    const transport = new sdk.StreamableHTTPServerTransport({ sessionIdGenerator: () => id, onsessionclosed: end });
    server.onclose = () => void end().catch(onError);
    // The type of its callbacks is looser than that of the interface.
    await server.connect(transport as never);
    const episode: OpenEpisodeEntry = { transport, close: end, busy: 0, lastActivityAt: Date.now() };
    episodes.set(id, episode);
    return episode;
  } catch (error) {
    await session.close().catch(onError);
    throw error;
  }
}

async function handle(episode: OpenEpisodeEntry, request: IncomingMessage, response: ServerResponse, body?: unknown) {
  episode.busy += 1;
  response.once('close', () => {
    episode.busy -= 1;
    episode.lastActivityAt = Date.now();
  });
  await episode.transport.handleRequest(request, response, body);
}

async function closeAll(episodes: readonly OpenEpisodeEntry[], onError: (error: unknown) => void): Promise<void> {
  await Promise.all(episodes.map((episode) => episode.close().catch(onError)));
}

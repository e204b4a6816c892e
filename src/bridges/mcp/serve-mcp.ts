import { setImmediate as nextTurn } from 'node:timers/promises';
import { deferred, settlesWithin } from '../../core/index.ts';
import { createEpisodeServer } from './episode-server.ts';
import type { McpEpisodeOptions, McpSession } from './options.ts';
import { loadServerSdk } from './sdk.ts';

/** As much of a transport of `@modelcontextprotocol/sdk` as it takes to serve over it. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
}

export interface ServeMcpOptions extends McpEpisodeOptions {
  /** A transport of the SDK. Default: standard input and output of this process. */
  readonly transport?: McpTransport;
}

/** An episode that is served. */
export interface RunningMcpServer extends AsyncDisposable {
  /** Settles when the client is gone and the episode is deleted; rejects where it cannot be deleted. */
  readonly closed: Promise<void>;
  /** Ends it. May be called twice. */
  close(): Promise<void>;
}

/** How long calls that run may go on when standard input has ended: who wrote them may still read. */
const PENDING_CALLS_TIMEOUT_MS = 60_000;

/**
 * Serves an episode as an MCP server: its prompt as instructions, prompt and resource, its tools as tools. The model is
 * shown blocks alone; rewards go to `onReward`. When the client is gone, the session is closed. Needs the package
 * `@modelcontextprotocol/sdk`. Source: Model Context Protocol, lifecycle, prompts, resources, tools.
 *
 * @throws Error where the package is missing; as `session.prompt` and `session.tools`, and then the session stays open.
 */
export async function serveMcp(session: McpSession, options: ServeMcpOptions = {}): Promise<RunningMcpServer> {
  const episode = await createEpisodeServer(session, options);
  const gone = deferred();
  const leave = () => gone.resolve();
  const closed = gone.promise.then(() => episode.close());
  // Who does not await it hears of it by close.
  closed.catch(() => {});
  episode.server.onclose = leave;
  const transport = options.transport ?? (await standardStreams(episode.calls, leave));
  // A transport of the SDK, by the documentation of the option.
  await episode.server.connect(transport as never);
  const close = () => {
    leave();
    return closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** Leaves when standard input has ended and what was asked is answered, or nobody reads the answers. */
async function standardStreams(calls: () => Promise<unknown>, leave: () => void): Promise<McpTransport> {
  const { StdioServerTransport } = await loadServerSdk();
  const ended = async () => {
    // What was read last is taken up in the next turns.
    await nextTurn();
    await settlesWithin(PENDING_CALLS_TIMEOUT_MS, calls());
    await nextTurn();
    leave();
  };
  process.stdin.once('end', ended).once('close', ended);
  process.stdout.once('error', leave);
  return new StdioServerTransport();
}

import type { Readable } from 'node:stream';
import { appendAll, errorMessage, failureReason, MAX_TIMER_MS } from '../../core/index.ts';
import { tailOf } from '../../core/node/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { type ClientSdk, loadClientSdk } from './sdk.ts';

/** Location of the MCP server of an episode: a program to start, or a URL. */
export type McpServerLocation = McpStdioLocation | McpHttpLocation;

/** Program that speaks MCP over its standard input and output. */
export interface McpStdioLocation {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables in addition to PATH, HOME and similar ones. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. @default that of this process */
  readonly cwd?: string;
}

/** Server that speaks MCP over streamable HTTP. */
export interface McpHttpLocation {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tool as an MCP server lists it. */
export interface McpToolSpec {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/** Result of an MCP server, not validated. */
export interface McpToolResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** Connection to the MCP server of one episode. */
export interface McpConnection {
  readonly instructions: string;
  readonly tools: readonly McpToolSpec[];
  /** @throws McpCallError if the server rejects the call; Error if the server is gone; the signal's reason. */
  call(name: string, input: JSONObject, signal: AbortSignal): Promise<McpToolResult>;
  /** Closes the connection and ends the program. */
  close(): Promise<void>;
}

/** The server rejected a call: an unknown tool or an invalid input. */
export class McpCallError extends Error {
  override readonly name = 'McpCallError';
}

type Client = InstanceType<ClientSdk['Client']>;

/** Maximum number of pages of a list of tools; the list of a server with more never ends. */
const MAX_PAGES = 1_000;
/** Number of characters at the end of a program's standard error that error messages quote. */
const STDERR_TAIL_LENGTH = 2_000;

/**
 * Connects to an MCP server and lists its tools.
 *
 * @throws Error with the reason and the end of the program's standard error.
 */
export async function connectMcp(location: McpServerLocation, signal: AbortSignal): Promise<McpConnection> {
  const sdk = await loadClientSdk();
  const { ConnectionClosed, RequestTimeout } = sdk.ErrorCode;
  signal.throwIfAborted();
  const { transport, stderrTail, terminate } = createTransport(location, sdk);
  const client = new sdk.Client({ name: 'ors-kit', version: '1' });
  let isGone = false;
  client.onclose = () => {
    isGone = true;
  };
  const close = async () => {
    await terminate();
    await client.close();
  };
  const lostError = (cause: unknown) =>
    new Error(`${describeLocation(location)} is gone: ${errorMessage(cause)}${stderrTail()}`, { cause });
  try {
    // The classes of the SDK do not satisfy its own interface under exactOptionalPropertyTypes.
    await client.connect(transport as never, { signal });
    const tools = await listTools(client, signal);
    return {
      instructions: client.getInstructions() ?? '',
      tools,
      async call(name, input, signal) {
        const request = { method: 'tools/call' as const, params: { name, arguments: input } };
        try {
          if (isGone) throw new Error('the connection is closed');
          // The server limits the duration of a call; the default timeout of the SDK is one minute.
          return await client.request(request, sdk.CallToolResultSchema, { signal, timeout: MAX_TIMER_MS });
        } catch (error) {
          if (error instanceof sdk.McpError && error.code !== ConnectionClosed && error.code !== RequestTimeout) {
            throw new McpCallError(error.message.replace(/^MCP error -?\d+: /, ''), { cause: error });
          }
          throw signal.aborted ? error : lostError(error);
        }
      },
      close,
    };
  } catch (error) {
    const tail = stderrTail();
    await close().catch(() => {});
    signal.throwIfAborted();
    const reason = failureReason(error);
    throw new Error(`cannot use ${describeLocation(location)}: ${reason}${tail}; check connect`, { cause: error });
  }
}

function createTransport(location: McpServerLocation, sdk: ClientSdk) {
  if ('url' in location) {
    const { url, headers = {} } = location;
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } });
    // Some servers do not support ending a session.
    const terminate = () => transport.terminateSession().catch(() => {});
    return { transport, stderrTail: () => '', terminate };
  }
  const { command, args = [], env, cwd } = location;
  const transport = new sdk.StdioClientTransport({
    command,
    args: [...args],
    stderr: 'pipe',
    ...(env && { env: { ...sdk.getDefaultEnvironment(), ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
  // The SDK declares a Stream, but it is a PassThrough.
  const output = transport.stderr ? tailOf(transport.stderr as Readable, STDERR_TAIL_LENGTH) : () => '';
  const stderrTail = () => (output().trim() === '' ? '' : `; its standard error ends with: ${output().trim()}`);
  return { transport, stderrTail, terminate: async () => {} };
}

const describeLocation = (location: McpServerLocation): string =>
  'url' in location ? `the MCP server at ${new URL(location.url).origin}` : `the MCP server '${location.command}'`;

async function listTools(client: Client, signal: AbortSignal): Promise<McpToolSpec[]> {
  const tools: McpToolSpec[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
    appendAll(tools, response.tools);
    cursor = response.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`its list of tools does not end after ${MAX_PAGES} pages`);
}

import type { Readable } from 'node:stream';
import { appendAll, errorMessage, failureReason, LONGEST_TIMER_MS } from '../../core/index.ts';
import { tailOf } from '../../core/node/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { type ClientSdk, loadClientSdk } from './sdk.ts';

/** Where the MCP server of an episode is: a program that is started, or an address. */
export type McpServerLocation = McpStdioLocation | McpHttpLocation;

/** A program that speaks MCP over its standard input and output. */
export interface McpStdioLocation {
  readonly command: string;
  readonly args?: readonly string[];
  /** Besides PATH, HOME and the like. Default: nothing. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: that of this process. */
  readonly cwd?: string;
}

/** A server that speaks MCP over streamable HTTP. */
export interface McpHttpLocation {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tool as an MCP server lists it. */
export interface McpToolSpec {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/** A result as it came. */
export interface McpToolResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A connection to the MCP server of one episode. */
export interface McpConnection {
  readonly instructions: string;
  readonly tools: readonly McpToolSpec[];
  /** @throws McpRefusal for what the server refuses; Error where it is gone; the signal's reason. */
  call(name: string, input: JSONObject, signal: AbortSignal): Promise<McpToolResult>;
  /** Ends the connection, and the program. */
  close(): Promise<void>;
}

/** The server understood a call and did not take it: an unknown tool, an input that it does not like. */
export class McpCallError extends Error {
  override readonly name = 'McpRefusal';
}

type Client = InstanceType<ClientSdk['Client']>;

/** A server that lists more pages of tools than this has no end of them. */
const MAX_PAGES = 1_000;
/** Of what a program says on standard error, so many characters at its end are told. */
const STDERR_TAIL_LENGTH = 2_000;

/** @throws Error that says what kept the server from being reached, with the last words of its program. */
export async function connectMcp(where: McpServerLocation, signal: AbortSignal): Promise<McpConnection> {
  const sdk = await loadClientSdk();
  signal.throwIfAborted();
  const { transport, lastWords, leave } = open(where, sdk);
  const client = new sdk.Client({ name: 'ors-kit', version: '1' });
  let isGone = false;
  client.onclose = () => {
    isGone = true;
  };
  const close = async () => {
    await leave();
    await client.close();
  };
  const gone = (cause: unknown) =>
    new Error(`${nameOf(where)} is gone: ${errorMessage(cause)}${lastWords()}`, { cause });
  try {
    // A transport of the package itself; its class is looser than its interface.
    await client.connect(transport as never, { signal });
    const tools = await listTools(client, signal);
    return {
      instructions: client.getInstructions() ?? '',
      tools,
      async call(name, input, signal) {
        try {
          if (isGone) throw new Error('the connection is closed');
          return await ask(client, sdk, { name, input }, signal);
        } catch (error) {
          if (signal.aborted || error instanceof McpCallError) throw error;
          throw gone(error);
        }
      },
      close,
    };
  } catch (error) {
    const words = lastWords();
    await close().catch(() => {});
    signal.throwIfAborted();
    const reason = failureReason(error);
    throw new Error(`${nameOf(where)} cannot be used: ${reason}${words}; check connect`, { cause: error });
  }
}

function open(where: McpServerLocation, sdk: ClientSdk) {
  if ('url' in where) {
    const { url, headers = {} } = where;
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } });
    // Not every server ends sessions when it is told.
    const leave = () => transport.terminateSession().catch(() => {});
    return { transport, lastWords: () => '', leave };
  }
  const { command, args = [], env, cwd } = where;
  const transport = new sdk.StdioClientTransport({
    command,
    args: [...args],
    stderr: 'pipe',
    ...(env && { env: { ...sdk.getDefaultEnvironment(), ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
  // The package types as a stream what is a PassThrough.
  const output = transport.stderr ? tailOf(transport.stderr as Readable, STDERR_TAIL_LENGTH) : () => '';
  const lastWords = () => (output().trim() === '' ? '' : `; it said: ${output().trim()}`);
  return { transport, lastWords, leave: async () => {} };
}

const nameOf = (where: McpServerLocation): string =>
  'url' in where ? `the MCP server at ${new URL(where.url).origin}` : `the MCP server '${where.command}'`;

async function listTools(client: Client, signal: AbortSignal): Promise<McpToolSpec[]> {
  const tools: McpToolSpec[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
    appendAll(tools, response.tools);
    cursor = response.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`its list of tools has no end (${MAX_PAGES} pages)`);
}

async function ask(
  client: Client,
  sdk: ClientSdk,
  { name, input }: { readonly name: string; readonly input: JSONObject },
  signal: AbortSignal,
): Promise<McpToolResult> {
  const request = { method: 'tools/call' as const, params: { name, arguments: input } };
  // The default of the package is a minute; how long a tool may run is limited elsewhere.
  try {
    return await client.request(request, sdk.CallToolResultSchema, { signal, timeout: LONGEST_TIMER_MS });
  } catch (error) {
    const { ConnectionClosed, RequestTimeout } = sdk.ErrorCode;
    if (!(error instanceof sdk.McpError) || error.code === ConnectionClosed || error.code === RequestTimeout)
      throw error;
    throw new McpCallError(error.message.replace(/^MCP error -?\d+: /, ''), { cause: error });
  }
}

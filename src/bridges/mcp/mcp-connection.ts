import {
  deadlineSignal,
  failureReason,
  fieldsOf,
  isRecord,
  type JSONObject,
  type JSONSchema,
  ownProperty,
  schemasByName,
  schemasIn,
  stringsAt,
} from '../../core/index.ts';
import { type Channel, HttpStatusError, type McpServerLocation, type RpcRequestOptions } from './channel.ts';
import { openHttpChannel } from './http-channel.ts';
import { encodeHeader, META, RpcError, SESSION_REVISIONS, STATELESS_REVISION, subjectOf } from './messages.ts';
import { openStdioChannel } from './stdio-channel.ts';

/** Tool as an MCP server lists it. */
export interface McpToolSpec {
  readonly name: string;
  /** The first of description and title that is not empty; undefined if there is none. */
  readonly description: string | undefined;
  /** Not validated. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Parameters that are repeated in headers. */
  readonly headers: readonly ParameterHeader[];
}

/** Result of an MCP server, not validated. */
export interface McpToolResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

/** Connection to the MCP server of one episode. */
export interface McpConnection {
  readonly instructions: string;
  readonly tools: readonly McpToolSpec[];
  /** @throws McpCallError if the server rejects the call; Error if the server is gone; the signal's reason. */
  call(tool: McpToolSpec, input: JSONObject, signal: AbortSignal): Promise<McpToolResult>;
  /** Closes the connection and ends the program. */
  close(): Promise<void>;
}

/** The server rejected a call: an unknown tool or an invalid input. */
export class McpCallError extends Error {
  override readonly name = 'McpCallError';
}

/** Maximum number of pages of a list of tools; the list of a server with more never ends. */
const MAX_PAGES = 1_000;
/** Time for the requests that open a connection, in ms. */
const CONNECT_MS = 60_000;

/**
 * Connects to an MCP server and lists its tools. Servers of all revisions can be used: a session is opened if the server has
 * sessions, because it then separates episodes; a server of the stateless revision only gets requests without one.
 *
 * @param warn called with a message for each tool that cannot be used.
 * @throws Error with the reason and the end of the program's standard error.
 */
export async function connectMcp(
  location: McpServerLocation,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<McpConnection> {
  signal.throwIfAborted();
  const channel = 'url' in location ? openHttpChannel(location) : openStdioChannel(location);
  const name = describeLocation(location);
  const deadline = deadlineSignal(CONNECT_MS, () => new Error(`no response within ${CONNECT_MS / 1_000} s`), signal);
  try {
    const peer = createPeer(channel);
    const instructions = await openPeer(peer, deadline.signal);
    const tools = await listTools(peer, deadline.signal, (message) => warn(`${name}: ${message}`));
    return {
      instructions: typeof instructions === 'string' ? instructions : '',
      tools,
      call: (tool, input, callSignal) => callTool(peer, { tool, input, signal: callSignal, name }),
      close: () => channel.close(),
    };
  } catch (error) {
    const tail = channel.stderrTail();
    await channel.close().catch(() => {});
    signal.throwIfAborted();
    throw new Error(`cannot use ${name}: ${failureReason(error)}${tail}; check connect`, { cause: error });
  } finally {
    deadline.release();
  }
}

/** The server, as requests reach it. */
interface Peer {
  readonly channel: Channel;
  /** True if every request carries the revision. */
  isStateless: boolean;
  request(method: string, params: Readonly<Record<string, unknown>>, options: RpcRequestOptions): Promise<unknown>;
}

function createPeer(channel: Channel): Peer {
  let lastId = 0;
  return {
    channel,
    isStateless: false,
    request(method, params, { signal, headers = {} }) {
      const meta = this.isStateless ? { _meta: STATELESS_META } : {};
      const message = { jsonrpc: '2.0' as const, id: ++lastId, method, params: { ...params, ...meta } };
      const subject = subjectOf(message);
      const standard = {
        'mcp-method': method,
        ...(subject !== undefined && { 'mcp-name': encodeHeader(subject) }),
      };
      return channel.request(message, { signal, headers: this.isStateless ? { ...standard, ...headers } : {} });
    },
  };
}

const CLIENT_INFO = { name: 'ors-kit', version: '1' };
const STATELESS_META = {
  [META.revision]: STATELESS_REVISION,
  [META.clientInfo]: CLIENT_INFO,
  [META.clientCapabilities]: {},
};

/** Opens a session, or finds out that the server has none. @returns the instructions of the server, not validated. */
async function openPeer(peer: Peer, signal: AbortSignal): Promise<unknown> {
  const { channel } = peer;
  try {
    const params = { protocolVersion: SESSION_REVISIONS[0], capabilities: {}, clientInfo: CLIENT_INFO };
    const { protocolVersion, instructions } = fieldsOf(await peer.request('initialize', params, { signal }));
    channel.setRevision(typeof protocolVersion === 'string' ? protocolVersion : SESSION_REVISIONS[0]);
    await channel.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return instructions;
  } catch (error) {
    if (!mayBeStateless(error)) throw error;
    peer.isStateless = true;
    channel.setRevision(STATELESS_REVISION);
    try {
      return fieldsOf(await peer.request('server/discover', {}, { signal })).instructions;
    } catch (second) {
      // The server that has neither explains the first request better.
      throw second instanceof RpcError || second instanceof HttpStatusError ? error : second;
    }
  }
}

const mayBeStateless = (error: unknown): boolean =>
  error instanceof RpcError ||
  (error instanceof HttpStatusError && error.status < 500 && error.status !== 401 && error.status !== 403);

interface ToolCall {
  readonly tool: McpToolSpec;
  readonly input: JSONObject;
  readonly signal: AbortSignal;
  /** Name of the server in errors. */
  readonly name: string;
}

async function callTool(peer: Peer, { tool, input, signal, name }: ToolCall): Promise<McpToolResult> {
  try {
    const params = { name: tool.name, arguments: input };
    const result = await peer.request('tools/call', params, { signal, headers: headersOf(tool.headers, input) });
    if (!isRecord(result)) throw new McpCallError('the server returned a result that is not an object');
    const { resultType = 'complete' } = result;
    if (resultType === 'complete') return result;
    throw new McpCallError(`the server requires further input, which no agent can provide (${String(resultType)})`);
  } catch (error) {
    if (error instanceof McpCallError) throw error;
    if (error instanceof RpcError) throw new McpCallError(error.message, { cause: error });
    if (signal.aborted) throw error;
    throw new Error(`${name} is gone: ${failureReason(error)}${peer.channel.stderrTail()}`, { cause: error });
  }
}

const describeLocation = (location: McpServerLocation): string =>
  'url' in location ? `the MCP server at ${new URL(location.url).origin}` : `the MCP server '${location.command}'`;

/** Lists the tools. Leaves out those that cannot be used, with a warning that names them. */
async function listTools(peer: Peer, signal: AbortSignal, warn: (message: string) => void): Promise<McpToolSpec[]> {
  const tools = new Map<string, McpToolSpec>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const list = fieldsOf(await peer.request('tools/list', cursor === undefined ? {} : { cursor }, { signal }));
    for (const [index, value] of (Array.isArray(list.tools) ? list.tools : []).entries()) {
      const tool = readTool(value, peer.isStateless);
      if (typeof tool === 'string') warn(`tool ${toolName(value, index)} is left out: ${tool}`);
      else if (tools.has(tool.name)) warn(`tool '${tool.name}' is listed twice; only the first one is used`);
      else tools.set(tool.name, tool);
    }
    if (typeof list.nextCursor !== 'string') return [...tools.values()];
    cursor = list.nextCursor;
    if (cursors.has(cursor)) {
      warn('its list of tools repeats a page; the tools before it are used');
      return [...tools.values()];
    }
    cursors.add(cursor);
  }
  throw new Error(`its list of tools does not end after ${MAX_PAGES} pages`);
}

const toolName = (value: unknown, index: number): string =>
  isRecord(value) && typeof value.name === 'string' && value.name !== '' ? `'${value.name}'` : `number ${index + 1}`;

/** Reads a tool of a list. @returns the reason why it cannot be used. */
function readTool(value: unknown, isStateless: boolean): McpToolSpec | string {
  if (!isRecord(value)) return 'it is not an object';
  const { name, title, description, inputSchema = {} } = value;
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (!isRecord(inputSchema)) return 'its inputSchema is not an object';
  // Earlier revisions do not know headers of parameters, and ignore the annotation.
  const headers = isStateless ? parameterHeaders(inputSchema) : [];
  if (typeof headers === 'string') return headers;
  const texts = [description, title].filter((text) => typeof text === 'string' && text.trim() !== '');
  return { name, description: texts[0] as string | undefined, inputSchema, headers };
}

/** Parameter of a tool that requests repeat in a header, so that proxies can route by it. */
interface ParameterHeader {
  /** Keys that lead to the parameter in the input. */
  readonly path: readonly string[];
  readonly header: string;
}

const ANNOTATION = 'x-mcp-header';
/** Name of a header. Source: RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ['string', 'integer', 'boolean'];

/**
 * Finds the parameters of a schema that are repeated in headers.
 *
 * @returns the reason if an annotation is not valid; such a tool must not be used. Source: Model Context Protocol
 *   2026-07-28, transports, "Custom Headers from Tool Parameters".
 */
export function parameterHeaders(schema: JSONSchema): readonly ParameterHeader[] | string {
  const found: ParameterHeader[] = [];
  const open: { readonly schema: JSONSchema; readonly path: readonly string[] }[] = [{ schema, path: [] }];
  for (const place of open) {
    for (const [key, property] of Object.entries(schemasByName(place.schema, 'properties'))) {
      if (typeof property !== 'object' || property === null) continue;
      const child = { schema: property as JSONSchema, path: [...place.path, key] };
      open.push(child);
      if (!Object.hasOwn(child.schema, ANNOTATION)) continue;
      const name = child.schema[ANNOTATION];
      if (typeof name !== 'string' || !TOKEN.test(name)) return `its ${ANNOTATION} is not a valid name of a header`;
      const types = typeof child.schema.type === 'string' ? [child.schema.type] : stringsAt(child.schema, 'type');
      if (types.length !== 1 || !TYPES.includes(String(types[0]))) {
        return `its ${ANNOTATION} '${name}' is at a parameter that is not a string, an integer or a boolean`;
      }
      found.push({ path: child.path, header: `mcp-param-${name.toLowerCase()}` });
    }
  }
  if (new Set(found.map(({ header }) => header)).size < found.length) return `it has the same ${ANNOTATION} twice`;
  const annotated = [...schemasIn(schema)].filter((place) => Object.hasOwn(place.schema, ANNOTATION));
  return annotated.length === found.length ? found : `its ${ANNOTATION} is not at a parameter`;
}

/** Returns the headers of a call. Parameters that it does not have, or that are null, have none. */
export function headersOf(headers: readonly ParameterHeader[], input: JSONObject): Record<string, string> {
  const values = headers.flatMap(({ path, header }) => {
    const value = path.reduce<unknown>(ownProperty, input);
    return value === undefined || value === null ? [] : [[header, encodeHeader(String(value))] as const];
  });
  return Object.fromEntries(values);
}

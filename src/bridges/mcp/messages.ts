import { fieldsOf, isRecord } from '../../core/index.ts';

/** Revisions of MCP in which a client opens a session with `initialize`, the newest first. */
export const SESSION_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** Revision of MCP without sessions: every request carries its revision and the capabilities of the client. */
export const STATELESS_REVISION = '2026-07-28';
export const REVISIONS: readonly string[] = [STATELESS_REVISION, ...SESSION_REVISIONS];

/** Fields of `_meta` that every request of the stateless revision carries. */
export const META = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** Error codes of JSON-RPC and MCP. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Any error of a server; MCP does not define its meaning. */
  serverError: -32_000,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const;

export type RpcId = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type RpcNotification = Omit<RpcRequest, 'id'>;

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: object }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId | null; readonly error: RpcErrorFields };

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

interface RpcErrorFields {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Error that a JSON-RPC peer returns for a request. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Message whose kind is known; its params, result and error are not validated. */
export type ParsedMessage =
  | { readonly kind: 'request'; readonly message: RpcRequest }
  | { readonly kind: 'notification'; readonly message: RpcNotification }
  | { readonly kind: 'response'; readonly id: unknown; readonly result?: unknown; readonly error?: RpcError };

/** Finds the kind of a message; undefined for a value that is not a message of JSON-RPC 2.0. */
export function parseMessage(value: unknown): ParsedMessage | undefined {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    const message = { jsonrpc: '2.0' as const, method, ...(isRecord(params) && { params }) };
    if (id === undefined) return { kind: 'notification', message };
    return typeof id === 'string' || typeof id === 'number'
      ? { kind: 'request', message: { ...message, id } }
      : undefined;
  }
  if (isRecord(error)) return { kind: 'response', id, error: toRpcError(error) };
  return 'result' in value ? { kind: 'response', id, result } : undefined;
}

/** Creates an error from the `error` of a response. */
export function toRpcError({ code, message, data }: Readonly<Record<string, unknown>>): RpcError {
  const number = typeof code === 'number' ? code : RPC_CODES.serverError;
  return new RpcError(number, typeof message === 'string' && message !== '' ? message : `error ${number}`, data);
}

export const toResult = (id: RpcId, result: object): RpcResponse => ({ jsonrpc: '2.0', id, result });

export const toErrorResponse = (id: RpcId | null, { code, message, data }: RpcErrorFields): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Returns the `_meta` of the params of a message; empty if it has none. */
export const metaOf = ({ params }: RpcNotification): Readonly<Record<string, unknown>> => fieldsOf(params?._meta);

/** Returns true if a message carries its revision itself, as the stateless revision requires. */
export const namesRevision = (message: RpcNotification): boolean => META.revision in metaOf(message);

/** Returns the error for a revision that is not supported. */
export const unsupportedRevision = (
  requested: unknown,
  supported: readonly string[] = REVISIONS,
  message = `unsupported protocol version ${JSON.stringify(requested)}; expected one of ${supported.join(', ')}`,
): RpcError => new RpcError(RPC_CODES.unsupportedRevision, message, { supported, requested });

/** Checks the fields that every request of the stateless revision carries. @throws RpcError if one is missing or wrong. */
export function checkStatelessRequest(message: RpcNotification): void {
  const meta = metaOf(message);
  const revision = meta[META.revision];
  if (typeof revision !== 'string') throw invalidParams(`invalid _meta: expected a string as ${META.revision}`);
  if (revision !== STATELESS_REVISION) throw unsupportedRevision(revision);
  if (isRecord(meta[META.clientCapabilities])) return;
  throw invalidParams(`invalid _meta: expected an object as ${META.clientCapabilities}`);
}

export const invalidParams = (message: string): RpcError => new RpcError(RPC_CODES.invalidParams, message);

/** Methods with a subject, and the field of their params that names it. The header `Mcp-Name` repeats it. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Returns the value of the header `Mcp-Name` for a request; undefined if it has none. */
export function subjectOf({ method, params }: RpcNotification): string | undefined {
  const field = SUBJECTS.get(method);
  const subject = field === undefined ? undefined : params?.[field];
  return typeof subject === 'string' ? subject : undefined;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
/** Visible ASCII, with spaces and tabs only inside. */
const PLAIN = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Encodes a text as the value of a header. Source: Model Context Protocol 2026-07-28, transports, "Value Encoding". */
export const encodeHeader = (text: string): string =>
  PLAIN.test(text) && !(text.startsWith('=?base64?') && text.endsWith('?='))
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** Inverse of `encodeHeader`. */
export function decodeHeader(value: string): string {
  const [, base64] = ENCODED.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}

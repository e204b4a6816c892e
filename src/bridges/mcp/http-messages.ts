import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage, tryParseJson } from '../../core/index.ts';
import {
  checkStatelessRequest,
  decodeHeader,
  invalidParams,
  META,
  metaOf,
  namesRevision,
  type ParsedMessage,
  parseMessage,
  REVISIONS,
  RPC_CODES,
  RpcError,
  type RpcId,
  type RpcNotification,
  STATELESS_REVISION,
  subjectOf,
  toErrorResponse,
  unsupportedRevision,
} from './messages.ts';

/** Request that is rejected before its messages are handled. */
export class HttpRejection extends Error {
  readonly status: number;
  readonly error: RpcError;
  readonly id: RpcId | null;

  constructor(status: number, error: RpcError | string, id: RpcId | null = null) {
    super(typeof error === 'string' ? error : error.message);
    this.status = status;
    this.error = typeof error === 'string' ? new RpcError(RPC_CODES.serverError, error) : error;
    this.id = id;
  }
}

/** Sends a rejection; any other error as 502, because it comes from the environment's server. */
export function sendRejection(response: ServerResponse, error: unknown): void {
  if (response.writableEnded) return;
  if (response.headersSent) return void response.destroy();
  const rejection = error instanceof HttpRejection ? error : new HttpRejection(502, errorMessage(error));
  const allow = rejection.status === 405 ? { allow: 'GET, POST, DELETE' } : {};
  // The rest of a body that is too long is not read.
  const connection = rejection.status === 413 ? { connection: 'close' } : {};
  const body = JSON.stringify(toErrorResponse(rejection.id, rejection.error));
  response.writeHead(rejection.status, { 'content-type': 'application/json', ...allow, ...connection }).end(body);
}

/** Maximum length of a body, in bytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Messages of the body of a request. */
export interface PostedMessages {
  readonly messages: readonly ParsedMessage[];
  /** True for a list, which the revision 2025-03-26 allows. */
  readonly isBatch: boolean;
}

/** Reads the messages of a request. @throws HttpRejection if there are none. */
export async function readMessages(request: IncomingMessage): Promise<PostedMessages> {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new HttpRejection(415, `invalid Content-Type ${JSON.stringify(mediaType)}: expected application/json`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection must remain open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new HttpRejection(413, `the body is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const body = tryParseJson(Buffer.concat(chunks).toString('utf8'));
  if (body === undefined) throw new HttpRejection(400, new RpcError(RPC_CODES.parseError, 'the body is not JSON'));
  const isBatch = Array.isArray(body);
  const messages = (isBatch ? body : [body]).map(parseMessage);
  if (messages.length > 0 && messages.every((message) => message !== undefined)) return { messages, isBatch };
  throw new HttpRejection(400, new RpcError(RPC_CODES.invalidRequest, 'the body is not a message of JSON-RPC 2.0'));
}

/** Forms of a response that a client accepts. */
export interface AcceptedForms {
  readonly json: boolean;
  readonly stream: boolean;
}

/**
 * Reads the header `Accept`. Real clients often send one of the two types only, or a wildcard; those that do not name event
 * streams get JSON.
 *
 * @throws HttpRejection if the client accepts neither.
 */
export function readAccept({ headers }: IncomingMessage): AcceptedForms {
  const accept = headers.accept?.trim() || '*/*';
  const types = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)))
    .map(([type]) => type);
  const json = ['application/json', 'application/*', '*/*'].some((type) => types.includes(type));
  const stream = types.includes('text/event-stream') || (!json && types.includes('text/*'));
  if (json || stream) return { json, stream };
  throw new HttpRejection(406, `cannot respond with ${accept}: expected application/json or text/event-stream`);
}

export type StatelessMessage = Extract<ParsedMessage, { kind: 'request' | 'notification' }>;

/**
 * Returns the message of a request of the stateless revision; undefined if the messages belong to a session.
 *
 * @throws HttpRejection if headers and body disagree, or the revision is not supported.
 */
export function readStatelessMessage(
  { headers }: IncomingMessage,
  { messages, isBatch }: PostedMessages,
): StatelessMessage | undefined {
  const [parsed] = messages;
  const header = headers['mcp-protocol-version'];
  if (isBatch || parsed === undefined || parsed.kind === 'response' || !namesRevision(parsed.message)) {
    if (header === undefined) return undefined;
    if (!REVISIONS.includes(String(header))) throw new HttpRejection(400, unsupportedRevision(header));
    if (header !== STATELESS_REVISION || parsed?.kind !== 'request') return undefined;
    throw new HttpRejection(400, invalidParams(`invalid _meta: expected ${META.revision}`), parsed.message.id);
  }
  if (parsed.kind === 'notification') return parsed;
  try {
    checkHeader('MCP-Protocol-Version', header, metaOf(parsed.message)[META.revision]);
    checkStatelessRequest(parsed.message);
    checkStandardHeaders(headers, parsed.message);
  } catch (error) {
    throw error instanceof RpcError ? new HttpRejection(400, error, parsed.message.id) : error;
  }
  return parsed;
}

/** Checks the headers that repeat parts of the body, which proxies may have used instead of the body. */
function checkStandardHeaders(headers: IncomingMessage['headers'], message: RpcNotification): void {
  checkHeader('Mcp-Method', headers['mcp-method'], message.method);
  const subject = subjectOf(message);
  const name = headers['mcp-name'];
  if (subject !== undefined)
    checkHeader('Mcp-Name', name === undefined ? undefined : decodeHeader(String(name)), subject);
}

function checkHeader(name: string, value: string | string[] | undefined, expected: unknown): void {
  if (value === expected) return;
  const got = value === undefined ? 'no header' : JSON.stringify(value);
  throw new RpcError(RPC_CODES.headerMismatch, `invalid ${name}: expected ${JSON.stringify(expected)}, got ${got}`);
}

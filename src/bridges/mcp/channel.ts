import { errorMessage, truncate } from '../../core/index.ts';
import {
  type ParsedMessage,
  RPC_CODES,
  RpcError,
  type RpcMessage,
  type RpcRequest,
  toErrorResponse,
  toResult,
} from './messages.ts';

/**
 * Location of the MCP server of an episode: a program to start, or a URL.
 *
 * @example
 * const connect: McpServerLocation = { url: 'http://127.0.0.1:3000/mcp' };
 */
export type McpServerLocation = McpStdioLocation | McpHttpLocation;

/**
 * Program that speaks MCP over its standard input and output.
 *
 * @example
 * const connect: McpStdioLocation = { command: 'python', args: ['server.py'], env: { LOG_LEVEL: 'warning' } };
 */
export interface McpStdioLocation {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables in addition to PATH, HOME and similar ones. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. @default that of this process */
  readonly cwd?: string;
}

/**
 * Server that speaks MCP over streamable HTTP.
 *
 * @example
 * const headers = { Authorization: `Bearer ${key}` };
 * const connect: McpHttpLocation = { url: 'https://mcp.example.com/mcp', headers };
 */
export interface McpHttpLocation {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Way to send messages to an MCP server. */
export interface Channel {
  /**
   * Sends a request and returns its result.
   *
   * @throws RpcError if the server rejects the request; Error if it is gone; the signal's reason.
   */
  request(request: RpcRequest, options: RpcRequestOptions): Promise<unknown>;
  notify(message: RpcMessage): Promise<void>;
  /** Tells the channel the revision that both sides speak. */
  setRevision(revision: string): void;
  /** Ends the session, and the program if this process has started it. */
  close(): Promise<void>;
  /** Adds what the program has written last to an error message; empty if there is nothing. */
  stderrTail(): string;
}

export interface RpcRequestOptions {
  readonly signal: AbortSignal;
  /** Headers in addition to those of every request, if the channel has headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server responded with an error status, and not with an error of its protocol. */
export class HttpStatusError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`HTTP ${status}${body.trim() === '' ? '' : `: ${truncate(body.trim(), 500)}`}`);
    this.status = status;
  }
}

/** Responds to a request of the server: clients without capabilities only have `ping`. */
export const respondToServer = ({ id, method }: RpcRequest): RpcMessage =>
  method === 'ping'
    ? toResult(id, {})
    : toErrorResponse(id, new RpcError(RPC_CODES.methodNotFound, `this client does not support ${method}`));

/** Returns the result of a response. @throws RpcError for an error. */
export function resultOf({ result, error }: Extract<ParsedMessage, { kind: 'response' }>): unknown {
  if (error) throw error;
  return result;
}

export const cancellation = (requestId: RpcRequest['id'], reason: unknown): RpcMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: errorMessage(reason) },
});

import { excerpt, parseEvents, UnexpectedResponseError } from './assertions.ts';
import { Connection, jsonRequest } from './connection.ts';
import type { Call, HeldCall, PreparedCall, Protocol, ProtocolSession } from './protocol.ts';
import type { HttpResponse } from './response-parser.ts';

const REVISION = '2025-11-25';
const PATH = '/mcp';
const ACCEPT = { Accept: 'application/json, text/event-stream' };
const TOOLS = ['submit', 'wait', 'big'];
/** All ids have the same length, and so have all requests for the same call. */
const FIRST_ID = 1_000_000;

/**
 * MCP over Streamable HTTP with sessions: initialize and its notification, tools/list, tools/call, DELETE. The response
 * to a request is JSON or an event stream with one event, as the server chooses. The client opens no stream for
 * notifications of the server. MCP has no rewards: the tool returns its reward as structured content.
 */
export const mcp: Protocol = {
  name: 'MCP',
  sessionIsConnection: false,
  async connect(port) {
    const connection = await Connection.open(port);
    return { openSession: () => openSession(port, connection), close: () => connection.close() };
  },
};

async function openSession(port: number, connection: Connection): Promise<ProtocolSession> {
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
  const request = { jsonrpc: '2.0', id: FIRST_ID - 1, method: 'initialize', params };
  const response = await connection.send(jsonRequest('POST', PATH, ACCEPT, JSON.stringify(request)));
  const { protocolVersion } = resultOf(response, FIRST_ID - 1);
  const sid = /\r\nmcp-session-id: *([^\r]+)/i.exec(response.head)?.[1];
  if (sid === undefined || protocolVersion !== REVISION) {
    throw new UnexpectedResponseError(`initialize: ${excerpt(response.head + response.body)}`);
  }
  const session = new McpSession(port, connection, sid);
  await session.confirm();
  return session;
}

class McpSession implements ProtocolSession {
  readonly #port: number;
  readonly #connection: Connection;
  readonly #headers: Readonly<Record<string, string>>;
  #lastId = FIRST_ID - 1;

  constructor(port: number, connection: Connection, sid: string) {
    this.#port = port;
    this.#connection = connection;
    this.#headers = { ...ACCEPT, 'Mcp-Session-Id': sid, 'MCP-Protocol-Version': REVISION };
  }

  /** Sends the notification that ends the initialization. */
  async confirm(): Promise<void> {
    const json = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { status } = await this.#connection.send(jsonRequest('POST', PATH, this.#headers, json));
    if (status !== 202) throw new UnexpectedResponseError(`notifications/initialized: status ${status}`);
  }

  async readTask(): Promise<void> {
    const response = await this.#connection.send(this.#format('tools/list', {}).withNextId());
    const { tools } = resultOf(response, this.#lastId);
    const isExpected = Array.isArray(tools) && TOOLS.every((name) => tools.some((tool) => tool?.name === name));
    if (!isExpected) throw new UnexpectedResponseError(`tools/list: ${excerpt(response.body)}`);
  }

  prepare(call: Call): PreparedCall {
    const request = this.#format('tools/call', { name: call.tool, arguments: call.input });
    const assertResult = createCallAssertion(call);
    return {
      send: () => this.#connection.send(request.withNextId()),
      check: (response: HttpResponse) => assertResult(response, this.#lastId),
    };
  }

  async hold(call: Call): Promise<HeldCall> {
    const connection = await Connection.open(this.#port);
    try {
      const request = this.#format('tools/call', { name: call.tool, arguments: call.input });
      const response = await connection.send(request.withNextId());
      createCallAssertion(call)(response, this.#lastId);
      return { firstEventMs: undefined, heartbeats: response.body.match(/^:/gm)?.length ?? 0 };
    } finally {
      connection.close();
    }
  }

  async close(): Promise<void> {
    const { status, body } = await this.#connection.send(jsonRequest('DELETE', PATH, this.#headers));
    if (status !== 200) throw new UnexpectedResponseError(`DELETE: status ${status}, ${excerpt(body)}`);
  }

  /** Formats a request once; each time that it is sent, only its id changes, as ids may not be repeated. */
  #format(method: string, params: object): { withNextId(): string } {
    const fields = JSON.stringify({ method, params }).slice(1);
    const request = jsonRequest('POST', PATH, this.#headers, `{"jsonrpc":"2.0","id":${FIRST_ID},${fields}`);
    const at = request.indexOf('"id":') + '"id":'.length;
    const [before, after] = [request.slice(0, at), request.slice(at + String(FIRST_ID).length)];
    return {
      withNextId: () => {
        this.#lastId += 1;
        return before + this.#lastId + after;
      },
    };
  }
}

/** Parses the JSON-RPC response to the request with this id, and returns its result. */
function resultOf({ status, body }: HttpResponse, id: number): Record<string, unknown> {
  if (status !== 200) throw new UnexpectedResponseError(`MCP: status ${status}, ${excerpt(body)}`);
  const [event, ...more] = body.startsWith('{') ? [{ data: body }] : parseEvents(body);
  if (event === undefined || more.length > 0) throw new UnexpectedResponseError(`MCP: not one event: ${excerpt(body)}`);
  const message = JSON.parse(event.data);
  const isResponse = message.jsonrpc === '2.0' && message.id === id && typeof message.result === 'object';
  if (!isResponse) throw new UnexpectedResponseError(`MCP: not the result of ${id}: ${excerpt(body)}`);
  return message.result;
}

/** Creates an assertion that parses the first response, and compares the others with it except for the id. */
function createCallAssertion(call: Call): (response: HttpResponse, id: number) => void {
  let before = '';
  let after = '';
  let length = -1;
  return (response, id) => {
    const { status, body } = response;
    const isEqual = body.length === length && body.startsWith(before) && body.endsWith(after);
    if (status === 200 && isEqual && body.startsWith(String(id), before.length)) return;
    assertCallResult(response, id, call);
    const at = body.lastIndexOf(String(id));
    before = body.slice(0, at);
    after = body.slice(at + String(id).length);
    length = body.length;
  };
}

function assertCallResult(response: HttpResponse, id: number, { text, reward }: Call): void {
  const { content, structuredContent, isError } = resultOf(response, id);
  const [block, ...more] = Array.isArray(content) ? content : [];
  const isText = block?.type === 'text' && block.text === text && more.length === 0;
  const outcome = Object(structuredContent);
  if (!isText || outcome.reward !== reward || outcome.finished !== false || isError === true) {
    throw new UnexpectedResponseError(`tools/call: the response was ${excerpt(response.body)}`);
  }
}

import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { Block, Failure } from '../../../generated/trace.ts';
import { document } from '../../../generated/trace-api-document.ts';
import { operations } from '../../../generated/trace-api-operations.ts';
import { operationTable } from '../../../src/http/openapi-operation.ts';
import { type ServeTracesOptions, serveTraces } from '../../../src/trace/api/index.ts';
import { traceValidator } from '../../support/validators.ts';

import { call, message, TRACE } from '../model/store.ts';
import { openTestStore } from '../store/open-test-store.ts';

const closing: (() => Promise<void>)[] = [];

/** Closes the servers of a test: `afterEach(closeServers)` in each suite, whose workers load this module only once. */
export async function closeServers(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly json: any;
}

/** Starts a trace server for one test, with a new store by default. */
export async function startServer(options: Partial<ServeTracesOptions> = {}) {
  const store = options.store ?? (await openTestStore());
  const server = await serveTraces({ store, port: 0, ...options });
  closing.push(async () => {
    await server.close();
    if (!options.store) await store.close();
  });
  return { store, url: server.url, close: server.close, ...createCaller(server.url) };
}

/** Starts a server with the trace `tr_test`, its message `tb_msg123`, and the call `tb_call123` with the call_id `call_1`. */
export async function startConversation(options: Partial<ServeTracesOptions> = {}) {
  const server = await startServer(options);
  await server.post('traces', { id: TRACE });
  await server.post(`traces/${TRACE}/blocks`, {
    blocks: [message({ id: 'tb_msg123' }), call({ id: 'tb_call123' })],
  });
  return {
    ...server,
    write: (body: unknown, more?: Record<string, string>) => server.post(`traces/${TRACE}/blocks`, body, more),
    read: (id: string) => server.get(`traces/${TRACE}/blocks/${id}`),
    count: async (): Promise<number> => (await server.get(`traces/${TRACE}`)).json.block_count,
  };
}

/** Starts a conversation once for the tests of a suite that do not change it: `afterAll(shared.close)`. */
export function shareConversation() {
  let started: ReturnType<typeof startConversation> | undefined;
  let close: (() => Promise<void>) | undefined;
  async function start() {
    const conversation = await startConversation();
    // It outlives the test that needs it first.
    close = closing.pop();
    return conversation;
  }
  return {
    start: () => {
      started ??= start();
      return started;
    },
    close: async () => close?.(),
  };
}

const table = operationTable(operations);
const ajv = new Ajv2020({ strict: false, logger: false });
ajvFormats.default(ajv);
ajv.addSchema(document, 'api');

/**
 * Expects the JSON of a successful response to be as the document says. Here and not in the server, whose option
 * `validateResponses` turns the fast path off and costs 20 ms per server.
 */
function expectDescribed(method: string, url: string, { status, headers }: Response, json: unknown): void {
  const [path = ''] = url.split('?');
  const { operationId } = table.find(method, path) ?? {};
  const isJson = headers.get('content-type')?.startsWith('application/json');
  // A blob may be JSON, of any form.
  if (operationId === undefined || operationId === 'getBlob' || !isJson) return;
  const { path: route } = operations[operationId as keyof typeof operations];
  const pointer = [route, method.toLowerCase(), 'responses', `${status}`, 'content', 'application/json', 'schema'];
  const fragment = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`api#/paths/${fragment}`);
  expect([operationId, status, validate?.(json) || validate?.errors]).toEqual([operationId, status, true]);
}

/** Sends a request; every JSON response is validated, an error also for the status in it. */
export function createCaller(url: string, headers: Record<string, string> = {}, org = 'default') {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<JsonResponse> {
    const target = path.startsWith('/') ? path : `/v1/organizations/${org}/${path}`;
    const response = await fetch(url + target, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers, ...more },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    if (response.status >= 400) {
      expect(traceValidator('TraceError')(json) || traceValidator('TraceError').errors).toBe(true);
      expect(json.error.http_status).toBe(response.status);
    } else {
      expectDescribed(method, target, response, json);
    }
    return { status: response.status, headers: response.headers, json };
  }
  return {
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown, more?: Record<string, string>) => send('POST', path, body, more),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    remove: (path: string) => send('DELETE', path),
  };
}

/** Summarizes an error response, as `422 role` or `409 DUPLICATE_CALL_ID`; returns the status of any other. */
export function errorSummary({ status, json }: JsonResponse): string {
  const failure: Failure | undefined = json?.error;
  if (!failure) return String(status);
  if (failure.code !== 'VALIDATION') return `${status} ${failure.code}`;
  return `${status} ${failure.details.issues.map(({ rule }) => rule).join(' ')}`;
}

/** Returns all blocks of a trace, page by page. */
export async function allBlocks(
  get: (path: string) => Promise<JsonResponse>,
  trace: string,
  limit = 100,
): Promise<Block[]> {
  const blocks: Block[] = [];
  let after = '0';
  do {
    const { json } = await get(`traces/${trace}/blocks?limit=${limit}&after=${after}`);
    blocks.push(...json.blocks);
    after = json.page.next_cursor;
  } while (after !== null);
  return blocks;
}

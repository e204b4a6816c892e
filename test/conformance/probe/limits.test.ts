import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { UntestableError } from '../../../src/conformance/assertions.ts';
import { ProbeRequests, RunBudget } from '../../../src/conformance/probe/index.ts';
import { retryWhileFull } from '../../../src/conformance/probe/requests.ts';
import { type CheckState, runCheck } from '../../../src/conformance/result.ts';
import { matchesName } from '../../../src/conformance/select.ts';
import { discoverTarget, TargetNotFoundError } from '../../../src/conformance/target.ts';
import { connect, serveHttp } from './listening.ts';

const EVENT = `event: chunk\ndata: ${'a'.repeat(2 ** 17)}\n\n`;

/** Writes as long as the client reads. */
function endless(response: ServerResponse, type: string): void {
  response.writeHead(200, { 'Content-Type': type });
  const write = () => {
    while (response.write(EVENT));
  };
  response.on('drain', write);
  write();
}

const lengthOf = (pieces: readonly { readonly bytes: Uint8Array }[]) =>
  pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);

test('stops reading an endless response at a limit, and reports it as not testable', async () => {
  await using server = await serveHttp((_, response) => endless(response, 'application/json'));
  using connection = connect(server.url, [], 100_000);
  const requests = new ProbeRequests(connection);

  const answer = requests.send('GET', '/list_environments');

  await expect(answer).rejects.toThrow(
    new UntestableError('GET /list_environments got no complete response: more than 32 MiB'),
  );
  expect(lengthOf(requests.exchanges[0]?.chunks ?? [])).toBeLessThan(2 ** 20);
});

test('treats an endless stream as a broken one', async () => {
  await using server = await serveHttp((_, response) => endless(response, 'text/event-stream'));
  using connection = connect(server.url, [], 100_000);

  const answer = await new ProbeRequests(connection).send('POST', '/any/call');

  expect(answer.exchange.failure).toBe('more than 48 MiB');
  expect(answer.events).toHaveLength(100);
  expect(lengthOf(answer.exchange.chunks)).toBeLessThan(2 ** 20);
});

test('retries after the delay that a server without room for a session asks for', async () => {
  let left = 2;
  await using server = await serveHttp((_, response) =>
    response.writeHead(left-- > 0 ? 503 : 200, { 'Retry-After': '3' }).end('{}'),
  );
  using connection = connect(server.url);
  const waits: number[] = [];

  const answer = await retryWhileFull(
    () => new ProbeRequests(connection).send('POST', '/create'),
    async (ms) => waits.push(ms),
  );

  expect([answer.status, waits]).toEqual([200, [3_000, 3_000]]);
});

test.each([429, 503])('reports a server that never has room as not testable: %d', async (status) => {
  await using server = await serveHttp((_, response) => response.writeHead(status, { 'Retry-After': '3600' }).end());
  using connection = connect(server.url);
  const waits: number[] = [];

  const answer = retryWhileFull(
    () => new ProbeRequests(connection).send('POST', '/create'),
    async (ms) => waits.push(ms),
  );

  await expect(answer).rejects.toThrow(/no room for another session: \d+; try --concurrency 1$/);
  expect(waits).toEqual([5_000, 5_000, 5_000, 5_000, 5_000]);
});

/** Returns the state of a check that ends with this error. */
async function stateAfter(error: unknown): Promise<CheckState> {
  const check = { id: 'discovery/health', title: 'GET /health returns 200', requirement: 'ORS-DISC-001' } as const;
  const result = await runCheck(check, {
    now: () => 0,
    run: () => Promise.reject(error),
    cleanUp: async () => undefined,
    evidence: () => ({ notes: [], exchanges: [] }),
  });
  return result.state;
}

test('does not report too deep nesting as an error of the suite', async () => {
  let deep = '{"type":"string"}';
  for (let depth = 0; depth < 100_000; depth++) deep = `{"a":${deep}}`;
  const overflow = await Promise.resolve(JSON.parse(deep))
    .then(JSON.stringify)
    .catch((error: unknown) => error);

  expect(overflow).toBeInstanceOf(RangeError);
  expect(await stateAfter(overflow)).toBe('not-testable');
  expect(await stateAfter(new RangeError('Invalid array length'))).toBe('harness-error');
});

test('rejects a server that redirects to another server', async () => {
  await using server = await serveHttp((_, response) =>
    response.writeHead(307, { Location: 'http://127.0.0.1:1/list_environments' }).end(),
  );
  using connection = connect(server.url);

  const target = discoverTarget(new ProbeRequests(connection), {});

  await expect(target).rejects.toThrow(TargetNotFoundError);
  await expect(target).rejects.toThrow('the server redirects to another origin, http://127.0.0.1:1');
});

test('discovers the environment under test if another one cannot be read', async () => {
  await using server = await serveHttp((request, response) => {
    const body = (value: unknown) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
    if (request.path === '/list_environments') return body(['good', 'odd']);
    if (request.path.startsWith('/odd')) return response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end();
    if (request.path === '/good/tools') return body({ tools: [{ name: 'look' }] });
    return body([]);
  });
  using connection = connect(server.url);

  const target = await discoverTarget(new ProbeRequests(connection), {});

  expect(target.environments.map(({ name }) => name)).toEqual(['good']);
  expect(target.environment.tools.map(({ name }) => name)).toEqual(['look']);
});

test('rejects spending beyond the budget', () => {
  const budget = new RunBudget({ sessions: 2, calls: 0, seconds: 1 }, () => 0);

  budget.spend('sessions');
  budget.spend('sessions');

  expect([budget.has('sessions'), budget.has('calls')]).toEqual([false, false]);
  expect(() => budget.spend('sessions')).toThrow('the budget of 2 sessions is used up');
});

test('selects a check by its id, group or requirement, but not by part of a word', () => {
  const check = { id: 'call/valid-inputs', requirement: 'CALL-7' } as never;

  expect([['call'], ['call/'], ['call/valid-inputs'], ['CALL-7']].map((names) => matchesName(check, names))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([['cal'], ['call/valid'], ['CALL']].map((names) => matchesName(check, names))).toEqual([false, false, false]);
});

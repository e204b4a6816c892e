import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createServer, operationHandlers } from 'ors-kit/server';
import { document } from '../../generated/ors-document.ts';
import { operations } from '../../generated/ors-operations.ts';
import { lazyApp } from '../../src/http/express-loader.ts';
import { logLines } from '../observe/log-lines.ts';
import { start } from '../support/client.ts';
import { request } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { withDeadline } from '../support/until.ts';

const JSON_OF_ANOTHER_NAME = [['Content-Type', 'application/json; charset=utf-8']] as const;

const unusual = [
  { method: 'HEAD', target: '/nope' },
  { method: 'OPTIONS', target: '/lab/call' },
  { target: '/' },
  { target: '/tools' },
  { method: 'POST', target: '/create', headers: JSON_OF_ANOTHER_NAME, body: '{"split":"train","index":0}' },
  { method: 'POST', target: '/create', headers: JSON_OF_ANOTHER_NAME, body: `{"split":"${'x'.repeat(300_000)}"}` },
  { method: 'POST', target: '/create', headers: JSON_OF_ANOTHER_NAME, body: '{' },
  { method: 'DELETE', target: '/health' },
];

test('handles requests that wait for Express like those that do not', async () => {
  await using server = await start(lab().environment, { validateResponses: false });
  const answers = async () =>
    (await Promise.all(unusual.map((each) => request(server.url, each)))).map(({ status, headers, body }) => ({
      status,
      body,
      headers: { ...headers, date: '' },
    }));

  const first = await answers();

  expect(first.map(({ status }) => status)).toEqual([308, 204, 308, 200, 400, 400, 400, 405]);
  expect(first).toEqual(await answers());
});

test('loads a validator as fast as before, however many servers the process has had', async () => {
  const load = async (validateResponses: boolean) => {
    await using server = await start(lab().environment, { validateResponses });
    return (await request(server.url, { method: 'DELETE', target: '/health' })).status;
  };
  for (let servers = 0; servers < 40; servers++) await load(false);

  // Servers with the same options share a validator.
  expect(await load(true)).toBe(405);
}, 30_000);

test('drops a client that disconnects while Express is loaded', async () => {
  const told = logLines('warn');
  await using server = await start(lab().environment, { log: told.log, validateResponses: false });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST /create HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n{');
  await withDeadline(once(socket, 'ready'), 'a connection');
  socket.destroy();

  const { status } = await request(server.url, { method: 'DELETE', target: '/health' });

  expect(status).toBe(405);
  expect(told.all()).toEqual([]);
});

const withOperation = (path: string) => {
  const changed = structuredClone(document) as { paths: Record<string, object> };
  changed.paths[path] = { get: { operationId: 'odd', responses: { 200: { description: 'Done.' } } } };
  return {
    document: changed,
    operations: { ...operations, odd: { method: 'get', path } },
    handlers: { ...operationHandlers, odd: () => ({}) },
  };
};

test('logs why the application cannot be created, and responds with 500 to requests that need it', async () => {
  const told = logLines('error');
  const spec = withOperation('/odd(');
  await using server = await start(lab().environment, { spec, log: told.log, validateResponses: false });

  const { status, body } = await request(server.url, { target: '/nope' });

  expect([status, JSON.parse(body)]).toEqual([500, { detail: 'internal error; the log of the server says more' }]);
  expect(told.all()[0]?.error).toMatch(/odd\(/);
});

test('rejects an unreadable document before the server starts', () => {
  const spec = { document: {}, operations, handlers: operationHandlers };

  expect(() => createServer([lab().environment], { spec, fastPath: false })).toThrow(TypeError);
});

/** An application that answers everything with 200 as soon as Express is loaded. */
const appWith = (watchLoading: () => () => void, preload = true) =>
  lazyApp({
    preload,
    document,
    operations,
    pages: {},
    folders: {},
    bodyLimitBytes: 1_000,
    validateResponses: false,
    heartbeatMs: 1_000,
    stalledReaderMs: 1_000,
    onError() {},
    rewrite: ({ path }: { path: string }) => ({ path }),
    pipeline: () => ({ status: 200, headers: {}, content: { json: { status: 'ok' } } }),
    watchLoading,
  });

test('loads Express again after it could not be loaded', async () => {
  let loads = 0;
  const app = appWith(() => {
    loads++;
    if (loads === 1) throw new Error('EMFILE: too many open files');
    return () => {};
  });
  const server = createHttpServer(app.handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const statuses = [await request(url, { target: '/health' }), await request(url, { target: '/health' })];

  expect(statuses.map(({ status }) => status)).toEqual([500, 200]);
  server.close();
  await app.close();
});

function countedApp(preload?: boolean) {
  let loads = 0;
  const count = () => {
    loads++;
    return () => {};
  };
  return { ...appWith(count, preload), loads: () => loads };
}

test('loads Express once when a request needs it before the time at which it is loaded anyway', async () => {
  const app = countedApp();
  const server = createHttpServer(app.handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');

  await request(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { target: '/health' });
  await setTimeout(1_100);

  expect(app.loads()).toBe(1);
  server.close();
  await app.close();
});

test('loads Express a second after the start, unless only requests may load it', async () => {
  const apps = [countedApp(), countedApp(false)];

  await setTimeout(1_100);

  expect(apps.map(({ loads }) => loads())).toEqual([1, 0]);
  for (const { close } of apps) await close();
});

/** Counts the turns of the event loop until a response for which Express is loaded. */
const COUNT_TURNS = `
import { defineEnvironment } from 'ors-kit';
import { serve } from 'ors-kit/server';
const tools = { go: { description: 'Goes.', run: () => 'gone' } };
const environment = defineEnvironment({ name: 'walk', splits: { train: [{}] }, prompt: () => 'Go.', tools });
const server = await serve([environment], { port: 0 });
let turns = 0;
const count = () => {
  turns++;
  next = setImmediate(count);
};
let next = setImmediate(count);
const { status } = await fetch(server.url + '/nope');
clearImmediate(next);
await server.close();
console.log(JSON.stringify({ status, turns }));
`;

test('lets other work run after each module of Express and its validator', async () => {
  const args = ['--input-type=module', '--eval', COUNT_TURNS];

  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000 });

  const { status, turns } = JSON.parse(stdout);
  expect(status).toBe(404);
  expect(turns).toBeGreaterThan(300);
});

test('compiles the schema of OpenAPI documents only for a validator that is to validate its document', async () => {
  await using server = await start(lab().environment, { validateResponses: false });
  await request(server.url, { target: '/nope' });
  const { OpenAPISchemaValidator: Validator } = createRequire(import.meta.url)(
    'express-openapi-validator/dist/framework/openapi.schema.validator.js',
  );
  const version = '3.1.0';

  expect(new Validator({ version, validateApiSpec: false })).toEqual({});
  expect(new Validator({ version, validateApiSpec: true }).validate({ openapi: version }).errors).not.toEqual([]);
});

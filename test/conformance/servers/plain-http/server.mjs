// A server for the Open Reward Standard with nothing but Node: `node server.mjs --port 0`.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { arithmetic } from './arithmetic-environment.mjs';
import { conformance } from './conformance-environment.mjs';
import { HttpError, messageOf, problemWith, Session } from './session.mjs';

const CHUNK_BYTES = 4096;
const BODY_BYTES = 64 * 1024 * 1024;
const PING_MS = 10_000;
const REAP_MS = 1000;
const DELETED_IDS_MS = 60 * 60_000;
const SHUTDOWN_MS = 10_000;
const OWN_TASK_ID = /^task-[0-9a-f]{32}$/;

const isAbsent = (value) => value === undefined || value === null;

const environments = new Map([conformance, arithmetic].map((environment) => [environment.name, environment]));
const sessions = new Map();
const deletedAt = new Map();

function endSession(session) {
  sessions.delete(session.sid);
  deletedAt.set(session.sid, Date.now());
  return session.end();
}

function reap(timeoutMs) {
  const now = Date.now();
  for (const session of sessions.values()) {
    if (session.openRequests === 0 && now - session.lastSeen > timeoutMs) endSession(session);
  }
  for (const [sid, time] of deletedAt) {
    if (now - time > DELETED_IDS_MS) deletedAt.delete(sid);
  }
}

// Requests

function environmentCalled(name) {
  const environment = environments.get(name);
  if (!environment) throw new HttpError(404, `Environment not found: ${name}`);
  return environment;
}

function sessionIdOf(request) {
  const sid = request.headers['x-session-id'];
  if (!sid) throw new HttpError(400, 'Missing X-Session-ID header');
  return sid;
}

function sessionOf({ request, response }, statusIfDeleted = 410) {
  const sid = sessionIdOf(request);
  const session = sessions.get(sid);
  if (!session && deletedAt.has(sid)) throw new HttpError(statusIfDeleted, 'Session was deleted');
  if (!session) throw new HttpError(404, 'Session not found');
  session.hold(response);
  return session;
}

async function readBody(request, schema) {
  const parts = [];
  let size = 0;
  // A destroyed request could not get a response.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length;
    if (size > BODY_BYTES) throw new HttpError(413, 'The body is too large');
    parts.push(part);
  }
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)));
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
  const problem = problemWith(schema, body, 'body');
  if (problem) throw new HttpError(400, problem);
  return body;
}

const SPLIT_BODY = { type: 'object', properties: { split: { type: 'string' } }, required: ['split'] };
const TASK_BODY = {
  type: 'object',
  properties: { split: { type: 'string' }, index: { type: 'integer' } },
  required: ['split', 'index'],
};
const RANGE_BODY = {
  type: 'object',
  properties: { split: { type: 'string' }, start: { type: ['integer', 'null'] }, stop: { type: ['integer', 'null'] } },
  required: ['split'],
};
const CREATE_BODY = {
  type: 'object',
  properties: {
    env_name: { type: ['string', 'null'] },
    task_spec: { type: ['object', 'null'] },
    split: { type: ['string', 'null'] },
    index: { type: ['integer', 'null'] },
    secrets: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  },
};
const CALL_BODY = {
  type: 'object',
  properties: { name: { type: 'string' }, input: { type: 'object' }, task_id: { type: ['string', 'null'] } },
  required: ['name', 'input'],
};

function tasksOf(environment, splitName) {
  const split = environment.splits.find(({ name }) => name === splitName);
  if (!split) throw new HttpError(400, `Split not found: ${splitName}`);
  return split.tasks;
}

function taskAt(environment, split, index) {
  const tasks = tasksOf(environment, split);
  if (index < 0 || index >= tasks.length) throw new HttpError(400, `Index out of range: ${index}`);
  return tasks[index];
}

function taskToCreate(environment, { task_spec: task, split, index }) {
  if (isAbsent(split) !== isAbsent(index)) throw new HttpError(400, 'split and index must be given together');
  if (isAbsent(task) === isAbsent(split)) throw new HttpError(400, 'Give either task_spec or split and index');
  return task ?? structuredClone(taskAt(environment, split, index));
}

const specOf = ({ name, description, input_schema }) => ({ name, description, input_schema });

async function create({ request }) {
  const sid = sessionIdOf(request);
  const body = await readBody(request, CREATE_BODY);
  const environment = environmentCalled(body.env_name ?? environments.keys().next().value);
  const task = taskToCreate(environment, body);
  if (sessions.has(sid)) throw new HttpError(400, 'Session already exists');
  if (deletedAt.has(sid)) throw new HttpError(400, 'Session was deleted; create another one');
  sessions.set(sid, new Session(sid, environment, task, body.secrets ?? {}));
  return { sid };
}

function findOrStartRun(session, { name, input, task_id }) {
  const taskId = task_id ?? `task-${randomUUID().replaceAll('-', '')}`;
  if (!/^\P{Cc}{1,256}$/u.test(taskId)) throw new HttpError(400, 'task_id must be 1 to 256 printable characters');
  const known = session.runs.get(taskId);
  if (known) return { taskId, outcome: known };
  // An id that this session has used, or that only a server can have issued, fetches a result instead of running a tool.
  if (known === null || (task_id && OWN_TASK_ID.test(taskId))) {
    return { taskId, outcome: { error: `Unknown task_id: ${taskId}` } };
  }
  const tool = session.tools.find((candidate) => candidate.name === name);
  if (!tool) throw new HttpError(404, `Tool not found: ${name}`);
  const problem = tool.input_schema && problemWith(tool.input_schema, input, 'input');
  if (problem) throw new HttpError(400, problem);
  return { taskId, outcome: session.start(taskId, tool, input) };
}

function eventText(name, data) {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `event: ${name}\n${lines.join('')}\n`;
}

function* eventsOf({ data, error }) {
  if (error !== undefined) {
    yield eventText('error', error);
    return;
  }
  let start = 0;
  while (data.length - start > CHUNK_BYTES) {
    let stop = start + CHUNK_BYTES;
    while ((data[stop] & 0xc0) === 0x80) stop -= 1; // not within a character
    yield eventText('chunk', data.toString('utf8', start, stop));
    start = stop;
  }
  yield eventText('end', data.toString('utf8', start));
}

async function prompt(exchange) {
  const session = sessionOf(exchange);
  await session.whileAlive(session.setup);
  return session.whileAlive(session.prompt());
}

async function call(exchange) {
  const { request, response, environmentName } = exchange;
  const session = sessionOf(exchange);
  if (environmentName !== session.environment.name) {
    throw new HttpError(404, `The session is not of the environment ${environmentName}`);
  }
  const { taskId, outcome } = findOrStartRun(session, await readBody(request, CALL_BODY));
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.write(eventText('task_id', taskId));
  const pings = setInterval(() => response.write(': ping\n\n'), PING_MS);
  response.once('close', () => clearInterval(pings));
  const settled = await outcome;
  clearInterval(pings);
  // A client that has disconnected may fetch the result later.
  await pipeline(eventsOf(settled), response).catch(() => {});
}

const SERVER_ROUTES = {
  health: ['GET', () => ({ status: 'ok' })],
  list_environments: ['GET', () => [...environments.keys()]],
  create_session: ['POST', () => ({ sid: randomUUID() })],
  create: ['POST', create],
  ping: ['POST', (exchange) => sessionOf(exchange, 404) && { status: 'ok' }],
  delete: [
    'POST',
    async (exchange) => {
      const session = sessionOf(exchange, 404);
      await endSession(session);
      return { sid: session.sid };
    },
  ],
  delete_session: [
    'POST',
    async ({ request }) => {
      const sid = sessionIdOf(request);
      if (sessions.has(sid)) await endSession(sessions.get(sid));
      return { sid };
    },
  ],
};

const ENVIRONMENT_ROUTES = {
  tools: ['GET', ({ environment }) => ({ tools: environment.tools.filter((tool) => !tool.onlyFor).map(specOf) })],
  splits: ['GET', ({ environment }) => environment.splits.map(({ name, type = 'validation' }) => ({ name, type }))],
  tasks: [
    'POST',
    async ({ environment, request }) => {
      const { split } = await readBody(request, SPLIT_BODY);
      return { tasks: tasksOf(environment, split), env_name: environment.name };
    },
  ],
  num_tasks: [
    'POST',
    async ({ environment, request }) => {
      const { split } = await readBody(request, SPLIT_BODY);
      return { num_tasks: tasksOf(environment, split).length };
    },
  ],
  task: [
    'POST',
    async ({ environment, request }) => {
      const { split, index } = await readBody(request, TASK_BODY);
      return { task: taskAt(environment, split, index) };
    },
  ],
  task_range: [
    'POST',
    async ({ environment, request }) => {
      const { split, start, stop } = await readBody(request, RANGE_BODY);
      return { tasks: tasksOf(environment, split).slice(start ?? 0, stop ?? undefined) };
    },
  ],
};

// These find the environment by the session; only a call requires that the path agrees.
const SESSION_ROUTES = {
  task_tools: [
    'GET',
    async (exchange) => {
      const session = sessionOf(exchange);
      await session.whileAlive(session.setup);
      return { tools: session.tools.map(specOf) };
    },
  ],
  prompt: ['GET', prompt],
  call: ['POST', call],
};

function segmentsOf(url) {
  try {
    return url.split('?')[0].split('/').slice(1).map(decodeURIComponent);
  } catch {
    throw new HttpError(400, 'The path is not well encoded');
  }
}

function answer({ request, response }) {
  const [first, second, ...others] = segmentsOf(request.url);
  const exchange = { request, response, environmentName: first };
  const name = second ?? first;
  const tables = second === undefined ? [SERVER_ROUTES] : [SESSION_ROUTES, ENVIRONMENT_ROUTES];
  const table = tables.find((routes) => Object.hasOwn(routes, name));
  if (!table || others.length > 0) throw new HttpError(404, 'Path not found');
  if (table === ENVIRONMENT_ROUTES) exchange.environment = environmentCalled(first);
  const [method, handler] = table[name];
  if (request.method !== method) {
    response.setHeader('Allow', method);
    throw new HttpError(405, `Use ${method}`);
  }
  return handler(exchange);
}

function sendJson(response, status, value) {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

async function handle(request, response) {
  try {
    const value = await answer({ request, response });
    if (value !== undefined) sendJson(response, 200, value);
  } catch (error) {
    const known = error instanceof HttpError;
    if (!known) console.error(error);
    if (response.headersSent) return response.destroy();
    if (known && error.status === 413) response.setHeader('Connection', 'close');
    sendJson(response, known ? error.status : 500, { detail: messageOf(error) });
  }
}

// The life of the server

async function shutDown(server) {
  const closed = new Promise((resolve) => server.close(resolve));
  const ended = Promise.all([...sessions.values()].map(endSession));
  await Promise.race([ended, delay(SHUTDOWN_MS)]);
  server.closeIdleConnections();
  // The streams of aborted calls still send their last event.
  await Promise.race([closed, delay(500)]);
  process.exit(0);
}

function main() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      'session-timeout': { type: 'string', default: '900' }, // seconds
    },
  });
  const server = createServer(handle);
  server.keepAliveTimeout = 60_000;
  server.listen(Number(values.port), '127.0.0.1', () => {
    console.log(`ready http://127.0.0.1:${server.address().port}`);
  });
  setInterval(() => reap(Number(values['session-timeout']) * 1000), REAP_MS).unref();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => shutDown(server));
}

main();

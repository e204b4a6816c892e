// A server for the Open Reward Standard with nothing but Node: `node server.mjs --port 0`.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { arithmetic, conformance } from './environments.mjs';

const CHUNK_BYTES = 4096;
const BODY_BYTES = 64 * 1024 * 1024;
const PING_MS = 10_000;
const LINGER_MS = 60_000;
const REAP_MS = 1000;
const TOOL_GRACE_MS = 1000;
const DELETED_IDS_MS = 60 * 60_000;
const SHUTDOWN_MS = 10_000;
const OWN_TASK_ID = /^task-[0-9a-f]{32}$/;

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Checking what comes in and what goes out

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value) => value === undefined || value === null;
const messageOf = (error) => (error instanceof Error ? error.message || error.name : String(error));

const TYPES = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  array: Array.isArray,
};

/** The first reason why the value does not match the schema, or undefined. */
function problemWith(schema, value, path) {
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => TYPES[type](value))) return `${path} must be ${types.join(' or ')}`;
  if (schema.enum && !schema.enum.includes(value)) return `${path} must be one of ${schema.enum.join(', ')}`;
  if (value < schema.minimum) return `${path} must be at least ${schema.minimum}`;
  if (value > schema.maximum) return `${path} must be at most ${schema.maximum}`;
  if (Array.isArray(value)) return problemWithItems(schema, value, path);
  if (isObject(value)) return problemWithProperties(schema, value, path);
  return undefined;
}

function problemWithItems(schema, items, path) {
  if (items.length > schema.maxItems) return `${path} must have at most ${schema.maxItems} items`;
  for (const [index, item] of items.entries()) {
    const problem = schema.items && problemWith(schema.items, item, `${path}[${index}]`);
    if (problem) return problem;
  }
  return undefined;
}

function problemWithProperties(schema, value, path) {
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is required`;
  const known = schema.properties ?? {};
  for (const [name, item] of Object.entries(value)) {
    const rule = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
    if (rule === false) return `${path}.${name} is not allowed`;
    const problem = isObject(rule) && problemWith(rule, item, `${path}.${name}`);
    if (problem) return problem;
  }
  return undefined;
}

function demand(condition, message) {
  if (!condition) throw new Error(message);
}

function checkedBlocks(blocks) {
  demand(Array.isArray(blocks) && blocks.length > 0, 'there must be at least one block');
  return blocks.map((block) => {
    const { type, text, data, mimeType, detail = null } = block ?? {};
    demand(detail === null || isObject(detail), 'the detail of a block must be an object');
    demand(type === 'text' || type === 'image', 'a block must be of type text or image');
    if (type === 'text') {
      demand(typeof text === 'string', 'a text block must have a text');
      return { text, detail, type };
    }
    demand(typeof data === 'string' && typeof mimeType === 'string', 'an image block must have data and mimeType');
    return { data, mimeType, detail, type };
  });
}

function checkedOutput(output) {
  demand(isObject(output), 'a tool must return an output');
  const { blocks, metadata = null, reward = null, finished = false } = output;
  demand(metadata === null || isObject(metadata), 'the metadata must be an object');
  demand(reward === null || Number.isFinite(reward), 'the reward must be a finite number');
  demand(typeof finished === 'boolean', 'finished must be true or false');
  return { blocks: checkedBlocks(blocks), metadata, reward, finished };
}

/** The bytes of a tool's result, as they are sent. */
function encodeResult(tool, result) {
  let envelope;
  try {
    envelope =
      typeof result?.error === 'string'
        ? { ok: false, error: `Tool '${tool.name}' failed: ${result.error}` }
        : { ok: true, output: checkedOutput(result) };
  } catch (error) {
    throw new Error(`Tool '${tool.name}' returned an invalid output: ${messageOf(error)}`);
  }
  // Only CR and LF end a line of an event stream, but many clients take these for line ends, too.
  const escape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Buffer.from(JSON.stringify(envelope).replace(/[\u0085\u2028\u2029]/g, escape));
}

// Sessions

const toolsOf = (environment, task) => environment.tools.filter((tool) => !tool.onlyFor || tool.onlyFor(task));

class Session {
  #controller = new AbortController();
  #running = new Set();
  openRequests = 0;
  lastSeen = Date.now();
  /** By task_id: a promise of the outcome, or null once the outcome is forgotten. */
  runs = new Map();

  constructor(sid, environment, task, secrets) {
    this.sid = sid;
    this.environment = environment;
    this.tools = toolsOf(environment, task);
    this.episode = environment.createEpisode(task, secrets);
    this.over = new Promise((_, reject) => {
      this.#controller.signal.addEventListener('abort', () => reject(new HttpError(410, 'Session was deleted')));
    });
    this.over.catch(() => {});
    this.setup = Promise.resolve(this.#setUp());
    this.setup.catch(() => {});
  }

  async #setUp() {
    try {
      await this.episode.setup?.(this.#controller.signal);
    } catch (error) {
      throw new HttpError(500, `Setup failed: ${messageOf(error)}`);
    }
  }

  /** Waits for the promise, but no longer than the session lives. */
  whileAlive(promise) {
    return Promise.race([this.over, promise]);
  }

  /** Keeps the session from expiring while the response is open. */
  hold(response) {
    this.openRequests += 1;
    this.lastSeen = Date.now();
    response.once('close', () => {
      this.openRequests -= 1;
      this.lastSeen = Date.now();
    });
  }

  /** Runs the tool, whether or not anybody still listens when it is done. */
  start(taskId, tool, input) {
    const outcome = this.#execute(tool, input).then(
      (data) => ({ data }),
      (error) => ({ error: messageOf(error) }),
    );
    this.runs.set(taskId, outcome);
    outcome.then(() => setTimeout(() => this.runs.set(taskId, null), LINGER_MS).unref());
    return outcome;
  }

  async #execute(tool, input) {
    await this.whileAlive(this.setup);
    // A tool may hold the thread: the task_id has to be on its way before.
    await nextTurn();
    const running = (async () => tool.run(this.episode, input, this.#controller.signal))();
    this.#running.add(running);
    try {
      return encodeResult(tool, await this.whileAlive(running));
    } finally {
      const forget = () => this.#running.delete(running);
      running.then(forget, forget);
    }
  }

  async end() {
    this.#controller.abort();
    await this.setup.catch(() => {});
    // Tools that heed the signal end before the teardown; others must not hold it up for ever.
    if (this.#running.size > 0) {
      await Promise.race([Promise.allSettled(this.#running), delay(TOOL_GRACE_MS, undefined, { ref: false })]);
    }
    try {
      await this.episode.teardown?.();
    } catch (error) {
      console.error(`Teardown of session ${this.sid} failed: ${messageOf(error)}`);
    }
    this.runs.clear();
  }
}

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
  for await (const part of request) {
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
  // An id that this session has used, or that only a server can have made, asks for a result, not for another run.
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
  // A client that went away may come back for the result.
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

// One episode with its tool calls, and the validation of inputs and outputs.

import { setMaxListeners } from 'node:events';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

const LINGER_MS = 60_000;
const TOOL_GRACE_MS = 1000;

export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Validation of inputs and outputs

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const messageOf = (error) => (error instanceof Error ? error.message || error.name : String(error));

const TYPES = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  array: Array.isArray,
};

/** Returns the first reason why the value does not match the schema, or undefined. */
export function problemWith(schema, value, path) {
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

/** Returns the bytes of a tool's result as sent. */
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
  // Only CR and LF end a line of an event stream, but many clients treat these as line ends too.
  const asEscape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Buffer.from(JSON.stringify(envelope).replace(/[\u0085\u2028\u2029]/g, asEscape));
}

// Sessions

const toolsOf = (environment, task) => environment.tools.filter((tool) => !tool.onlyFor || tool.onlyFor(task));

export class Session {
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
    // Every running call listens to it.
    setMaxListeners(0, this.#controller.signal);
    this.setup = this.#setUp();
    this.setup.catch(() => {});
  }

  async #setUp() {
    try {
      await this.episode.setup?.(this.#controller.signal);
    } catch (error) {
      throw new HttpError(500, `Setup failed: ${messageOf(error)}`);
    }
  }

  async prompt() {
    try {
      return checkedBlocks(await this.episode.prompt());
    } catch (error) {
      throw new HttpError(500, `The prompt failed: ${messageOf(error)}`);
    }
  }

  /** Waits for the promise, or until the session ends. */
  whileAlive(promise) {
    const { signal } = this.#controller;
    return new Promise((resolve, reject) => {
      const stop = () => reject(new HttpError(410, 'Session was deleted'));
      // Promise.race with a promise of the session would retain every result until the session ends.
      signal.addEventListener('abort', stop);
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
    });
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

  /** Runs the tool to its end, even if the client disconnects. */
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
    // A tool may block the thread, so the task_id must be sent before.
    await this.whileAlive(nextTurn());
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
    // Tools that handle the signal end before the teardown; others must not delay it forever.
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

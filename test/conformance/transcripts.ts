import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';

/** Requests with the responses of a conforming server; docs/development/conformance-fixture.md describes the form. */
export interface Transcript {
  readonly title: string;
  readonly sessions?: readonly string[];
  readonly fresh?: readonly string[];
  readonly steps: readonly Step[];
}

interface Step {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly answer: Expected | readonly Expected[];
  readonly within_ms?: number;
}

/** Expected response: status and body of a JSON response, or the outcome of the events of a call. */
type Expected = Readonly<Record<string, unknown>>;

/** Values of placeholders. */
type Values = Map<string, unknown>;

/** A step with an unexpected response. */
export interface Deviation {
  readonly step: string;
  readonly seen: string;
}

const DEADLINE_MS = 20_000;
const RETRY_MS = 50;
const folder = new URL('../../spec/transcripts/', import.meta.url);

/** All transcripts, by subject. */
export const transcripts: readonly (readonly [subject: string, transcript: Transcript])[] = readdirSync(folder)
  .sort()
  .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, folder), 'utf8'))] as const);

/** Plays a transcript on a server completely, and returns the steps with unexpected responses. */
export async function replay(url: string, { sessions = [], fresh = [], steps }: Transcript): Promise<Deviation[]> {
  const values: Values = new Map(fresh.map((name) => [name, crypto.randomUUID()]));
  for (const name of sessions) values.set(name, await newSid(url));
  const deviations: Deviation[] = [];
  for (const step of steps) {
    const seen = await take(url, step, values);
    if (seen !== undefined) deviations.push({ step: step.name, seen });
  }
  return deviations;
}

/** Returns the actual response; undefined if it is the expected one. */
async function take(
  url: string,
  { request, answer, within_ms = 0 }: Step,
  values: Values,
): Promise<string | undefined> {
  const end = performance.now() + within_ms;
  for (;;) {
    const seen = await send(url, request, values).catch(String);
    for (const expected of [answer].flat()) {
      const found: Values = new Map(values);
      if (!matches(seen, { status: 200, ...expected }, found)) continue;
      for (const [name, value] of found) values.set(name, value);
      return undefined;
    }
    if (performance.now() >= end) return JSON.stringify(seen).slice(0, 500);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function send(url: string, request: Step['request'], values: Values): Promise<Record<string, unknown>> {
  const { method, path, headers = {}, body } = filled(request, values) as Step['request'];
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const text = await response.text();
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  return { status: response.status, ...(isStream ? readStream(text) : { body: parsed(text) }) };
}

function readStream(text: string): Record<string, unknown> {
  const events: { event: string | undefined; data: string }[] = [];
  createParser({ onEvent: ({ event, data }) => events.push({ event, data }) }).feed(text);
  const named = (name: string) => events.filter(({ event }) => event === name);
  const joined = events.filter(({ event }) => event === 'chunk' || event === 'end').map(({ data }) => data);
  const last = events.at(-1);
  return {
    ...(events[0]?.event === 'task_id' && { task_id: events[0].data }),
    ...(last?.event === 'end' && { result: parsed(joined.join('')) }),
    ...(last?.event === 'error' && { error: last.data }),
    chunked: named('chunk').length > 0,
  };
}

/** Returns whether a value matches the expected one, and assigns unassigned placeholders. */
export function matches(seen: unknown, expected: unknown, values: Values): boolean {
  if (typeof expected === 'string') return matchesText(seen, expected, values);
  if (expected === null || typeof expected !== 'object') return (seen ?? null) === expected;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(seen) &&
      seen.length === expected.length &&
      expected.every((item, index) => matches(seen[index], item, values))
    );
  }
  const { $unordered, $sha256, $characters } = expected as Record<string, unknown>;
  if (Array.isArray($unordered)) return Array.isArray(seen) && matchesInAnyOrder(seen, $unordered, values);
  if ($sha256 !== undefined) {
    return typeof seen === 'string' && digest(seen) === $sha256 && [...seen].length === $characters;
  }
  if (typeof seen !== 'object' || seen === null || Array.isArray(seen)) return false;
  return Object.entries(expected).every(([key, value]) => matches(seen[key as keyof typeof seen], value, values));
}

function matchesText(seen: unknown, expected: string, values: Values): boolean {
  if (expected === '$any') return (seen ?? null) !== null;
  if (expected === '$text') return typeof seen === 'string' && seen !== '';
  if (expected === '4xx' || expected === '5xx') return Math.floor(Number(seen) / 100) === Number(expected[0]);
  if (!expected.startsWith('$')) return seen === expected;
  if (!values.has(expected) && seen !== undefined) values.set(expected, seen);
  return values.has(expected) && values.get(expected) === seen;
}

function matchesInAnyOrder(seen: readonly unknown[], expected: readonly unknown[], values: Values): boolean {
  const left = [...seen];
  for (const item of expected) {
    const { $optional } = Object(item) as { $optional?: unknown };
    const index = left.findIndex((each) => matches(each, $optional ?? item, values));
    if (index >= 0) left.splice(index, 1);
    else if ($optional === undefined) return false;
  }
  return left.length === 0;
}

/** Replaces the placeholders in a request. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string' && value.startsWith('$')) {
    if (!values.has(value)) throw new Error(`no answer gave ${value}`);
    return values.get(value);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}

/** Returns a session id from `/create_session`, which some servers send as events. */
async function newSid(url: string): Promise<unknown> {
  const { body, task_id } = await send(url, { method: 'POST', path: '/create_session' }, new Map());
  return (body as { sid?: unknown } | undefined)?.sid ?? task_id;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

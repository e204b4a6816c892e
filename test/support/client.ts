import { createParser } from 'eventsource-parser';
import type { Environment } from 'ors-kit';
import { type HostedEnvironment, type RunningServer, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { hostByMessages } from './loopback.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect responses of every shape
  readonly body: any;
}

export interface SseEvent {
  readonly event: string | undefined;
  readonly data: string;
}

/** Timeout of a response, longer than a busy machine needs. */
const DEADLINE_MS = 45_000;

/** Returns the environments for a server. With ORS_ISOLATION=worker, they communicate through messages as in workers. */
export const hosted = async (
  environments: readonly Environment[],
): Promise<readonly (Environment | HostedEnvironment)[]> =>
  process.env.ORS_ISOLATION === 'worker' ? hostByMessages(environments) : environments;

/**
 * Starts a server on a free port, without a log. Express is loaded by the requests that need it. With ORS_ENTRANCE=express,
 * it handles and validates everything.
 */
export async function start(
  environments: Environment | readonly Environment[],
  options: ServerOptions = {},
): Promise<RunningServer> {
  const log = pino({ level: 'silent' });
  const validateResponses = process.env.ORS_ENTRANCE === 'express';
  return serve(await hosted([environments].flat()), { port: 0, log, preload: false, validateResponses, ...options });
}

export async function request(
  server: { url: string },
  method: string,
  path: string,
  { sid, body, headers = {} }: { sid?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await send(server, method, path, sid, body, headers);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function send(
  { url }: { url: string },
  method: string,
  path: string,
  sid?: string,
  body?: unknown,
  headers = {},
  signal?: AbortSignal,
) {
  return fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(sid !== undefined && { 'X-Session-ID': sid }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: signal ?? AbortSignal.timeout(DEADLINE_MS),
  });
}

export interface CallAnswer {
  readonly events: readonly SseEvent[];
  readonly taskId: string;
  /** Joined data of `chunk` and `end` events. */
  readonly json: string;
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  readonly result: any;
  /** Text of an `error` event. */
  readonly error: string | undefined;
  /** Comments between the events. */
  readonly comments: readonly string[];
  /** True if the connection ended before the stream did. */
  readonly isCut: boolean;
}

interface CallOptions {
  readonly taskId?: string;
  readonly environment?: string;
  readonly signal?: AbortSignal;
  /** Returns the events before a cut; otherwise a cut rejects. */
  readonly mayBeCut?: boolean;
  /** Called when the stream has begun. */
  readonly onOpen?: () => void;
  /** Called for each comment between the events. */
  readonly onComment?: () => void;
}

/** Calls a tool, and reads its stream to the end with an independent parser. */
export async function call(
  server: { url: string },
  sid: string,
  name: string,
  input: unknown = {},
  { taskId, environment = 'lab', signal, mayBeCut, onOpen, onComment }: CallOptions = {},
): Promise<CallAnswer> {
  const body = { name, input, ...(taskId !== undefined && { task_id: taskId }) };
  const response = await send(server, 'POST', `/${environment}/call`, sid, body, {}, signal);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  onOpen?.();
  const events: SseEvent[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data }),
    onComment: (comment) => {
      comments.push(comment);
      onComment?.();
    },
  });
  const decoder = new TextDecoder();
  let isCut = false;
  try {
    for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
  } catch (error) {
    if (!mayBeCut) throw error;
    isCut = true;
  }
  const json = events
    .filter(({ event }) => event === 'chunk' || event === 'end')
    .map(({ data }) => data)
    .join('');
  return {
    events,
    taskId: events[0]?.data ?? '',
    json,
    result: json ? JSON.parse(json) : undefined,
    error: events.find(({ event }) => event === 'error')?.data,
    comments,
    isCut,
  };
}

/** Creates an episode and returns its session id. */
export async function create(
  server: { url: string },
  body: object = { task_spec: {} },
  sid: string = crypto.randomUUID(),
): Promise<string> {
  const answer = await request(server, 'POST', '/create', { sid, body });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return sid;
}

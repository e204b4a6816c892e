import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { JSONObject, JSONValue } from 'ors-kit';

/** Choices that the documents leave to a server, or that a server may get wrong. */
export interface Habits {
  readonly framing: keyof typeof LINE_ENDS;
  /** A blank line also follows the last event. */
  readonly endsWithBlankLine: boolean;
  /** Form of a tool's failure: a status as in "Error Responses", or one of the two forms in a stream. */
  readonly toolFailures: 'status' | 'error-event' | 'ok-false';
  /** Missing routes: the first segment of a path, or the second one after an environment. */
  readonly missing: readonly string[];
}

export interface LiteralEnvironment {
  readonly name: string;
  readonly tasks: Readonly<Record<string, readonly JSONObject[]>>;
  readonly prompt: (task: JSONObject) => string;
  readonly setup?: (task: JSONObject) => Promise<void>;
  readonly tools: Readonly<Record<string, LiteralTool>>;
}

export interface LiteralTool {
  readonly description: string;
  /** The names of its parameters, all of them strings or numbers. */
  readonly parameters?: readonly string[];
  readonly run: (input: JSONObject, episode: Episode) => JSONObject | Promise<JSONObject>;
}

export interface Episode {
  readonly environment: LiteralEnvironment;
  readonly task: JSONObject;
  readonly secrets: JSONObject;
  readonly ready: Promise<void>;
}

/** Thrown by a tool that could not do its work. */
export class ToolFailure extends Error {}

export interface LiteralServer extends AsyncDisposable {
  readonly url: string;
  /** Episodes that are not deleted. */
  readonly episodeCount: number;
}

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const;
const CHUNK = 4096;

/** A refusal with its status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

type Call = { readonly result: Promise<JSONObject> };
type Request = { method: string; path: string[]; sid: string | undefined; body: JSONObject; accept: string };

/** A server as the documents describe it, with nothing that they call optional: no heartbeats, no null fields. */
export async function serveLiterally(
  environments: readonly LiteralEnvironment[],
  habits: Habits,
): Promise<LiteralServer> {
  const episodes = new Map<string, Episode | 'deleted'>();
  const calls = new Map<string, Call>();

  const environmentOf = (name: JSONValue | undefined): LiteralEnvironment => {
    const found = environments.find((environment) => environment.name === name);
    if (!found) throw new Refusal(404, `Environment ${JSON.stringify(name)} not recognized`);
    return found;
  };
  const episodeOf = ({ sid }: Request): Episode => {
    if (sid === undefined) throw new Refusal(400, 'X-Session-ID header is required');
    const episode = episodes.get(sid);
    if (episode === 'deleted') throw new Refusal(410, 'Session was deleted');
    if (!episode) throw new Refusal(404, 'Session not found');
    return episode;
  };
  const create = (request: Request): JSONObject => {
    const { sid, body } = request;
    if (sid === undefined) throw new Refusal(400, 'X-Session-ID header is required');
    if (episodes.has(sid)) throw new Refusal(400, 'Session already exists');
    const environment = environmentOf(body.env_name ?? environments[0]?.name);
    if ('task_spec' in body === 'split' in body) throw new Refusal(400, 'Either task_spec, or split and index');
    const task = (body.task_spec as JSONObject | undefined) ?? taskOf(environment, body);
    const ready = environment.setup?.(task) ?? Promise.resolve();
    episodes.set(sid, { environment, task, secrets: (body.secrets as JSONObject | undefined) ?? {}, ready });
    return { sid };
  };

  const roots: Record<string, (request: Request) => JSONValue> = {
    'GET /health': () => ({ status: 'ok' }),
    'GET /list_environments': () => environments.map(({ name }) => name),
    'POST /create_session': () => ({ sid: randomUUID() }),
    'POST /create': create,
    'POST /ping': (request) => {
      episodeOf(request);
      return { status: 'ok' };
    },
    'POST /delete': (request) => {
      episodeOf(request);
      episodes.set(request.sid ?? '', 'deleted');
      return { sid: request.sid ?? '' };
    },
    'POST /delete_session': ({ sid }) => ({ sid: sid ?? '' }),
  };
  const actions: Record<string, (environment: LiteralEnvironment, request: Request) => JSONValue | Promise<JSONValue>> =
    {
      'GET tools': ({ tools }) => ({ tools: Object.entries(tools).map(toToolSpec) }),
      'GET splits': ({ tasks }) => Object.keys(tasks).map((name) => ({ name, type: typeOf(name) })),
      'POST tasks': (environment, { body }) => ({ tasks: [...tasksOf(environment, body)], env_name: environment.name }),
      'POST num_tasks': (environment, { body }) => ({ num_tasks: tasksOf(environment, body).length }),
      'POST task': (environment, { body }) => ({ task: taskOf(environment, body) }),
      'GET prompt': async (_environment, request) => {
        const { environment, task, ready } = episodeOf(request);
        await ready;
        return [{ type: 'text', text: environment.prompt(task) }];
      },
    };

  const answer = async (request: Request, response: ServerResponse): Promise<void> => {
    const [first = '', second = ''] = request.path;
    if (habits.missing.includes(second || first)) throw new Refusal(404, 'Not Found');
    const root = roots[`${request.method} /${first}`];
    if (root && !second) return sendJSON(response, 200, root(request));
    const environment = environmentOf(first);
    if (second === 'call') return sendCall(episodeOf(request), request, response, calls, habits);
    const action = actions[`${request.method} ${second}`];
    if (!action) throw new Refusal(404, 'Not Found');
    sendJSON(response, 200, await action(environment, request));
  };

  const server = createServer(async (message, response) => {
    try {
      await answer(await readRequest(message), response);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      sendJSON(response, status, { detail: error instanceof Error ? error.message : String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An internet socket's address is never the path that the type also allows.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get episodeCount() {
      return [...episodes.values()].filter((episode) => episode !== 'deleted').length;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs a tool, or joins the run with the request's task_id, and returns its outcome. */
async function sendCall(
  episode: Episode,
  { body }: Request,
  response: ServerResponse,
  calls: Map<string, Call>,
  { framing, endsWithBlankLine, toolFailures }: Habits,
): Promise<void> {
  const known = typeof body.task_id === 'string' ? calls.get(body.task_id) : undefined;
  if (body.task_id !== undefined && !known) {
    return sendEvents(response, framing, endsWithBlankLine, [['error', 'unknown task_id']]);
  }
  const id = known ? String(body.task_id) : randomUUID();
  const call = known ?? { result: run(episode, body) };
  calls.set(id, call);
  // A rejection that is not awaited must not end the process.
  call.result.catch(() => undefined);

  // A status can only be sent before the stream begins.
  if (toolFailures === 'status') await call.result;
  else writeEvents(response, framing, [['task_id', id]]);
  const first: Event[] = toolFailures === 'status' ? [['task_id', id]] : [];
  try {
    const result = JSON.stringify({ ok: true, output: await call.result });
    sendEvents(response, framing, endsWithBlankLine, [...first, ...chunksOf(result)]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isFailure = error instanceof ToolFailure || error instanceof Refusal;
    const failure: Event[] =
      isFailure && toolFailures === 'ok-false'
        ? [['end', JSON.stringify({ ok: false, error: `Tool execution failed: ${message}` })]]
        : [['error', message]];
    sendEvents(response, framing, endsWithBlankLine, failure);
  }
}

async function run({ environment, ready, ...episode }: Episode, { name, input }: JSONObject): Promise<JSONObject> {
  await ready;
  const tool = environment.tools[String(name)];
  if (!tool) throw new Refusal(404, `Tool '${String(name)}' not found`);
  const missing = (tool.parameters ?? []).find((parameter) => (input as JSONObject)[parameter] === undefined);
  if (missing !== undefined) throw new Refusal(400, `Invalid input: '${missing}' is required`);
  try {
    return await tool.run(input as JSONObject, { environment, ready, ...episode });
  } catch (error) {
    throw error instanceof ToolFailure ? new Refusal(400, error.message) : error;
  }
}

type Event = readonly [name: string, data: string];

function chunksOf(result: string): Event[] {
  const characters = Array.from(result);
  const parts = Array.from({ length: Math.ceil(characters.length / CHUNK) }, (_, index) =>
    characters.slice(index * CHUNK, (index + 1) * CHUNK).join(''),
  );
  return parts.map((part, index) => [index === parts.length - 1 ? 'end' : 'chunk', part]);
}

function writeEvents(response: ServerResponse, framing: Habits['framing'], events: readonly Event[]): void {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(frame(framing, events));
}

function sendEvents(
  response: ServerResponse,
  framing: Habits['framing'],
  endsWithBlankLine: boolean,
  events: readonly Event[],
): void {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const framed = frame(framing, events);
  response.end(endsWithBlankLine ? framed : framed.slice(0, -LINE_ENDS[framing].length));
}

function frame(framing: Habits['framing'], events: readonly Event[]): string {
  const end = LINE_ENDS[framing];
  const lines = events.flatMap(([name, data]) => [
    `event: ${name}`,
    ...data.split('\n').map((line) => `data: ${line}`),
    '',
  ]);
  return lines.map((line) => line + end).join('');
}

function sendJSON(response: ServerResponse, status: number, body: JSONValue): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function readRequest(message: IncomingMessage): Promise<Request> {
  const body = await textOf(message);
  const { pathname } = new URL(message.url ?? '/', 'http://localhost');
  const sid = message.headers['x-session-id'];
  return {
    method: message.method ?? 'GET',
    path: pathname.split('/').slice(1).map(decodeURIComponent),
    sid: typeof sid === 'string' ? sid : undefined,
    body: body === '' ? {} : JSON.parse(body),
    accept: message.headers.accept ?? '',
  };
}

function toToolSpec([name, { description, parameters }]: [string, LiteralTool]): JSONObject {
  if (!parameters) return { name, description };
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, {}]));
  return { name, description, input_schema: { type: 'object', properties, required: [...parameters] } };
}

function tasksOf({ tasks }: LiteralEnvironment, { split }: JSONObject): readonly JSONObject[] {
  const found = tasks[String(split)];
  if (!found) throw new Refusal(400, `Invalid split ${JSON.stringify(split)}`);
  return found;
}

function taskOf(environment: LiteralEnvironment, body: JSONObject): JSONObject {
  const task = tasksOf(environment, body)[Number(body.index)];
  if (!task) throw new Refusal(400, `Invalid index ${JSON.stringify(body.index)}`);
  return task;
}

const typeOf = (split: string) => (split === 'train' || split === 'test' ? split : 'validation');

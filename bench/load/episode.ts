import { assertCallResult, assertOk, excerpt, parseEvents, UnexpectedResponseError } from './assertions.ts';
import { type Connection, httpRequest } from './connection.ts';

const createSession = httpRequest('POST', '/create_session', undefined, {});

export interface Call {
  tool: string;
  input: object;
  /** The expected text and reward. */
  text: string;
  reward: number | null;
}

/** The only call of an episode, and the small call of the benchmarks. */
export const submit: Call = { tool: 'submit', input: { answer: '4' }, text: 'Correct!', reward: 1 };

/** Opens a session with an episode of the task at `index`, and returns the session id. */
export async function openEpisode(connection: Connection, { index = 0 } = {}): Promise<string> {
  const issued = await connection.send(createSession);
  assertOk(issued, 'create_session');
  const sid = parseSid(issued.body);

  const body = { env_name: 'bench', split: 'test', index };
  const created = await connection.send(httpRequest('POST', '/create', sid, body));
  assertOk(created, 'create');
  if (JSON.parse(created.body).sid !== sid) throw new UnexpectedResponseError(`create: ${excerpt(created.body)}`);
  return sid;
}

/** Parses the session id in either form: JSON as in the documents, or the events of the reference. */
function parseSid(body: string): string {
  const sid = body.startsWith('{') ? JSON.parse(body).sid : parseEvents(body)[0]?.data;
  if (typeof sid === 'string' && sid !== '') return sid;
  throw new UnexpectedResponseError(`create_session: no session id in ${excerpt(body)}`);
}

/** Formats the request for a call; with `task_id`, for reconnecting to an earlier one. */
export function callRequest(sid: string, name: string, input: object, task_id?: string): string {
  return httpRequest('POST', '/bench/call', sid, { name, input, task_id });
}

/** Opens `count` episodes over some connections, and returns their session ids. */
export async function openEpisodes(connections: readonly Connection[], count: number): Promise<string[]> {
  const sids: string[] = [];
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) sids.push(await openEpisode(connection));
    }),
  );
  return sids;
}

export async function closeEpisode(connection: Connection, sid: string): Promise<void> {
  assertOk(await connection.send(httpRequest('POST', '/delete', sid)), 'delete');
}

/** Plays a whole episode: create_session, create, prompt, call, delete. */
export async function playEpisode(connection: Connection, task: { index?: number } = {}): Promise<void> {
  const sid = await openEpisode(connection, task);
  const prompt = await connection.send(httpRequest('GET', '/bench/prompt', sid));
  assertOk(prompt, 'prompt');
  if (JSON.parse(prompt.body)[0]?.text !== '2+2') throw new UnexpectedResponseError(`prompt: ${excerpt(prompt.body)}`);
  assertCallResult(await connection.send(callRequest(sid, submit.tool, submit.input)), submit.text, submit.reward);
  await closeEpisode(connection, sid);
}

/** Plays `count` episodes over some connections: a warm-up by amount of work instead of time. */
export async function playEpisodes(connections: readonly Connection[], count: number): Promise<void> {
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) await playEpisode(connection);
    }),
  );
}

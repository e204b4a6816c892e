import { checkCall, eventsOf, excerpt, expectStatus, WrongAnswer } from './answers.ts';
import { type Connection, httpRequest } from './connection.ts';

const createSession = httpRequest('POST', '/create_session', undefined, {});

/** The one call of an episode, and the small call of the benchmarks. */
export const submit: Call = { tool: 'submit', input: { answer: '4' }, text: 'Correct!', reward: 1 };

export interface Call {
  tool: string;
  input: object;
  /** The text and the reward that have to come back. */
  text: string;
  reward: number | null;
}

/** Opens a session and its episode of the task with this index, and returns the session's id. */
export async function openEpisode(connection: Connection, { index = 0 } = {}): Promise<string> {
  const issued = await connection.send(createSession);
  expectStatus(issued, 'create_session');
  const sid = sidOf(issued.body);

  const source = { env_name: 'bench', split: 'test', index };
  const created = await connection.send(httpRequest('POST', '/create', sid, source));
  expectStatus(created, 'create');
  if (JSON.parse(created.body).sid !== sid) throw new WrongAnswer(`create: ${excerpt(created.body)}`);
  return sid;
}

/** The session's id, in either form: JSON as the documents write it, or the events of the reference. */
function sidOf(body: string): string {
  const sid = body.startsWith('{') ? JSON.parse(body).sid : eventsOf(body)[0]?.data;
  if (typeof sid === 'string' && sid !== '') return sid;
  throw new WrongAnswer(`create_session: no session id in ${excerpt(body)}`);
}

/** A call, or the same one again by its task_id. */
export function callRequest(sid: string, name: string, input: object, task_id?: string): string {
  return httpRequest('POST', '/bench/call', sid, { name, input, task_id });
}

/** Opens `count` episodes by way of some connections, and returns their sessions' ids. */
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
  expectStatus(await connection.send(httpRequest('POST', '/delete', sid)), 'delete');
}

/** A whole episode: create_session, create, prompt, call, delete. */
export async function playEpisode(connection: Connection, task: { index?: number } = {}): Promise<void> {
  const sid = await openEpisode(connection, task);
  const prompt = await connection.send(httpRequest('GET', '/bench/prompt', sid));
  expectStatus(prompt, 'prompt');
  if (JSON.parse(prompt.body)[0]?.text !== '2+2') throw new WrongAnswer(`prompt: ${excerpt(prompt.body)}`);
  checkCall(await connection.send(callRequest(sid, submit.tool, submit.input)), submit.text, submit.reward);
  await closeEpisode(connection, sid);
}

/** Plays `count` episodes by way of some connections, which warms a server up by work and not by time. */
export async function playEpisodes(connections: readonly Connection[], count: number): Promise<void> {
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) await playEpisode(connection);
    }),
  );
}

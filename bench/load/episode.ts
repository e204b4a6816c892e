import { checkCall, eventsOf, excerpt, expectStatus, WrongAnswer } from './answers.ts';
import { type Connection, httpRequest } from './connection.ts';

const createSession = httpRequest('POST', '/create_session', undefined, {});

/** Opens a session and its episode, and returns the session's id. */
export async function openEpisode(connection: Connection): Promise<string> {
  const issued = await connection.send(createSession);
  expectStatus(issued, 'create_session');
  const sid = sidOf(issued.body);

  const source = { env_name: 'bench', split: 'test', index: 0 };
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

export function callRequest(sid: string, name: string, input: object): string {
  return httpRequest('POST', '/bench/call', sid, { name, input });
}

export async function closeEpisode(connection: Connection, sid: string): Promise<void> {
  expectStatus(await connection.send(httpRequest('POST', '/delete', sid)), 'delete');
}

/** A whole episode: create_session, create, prompt, call, delete. */
export async function playEpisode(connection: Connection): Promise<void> {
  const sid = await openEpisode(connection);
  const prompt = await connection.send(httpRequest('GET', '/bench/prompt', sid));
  expectStatus(prompt, 'prompt');
  if (JSON.parse(prompt.body)[0]?.text !== '2+2') throw new WrongAnswer(`prompt: ${excerpt(prompt.body)}`);
  checkCall(await connection.send(callRequest(sid, 'submit', { answer: '4' })), 'Correct!', 1);
  await closeEpisode(connection, sid);
}

import {
  assertCallResult,
  assertOk,
  createRepeatedCallAssertion,
  excerpt,
  parseEvents,
  UnexpectedResponseError,
} from './assertions.ts';
import { Connection, httpRequest } from './connection.ts';
import type { Call, HeldCall, Protocol, ProtocolSession, TaskSelector } from './protocol.ts';

const createSession = httpRequest('POST', '/create_session', undefined, {});

/** The Open Reward Standard: create_session and create, prompt, call, delete. */
export const ors: Protocol = {
  name: 'ORS',
  sessionIsConnection: false,
  async connect(port) {
    const connection = await Connection.open(port);
    return {
      openSession: async (task) => sessionOf(port, connection, await openEpisode(connection, task)),
      close: () => connection.close(),
    };
  },
};

function sessionOf(port: number, connection: Connection, sid: string): ProtocolSession {
  return {
    readTask: () => readPrompt(connection, sid),
    prepare({ tool, input, text, reward }) {
      const request = callRequest(sid, tool, input);
      return { send: () => connection.send(request), check: createRepeatedCallAssertion(text, reward) };
    },
    hold: (call) => holdCall(port, sid, call),
    close: () => closeEpisode(connection, sid),
  };
}

async function holdCall(port: number, sid: string, { tool, input, text, reward }: Call): Promise<HeldCall> {
  const from = performance.now();
  const connection = await Connection.open(port);
  try {
    const response = await connection.send(callRequest(sid, tool, input));
    assertCallResult(response, text, reward);
    const heartbeats = response.body.match(/^:/gm)?.length ?? 0;
    return { firstEventMs: response.firstByteAt - from, heartbeats };
  } finally {
    connection.close();
  }
}

/** Opens a session with an episode of the task at `index`, and returns the session id. */
export async function openEpisode(connection: Connection, { index = 0 }: TaskSelector = {}): Promise<string> {
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

async function readPrompt(connection: Connection, sid: string): Promise<void> {
  const prompt = await connection.send(httpRequest('GET', '/bench/prompt', sid));
  assertOk(prompt, 'prompt');
  if (JSON.parse(prompt.body)[0]?.text !== '2+2') throw new UnexpectedResponseError(`prompt: ${excerpt(prompt.body)}`);
}

/** Formats the request for a call; with `task_id`, for reconnecting to an earlier one. */
export function callRequest(sid: string, name: string, input: object, task_id?: string): string {
  return httpRequest('POST', '/bench/call', sid, { name, input, task_id });
}

export async function closeEpisode(connection: Connection, sid: string): Promise<void> {
  assertOk(await connection.send(httpRequest('POST', '/delete', sid)), 'delete');
}

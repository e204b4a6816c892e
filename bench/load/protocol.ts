import { withOpened } from './connection.ts';

/** A call of a tool, with the result that a server must return. */
export interface Call {
  tool: string;
  input: object;
  /** The expected text and reward. */
  text: string;
  reward: number | null;
}

/** The only call of an episode, and the small call of the benchmarks. */
export const submit: Call = { tool: 'submit', input: { answer: '4' }, text: 'Correct!', reward: 1 };

/** Task of an episode. Default: the first one. */
export interface TaskSelector {
  index?: number;
}

/** The complete response to a call, as text: the payloads of the benchmarks are ASCII. */
export interface CallResponse {
  body: string;
}

/** A call that is repeated in one session, so that formatting and checking it costs almost nothing. */
export interface PreparedCall {
  /** Calls the tool. A session has at most one running call. */
  send(): Promise<CallResponse>;
  /**
   * Checks the last response.
   *
   * @throws UnexpectedResponseError
   */
  check(response: CallResponse): void;
}

/** Figures of a call that was held open for seconds. */
export interface HeldCall {
  /** Milliseconds until the event that announces the call; undefined if the protocol has none. */
  firstEventMs: number | undefined;
  /** Signs of life that the server sent before the result. */
  heartbeats: number;
}

/** A session with an episode of the environment of the benchmarks. */
export interface ProtocolSession {
  /** Requests what an agent sees first: the prompt or, if the protocol has none, the tools. Checks the response. */
  readTask(): Promise<void>;
  prepare(call: Call): PreparedCall;
  /** Makes a long call, on a separate connection if the protocol allows that, and checks the result. */
  hold(call: Call): Promise<HeldCall>;
  /** Deletes the session, and waits for the confirmation. */
  close(): Promise<void>;
}

/** A client of a server, with at most one pending request and any number of held calls. */
export interface ProtocolClient {
  openSession(task?: TaskSelector): Promise<ProtocolSession>;
  /** Closes its connections. Sessions that are still open stay on the server, except those that are connections. */
  close(): void;
}

/** How the load generator speaks to a server. */
export interface Protocol {
  /** Name for messages. */
  readonly name: string;
  /** A session is a connection: it ends with its connection, and an idle session holds one. */
  readonly sessionIsConnection: boolean;
  connect(port: number): Promise<ProtocolClient>;
}

/** The part of a running server that its clients need. */
export interface ProtocolServer {
  readonly port: number;
  readonly protocol: Protocol;
}

/** Opens `count` clients, runs `work`, and closes them even if it fails. */
export const withClients = <T>(
  { port, protocol }: ProtocolServer,
  count: number,
  work: (clients: readonly ProtocolClient[]) => Promise<T>,
): Promise<T> => withOpened(count, () => protocol.connect(port), work);

/** Opens `count` sessions, as many at a time as there are clients. */
export async function openSessions(clients: readonly ProtocolClient[], count: number): Promise<ProtocolSession[]> {
  const sessions: ProtocolSession[] = [];
  let left = count;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) sessions.push(await client.openSession());
    }),
  );
  return sessions;
}

/** Plays a whole episode: opens a session, reads its task, calls the tool once, and deletes the session. */
export async function playEpisode(client: ProtocolClient, task?: TaskSelector): Promise<void> {
  const session = await client.openSession(task);
  await session.readTask();
  const call = session.prepare(submit);
  call.check(await call.send());
  await session.close();
}

/** Plays `count` episodes over some clients: a warm-up by amount of work instead of time. */
export async function playEpisodes(clients: readonly ProtocolClient[], count: number): Promise<void> {
  let left = count;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) await playEpisode(client);
    }),
  );
}

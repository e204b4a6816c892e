import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Position in the response to a call at which the connection breaks. */
export type Fault = keyof typeof moments;

/**
 * How many bytes of an answer pass before the connection breaks; undefined as long as the moment has not come.
 * Answers are read as Latin-1, one character per byte.
 */
type Moment = (answer: string) => number | undefined;

const moments = {
  'before-answer': () => 0,
  'after-task-id': (answer: string) => endOf(/^event: ?task_id\r?\ndata:[^\n]*\n\r?\n/m, answer),
  'in-chunk': (answer: string) => endOf(/^event: ?chunk\r?\ndata:[^\n]{1000}/m, answer),
  'in-heartbeat': (answer: string) => endOf(/^:/m, answer),
} satisfies Record<string, Moment>;

export const faults = Object.keys(moments) as readonly Fault[];

export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** The keys whose connection was broken, in order; for a key of a number of bytes, `<key>#<number>`. */
  readonly broken: readonly string[];
  /** How many bytes the answer to a call has had so far, headers and all, if its connection did not break. */
  lengthOf(key: string): number | undefined;
}

/**
 * Starts a TCP relay to a server that resets a connection in the middle of a call.
 *
 * A call asks for it by a property `"key": "<fault>:<anything>"` in its input, or `"key": "byte-<n>:<anything>"` for a
 * break after n bytes, of the answer that comes next after n more if there is a list of numbers. Each of these breaks
 * one connection; when the client comes back after the last, its answer passes.
 */
export async function startRelay(serverUrl: string): Promise<Relay> {
  const journal: Journal = { broken: new Set(), lengths: new Map() };
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(Number(new URL(serverUrl).port), new URL(serverUrl).hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      // Small pieces pass at once, as they do without a relay.
      socket.setNoDelay(true);
      // The end of either socket ends the other one, whatever the reason.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    join(client, server, journal);
  });

  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  // An internet socket's address is never the path that the type also allows.
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get broken() {
      return [...journal.broken];
    },
    lengthOf: (key) => journal.lengths.get(key),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** Broken responses, by key. */
type Journal = { readonly broken: Set<string>; readonly lengths: Map<string, number> };

function join(client: Socket, server: Socket, { broken, lengths }: Journal): void {
  let request = '';
  let answer = '';
  let pending: Pending | undefined;

  client.on('data', (bytes) => {
    request = (request + bytes.toString('latin1')).slice(-10_000);
    const asked = findFaults(request);
    if (asked.length > 0) {
      // A connection carries one request after the other, so the next bytes that come back answer this one.
      [request, answer] = ['', ''];
      pending = asked.find(({ name }) => !broken.has(name));
    }
    server.write(bytes);
  });
  server.on('data', (bytes) => {
    const passed = answer.length;
    if (pending) answer += bytes.toString('latin1');
    const end = pending?.moment(answer);
    if (!pending || end === undefined) {
      if (pending) lengths.set(pending.key, answer.length);
      client.write(bytes);
      return;
    }
    broken.add(pending.name);
    server.pause();
    const reset = () => {
      client.resetAndDestroy();
      server.resetAndDestroy();
    };
    // After this process was blocked, a client in it also has to read before the reset.
    client.write(bytes.subarray(0, end - passed), () => setTimeout(() => setImmediate(reset), pending?.graceMs));
  });
}

/** `name`: as in Relay.broken; `graceMs`: time for the client to read the last bytes before the reset. */
type Pending = { readonly key: string; readonly name: string; readonly moment: Moment; readonly graceMs: number };

function findFaults(request: string): Pending[] {
  const [, key, word, counts] = /"key": ?"(([a-z]+(?:-[a-z]+)*|byte-(\d+(?:,\d+)*)):[^"]*)"/.exec(request) ?? [];
  if (key === undefined) return [];
  if (counts !== undefined) {
    return counts
      .split(',')
      .map((count) => ({ key, name: `${key}#${count}`, moment: afterBytes(Number(count)), graceMs: 5 }));
  }
  const fault = faults.find((known) => known === word);
  return fault ? [{ key, name: key, moment: moments[fault], graceMs: 1_000 }] : [];
}

const afterBytes =
  (count: number): Moment =>
  (answer) =>
    answer.length < count ? undefined : count;

function endOf(pattern: RegExp, answer: string): number | undefined {
  const match = pattern.exec(answer);
  return match ? match.index + match[0].length : undefined;
}

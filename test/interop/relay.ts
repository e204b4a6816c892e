import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where in the answer to a call the connection breaks. */
export type Fault = keyof typeof moments;

/**
 * How many bytes of an answer pass before the connection breaks; undefined as long as the moment has not come.
 * Answers are read as Latin-1, one character per byte.
 */
const moments = {
  'before-answer': () => 0,
  'after-task-id': (answer: string) => endOf(/^event: ?task_id\r?\ndata:[^\n]*\n\r?\n/m, answer),
  'in-chunk': (answer: string) => endOf(/^event: ?chunk\r?\ndata:[^\n]{1000}/m, answer),
  'in-heartbeat': (answer: string) => endOf(/^:/m, answer),
} satisfies Record<string, (answer: string) => number | undefined>;

export const faults = Object.keys(moments) as readonly Fault[];

export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** The keys whose connection was broken, in order. */
  readonly broken: readonly string[];
}

/**
 * Starts a TCP relay to a server that resets a connection in the middle of a call.
 *
 * A call asks for it by a property `"key": "<fault>:<anything>"` in its input. Each key breaks one connection; when the
 * client comes back, its answer passes.
 */
export async function startRelay(serverUrl: string): Promise<Relay> {
  const broken: string[] = [];
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(Number(new URL(serverUrl).port), new URL(serverUrl).hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      // Whoever goes takes the other one along; why it went does not matter here.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    join(client, server, broken);
  });

  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  // An internet socket's address is never the path that the type also allows.
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    broken,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function join(client: Socket, server: Socket, broken: string[]): void {
  let request = '';
  let answer = '';
  let pending: Pending | undefined;

  client.on('data', (bytes) => {
    request = (request + bytes.toString('latin1')).slice(-10_000);
    const asked = findFault(request);
    if (asked) {
      // A connection carries one request after the other, so the next bytes that come back answer this one.
      [request, answer] = ['', ''];
      pending = broken.includes(asked.key) ? undefined : asked;
    }
    server.write(bytes);
  });
  server.on('data', (bytes) => {
    const passed = answer.length;
    if (pending) answer += bytes.toString('latin1');
    const end = pending && moments[pending.fault](answer);
    if (!pending || end === undefined) {
      client.write(bytes);
      return;
    }
    broken.push(pending.key);
    server.pause();
    // The client has time to read the last bytes before the reset reaches it.
    client.write(bytes.subarray(0, end - passed), () => setTimeout(() => client.resetAndDestroy(), 100));
  });
}

type Pending = { key: string; fault: Fault };

function findFault(request: string): Pending | undefined {
  const [, key, name] = /"key": ?"(([a-z-]+):[^"]*)"/.exec(request) ?? [];
  const fault = faults.find((known) => known === name);
  return key !== undefined && fault ? { key, fault } : undefined;
}

function endOf(pattern: RegExp, answer: string): number | undefined {
  const match = pattern.exec(answer);
  return match ? match.index + match[0].length : undefined;
}

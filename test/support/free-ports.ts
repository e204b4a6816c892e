import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below what any system gives to servers that ask for port 0 and to connections: else one of those may be there first. */
const [FIRST, END] = [10_000, 32_000];

/** The first of so many ports of loopback that follow each other, on which nobody listens. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(FIRST, END);
    const attempts = await Promise.allSettled(Array.from({ length: count }, (_, index) => listen(first + index)));
    const servers = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    for (const server of servers) server.close();
    await Promise.all(servers.map((server) => once(server, 'close')));
    if (servers.length === count) return first;
  }
}

/** A port of loopback on which nobody listens. */
export const freePort = (): Promise<number> => freePorts(1);

export async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

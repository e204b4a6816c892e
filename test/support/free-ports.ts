import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Ports below the range that systems assign to port 0 and to connections, which could take them first. */
const [FIRST, END] = [10_000, 32_000];

/** Returns the first of `count` consecutive free ports of the loopback. */
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

/** Returns a free port of the loopback. */
export const freePort = (): Promise<number> => freePorts(1);

export async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load/connection.ts';
import type { Reply } from '../load/reply-parser.ts';

const everyMs = 20;

/**
 * Sends a request every 20 ms, whether or not those before it have been answered, and returns how long each answer took
 * in milliseconds. A server that answers nothing for a while so delays all that come meanwhile, and not only one.
 */
export async function paced(
  port: number,
  seconds: number,
  request: string,
  check: (reply: Reply) => void,
): Promise<Float64Array> {
  const all: Connection[] = [];
  const free: Connection[] = [];
  const open = async () => {
    const connection = await Connection.open(port);
    all.push(connection);
    return connection;
  };
  const from = performance.now();
  const ask = async (index: number) => {
    await sleep(Math.max(0, from + index * everyMs - performance.now()));
    const sentAt = performance.now();
    const connection = free.pop() ?? (await open());
    const reply = await connection.send(request);
    const delay = performance.now() - sentAt;
    free.push(connection);
    check(reply);
    return delay;
  };
  try {
    return Float64Array.from(await Promise.all(Array.from({ length: (seconds * 1000) / everyMs }, (_, n) => ask(n))));
  } finally {
    for (const connection of all) connection.close();
  }
}

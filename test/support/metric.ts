import { request } from './client.ts';

/** Resolves when a metric of the server, with its labels, has this value; the test's own time limit is the bound. */
export async function untilMetric(server: { url: string }, name: string, value: number): Promise<void> {
  while (!`${(await request(server, 'GET', '/metrics')).body}`.includes(`\n${name} ${value}\n`)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Resolves when so many wait in a queue of the server. */
export const waiting = (server: { url: string }, queue: 'call' | 'setup' | 'session', count: number): Promise<void> =>
  untilMetric(server, `ors_queue_length{queue="${queue}"}`, count);

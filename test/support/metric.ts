import { request } from './client.ts';
import { until } from './until.ts';

/** Waits until a metric of the server, with its labels, has this value. */
export async function untilMetric(server: { url: string }, name: string, value: number): Promise<void> {
  const line = `\n${name} ${value}\n`;
  await until(async () => `${(await request(server, 'GET', '/metrics')).body}`.includes(line), `${name} ${value}`);
}

/** Waits until a queue of the server has this length. */
export const waiting = (server: { url: string }, queue: 'call' | 'setup' | 'session', count: number): Promise<void> =>
  untilMetric(server, `ors_queue_length{queue="${queue}"}`, count);

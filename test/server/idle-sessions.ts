/** Prints the bytes of heap per idle session, in a process without remains of other suites. */
import { randomUUID } from 'node:crypto';
import { defineEnvironment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { growth } from '../support/heap.ts';
import { pipeline } from '../support/http.ts';
import { validRequest } from '../support/operations.ts';

const AT_ONCE = 50;
const SESSIONS = 1_000;

const patient = defineEnvironment({
  name: 'patient',
  splits: { test: [{}] },
  setup: () => ({ turns: 0 }),
  prompt: () => 'Wait.',
  tools: { wait: { description: 'Waits.', run: () => ({ text: 'Waited.' }) } },
});

const server = await serve([patient], { port: 0 });
const statuses = new Set<number>();

async function open(): Promise<void> {
  for (let left = SESSIONS; left > 0; left -= AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, () =>
      validRequest('createEpisode', randomUUID(), { body: '{"split":"test","index":0}' }),
    );
    for (const { status } of await pipeline(server.url, requests)) statuses.add(status);
  }
}

await open();
const bytes = (await growth(open)) / SESSIONS;
process.stdout.write(JSON.stringify({ bytes, statuses: [...statuses], sessions: server.sessionCount }));
await server.close();

import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { firstResponse } from './http-answers.ts';

const HALF_OPEN = 200;

/** Clients that hold on to what they were given. */
export const hostileLoadChecks: readonly ConformanceCheck[] = [
  {
    id: 'hostile/slow-senders',
    title: `While ${HALF_OPEN} requests are half sent, /health answers`,
    requirement: 'ORS-DISC-001',
    profile: 'hostile',
    exclusive: true,
    async run(probe) {
      const health = probe.textOf('GET', '/health');
      const headers = [
        ['Content-Type', 'application/json'],
        ['Content-Length', '1000'],
      ] as const;
      const create = probe.textOf('POST', '/create_session', { headers, body: '{' });
      for (let count = 0; count < HALF_OPEN; count++) {
        probe.openRaw(count % 2 === 0 ? health.slice(0, -2) : create, count < 2);
      }
      const response = await firstResponse(probe.openRaw(health), probe.timeoutMs);
      assertConforms(
        response?.status === 200,
        `beside ${HALF_OPEN} slow senders /health got ${response?.status ?? 'no answer'}`,
      );
    },
  },
  {
    id: 'hostile/stuck-readers',
    title: 'A session of which three readers never read their 6 MB can be deleted',
    requirement: 'ORS-SESS-025',
    profile: 'hostile',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 3 },
    exclusive: true,
    async run(probe) {
      const episode = await probe.episode();
      const input = { characters: 6_000_000, pattern: 'ascii' };
      // They outlast the wait for /delete.
      const timeoutMs = 3 * probe.timeoutMs;
      const calls = Array.from({ length: 3 }, () => episode.start('big', input, { timeoutMs }));
      for (const call of calls) call.pause();
      for (const call of calls) await call.head();
      const areStreams = calls.every(({ exchange }) => exchange.status === 200);
      const response = await episode.delete();
      for (const call of calls) call.abort();
      assume(areStreams, 'not all of three calls were answered with streams');
      assertConforms(response.isSuccess, `/delete of a session with readers that never read gave ${response.summary}`);
    },
  },
];

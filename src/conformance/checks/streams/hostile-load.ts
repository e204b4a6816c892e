import type { Check } from '../../check.ts';
import { ensure, given } from '../../verdict.ts';
import { answerOn } from './http-answers.ts';

const HALF_OPEN = 200;

/** Clients that hold on to what they were given. */
export const hostileLoadChecks: readonly Check[] = [
  {
    id: 'hostile/slow-senders',
    title: `While ${HALF_OPEN} requests are half sent, /health answers`,
    requirement: 'ORS-DISC-001',
    profile: 'hostile',
    alone: true,
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
      const answer = await answerOn(probe.openRaw(health), probe.timeoutMs);
      ensure(answer?.status === 200, `beside ${HALF_OPEN} slow senders /health got ${answer?.status ?? 'no answer'}`);
    },
  },
  {
    id: 'hostile/stuck-readers',
    title: 'A session of which three readers never read their 6 MB can be deleted',
    requirement: 'ORS-SESS-025',
    profile: 'hostile',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 3 },
    alone: true,
    async run(probe) {
      const episode = await probe.episode();
      const input = { characters: 6_000_000, pattern: 'ascii' };
      // They outlast the wait for /delete.
      const timeoutMs = 3 * probe.timeoutMs;
      const calls = Array.from({ length: 3 }, () => episode.start('big', input, { timeoutMs }));
      for (const call of calls) call.pause();
      for (const call of calls) await call.head();
      const areStreams = calls.every(({ exchange }) => exchange.status === 200);
      const answer = await episode.delete();
      for (const call of calls) call.abort();
      given(areStreams, 'not all of three calls were answered with streams');
      ensure(answer.isSuccess, `/delete of a session with readers that never read gave ${answer.summary}`);
    },
  },
];

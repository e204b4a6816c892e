import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { bigText, describeTextDifference } from './big-text.ts';
import { outputTextOrUndefined } from './stream-answers.ts';

/** More than the buffers of a connection take. */
const LARGE = 5_000_000;
const LARGER = 6_000_000;
const ANSWER_MS = 10_000;

/** Readers that stop reading while a large result comes. */
export const slowReaderChecks: readonly ConformanceCheck[] = [
  {
    id: 'sse/slow-reader',
    title: 'A reader that pauses for longer than a heartbeat in the middle of 5 MB still receives them exactly',
    requirement: 'ORS-SSE-004',
    profile: 'full',
    needs: ['fixture:big'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const stopMs = probe.times.heartbeatMs * 1.5 + 1_000;
      const input = { characters: LARGE, pattern: 'ascii' };
      const episode = await probe.episode();
      using call = episode.start('big', input, { timeoutMs: stopMs + 2 * probe.timeoutMs });
      call.pause();
      await call.head();
      await probe.pause(stopMs);
      call.resume();
      const response = await call.end();
      assume(response.failure === undefined, `the call failed: ${response.failure}`);
      assume(call.exchange.failure === undefined, `the stream broke off: ${call.exchange.failure}`);
      const [text, requested] = [outputTextOrUndefined(response), bigText(LARGE, 'ascii')];
      assertConforms(text !== undefined, `the joined data of ${response.events.length} events is no result`);
      assertConforms(text === requested, `the reader got ${describeTextDifference(text, requested)}`);
    },
  },
  {
    id: 'sse/stalled-reader',
    title: 'While a reader does not read its 6 MB, other sessions are answered',
    requirement: 'ORS-CALL-018',
    profile: 'full',
    needs: ['fixture:big', 'fixture:echo'],
    cost: { sessions: 2, calls: 2 },
    exclusive: true,
    async run(probe) {
      const [episode, other] = await Promise.all([probe.episode(), probe.episode()]);
      using call = episode.start('big', { characters: LARGER, pattern: 'ascii' });
      call.pause();
      await call.head();
      assume(call.exchange.status === 200, 'the large call was not answered with a stream');
      const response = await other.start('echo', { text: 'here' }, { timeoutMs: ANSWER_MS }).end();
      assertConforms(
        outputTextOrUndefined(response) === 'here',
        `beside a reader that does not read, a call of another session got ${response.summary}`,
      );
    },
  },
];

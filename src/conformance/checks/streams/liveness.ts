import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { tryParseJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { PendingExchange, Probe, ProbeResponse } from '../../probe/index.ts';
import { bigText, describeEvents, describeTextDifference } from '../responses.ts';

/** Tolerance for late timers on a busy machine. */
const GRACE_MS = 5_000;
/** Duration of a tool whose stream must begin before its end. */
const LONG_MS = 20_000;
/** Chunks that arrive within this time count as one arrival. */
const AT_ONCE_MS = 100;
/** Larger than the buffers of a connection. */
const LARGE = 5_000_000;
const LARGER = 6_000_000;
const ANSWER_MS = 10_000;

export const livenessChecks = defineChecks({ profile: 'full' }, [
  fixtureCheck({
    id: 'sse/task-id-at-once',
    title: 'The task_id of a call that takes 20 seconds arrives within the first 10',
    requirement: 'ORS-SSE-005',
    tools: ['sleep'],
    async play(episode) {
      using call = episode.start('sleep', { ms: LONG_MS });
      const taskId = await call.event('task_id');
      assume(taskId, 'the stream has no task_id');
      const afterMs = Math.round(taskId.at - call.exchange.sentAt);
      const what = `task_id arrived ${afterMs} ms after the request`;
      assertConforms(afterMs < LONG_MS / 2, `${what}, and the tool ran for ${LONG_MS} ms`);
    },
  }),
  fixtureCheck({
    id: 'sse/streamed-with-gzip',
    title: 'A client that accepts gzip also receives the start of a stream before the tool ends',
    requirement: 'ORS-SSE-005',
    tools: ['sleep'],
    async play(episode) {
      const headers = [['Accept-Encoding', 'gzip, deflate, br']] as const;
      using call = episode.start('sleep', { ms: LONG_MS }, { headers });
      const isRead = await call.waitUntil(() => decodedBody(call) !== '', LONG_MS / 2);
      assume(!call.hasEnded, 'the call ended immediately');
      assertConforms(isRead, `nothing of the stream could be read ${LONG_MS / 2} ms after the request`);
    },
  }),
  fixtureCheck({
    id: 'sse/heartbeat',
    title: 'While a tool is silent, the stream sends heartbeats',
    requirement: 'ORS-SSE-003',
    tools: ['sleep'],
    async play(episode, probe) {
      const limitMs = probe.times.heartbeatMs + GRACE_MS;
      const longMs = 3 * limitMs;
      using call = episode.start('sleep', { ms: longMs }, { timeoutMs: longMs + probe.timeoutMs });
      await assertHeartbeats(call, 3, limitMs, 'the tool ran');
    },
  }),
  fixtureCheck({
    id: 'sse/heartbeat-during-setup',
    title: 'While a call waits for setup, the stream sends heartbeats',
    requirement: 'ORS-SSE-006',
    tools: ['echo'],
    async run(probe) {
      const limitMs = probe.times.heartbeatMs + GRACE_MS;
      const longMs = 2 * limitMs;
      const episode = await probe.episode({ task: { setup_ms: longMs } });
      using call = episode.start('echo', { text: 'ready' }, { timeoutMs: longMs + probe.timeoutMs });
      await assertHeartbeats(call, 2, limitMs, 'setup ran');
    },
  }),
  fixtureCheck({
    id: 'sse/heartbeats-are-comments',
    title: 'Heartbeats are comments, and do not change the result',
    requirement: 'ORS-SSE-004',
    tools: ['sleep'],
    async play(episode, probe) {
      const ms = Math.round(probe.times.heartbeatMs * 1.2) + 1_000;
      const response = await episode.call('sleep', { ms }, { timeoutMs: ms + probe.timeoutMs });
      assume(response.failure === undefined, `the call failed: ${response.failure}`);
      const { comments } = response.stream;
      const between = response.events.slice(1).filter(({ at }) => at < (response.events.at(-1)?.at ?? 0) - AT_ONCE_MS);
      assumeApplicable(between.length + comments.length > 0, `nothing arrived during ${ms} ms of silence`);
      const stream = describeEvents(response);
      assertConforms(between.length === 0, `a tool that was silent for ${ms} ms had the stream ${stream}`);
      assertConforms(response.outputText === 'slept', `with heartbeats between its events the stream is ${stream}`);
    },
  }),
  fixtureCheck({
    id: 'sse/stays-open',
    title: 'A call that takes two and a half times the linger time completes on one connection',
    requirement: 'ORS-SSE-013',
    profile: 'soak',
    tools: ['sleep'],
    async play(episode, probe) {
      const ms = probe.times.lingerMs * 2.5;
      const call = episode.start('sleep', { ms }, { timeoutMs: ms + probe.timeoutMs });
      while (!call.hasEnded) {
        await call.waitUntil(() => false, probe.times.lingerMs / 2);
        await episode.ping();
      }
      const response = await call.end();
      assume(response.status === 0 || response.isSuccess, `the call returned ${response.summary}`);
      const { endedAt = 0, sentAt, failure = describeEvents(response) } = call.exchange;
      const ended = `the stream ended after ${Math.round(endedAt - sentAt)} ms, with ${failure}`;
      assertConforms(response.outputText === 'slept', `a call of ${ms} ms: ${ended}`);
    },
  }),
  fixtureCheck({
    id: 'sse/slow-reader',
    title: 'A reader that pauses in the middle of 5 MB for longer than a heartbeat receives them exactly',
    requirement: 'ORS-SSE-004',
    tools: ['big'],
    async play(episode, probe) {
      const stopMs = probe.times.heartbeatMs * 1.5 + 1_000;
      const input = { characters: LARGE, pattern: 'ascii' };
      using call = episode.start('big', input, { timeoutMs: stopMs + 2 * probe.timeoutMs });
      call.pause();
      await call.head();
      await probe.pause(stopMs);
      call.resume();
      const response = await call.end();
      assume(response.failure === undefined, `the call failed: ${response.failure}`);
      assume(call.exchange.failure === undefined, `the stream broke off: ${call.exchange.failure}`);
      const { outputText: text } = response;
      const expected = bigText(LARGE, 'ascii');
      assertConforms(text !== undefined, `the joined data of ${response.events.length} events is not a result`);
      assertConforms(text === expected, `the reader received ${describeTextDifference(text, expected)}`);
    },
  }),
  fixtureCheck({
    id: 'sse/stalled-reader',
    title: 'While a reader does not read its 6 MB, other sessions get responses',
    requirement: 'ORS-CALL-018',
    tools: ['big', 'echo'],
    sessions: 2,
    calls: 2,
    exclusive: true,
    async run(probe) {
      const [episode, other] = await Promise.all([probe.episode(), probe.episode()]);
      using call = episode.start('big', { characters: LARGER, pattern: 'ascii' });
      call.pause();
      await call.head();
      assume(call.exchange.status === 200, 'the large call returned no stream');
      const response = await other.start('echo', { text: 'here' }, { timeoutMs: ANSWER_MS }).end();
      const what = 'while a reader does not read, a call of another session';
      assertConforms(response.outputText === 'here', `${what} got ${response.summary}`);
    },
  }),
  fixtureCheck({
    id: 'sse/nothing-after-error',
    title: 'No end event follows an error event',
    requirement: 'ORS-SSE-009',
    tools: ['crash'],
    async run(probe) {
      const response = await callCrash(probe);
      const names = response.events.map(({ event }) => event);
      const isLast = !names.slice(names.indexOf('error')).includes('end');
      assertConforms(isLast, `the stream of a crash is ${describeEvents(response)}`);
    },
  }),
  fixtureCheck({
    id: 'sse/error-is-text',
    title: 'The data of an error event is text, not JSON',
    requirement: 'ORS-SSE-010',
    tools: ['crash'],
    async run(probe) {
      const { streamError = '' } = await callCrash(probe);
      const isJson = /^\s*[[{"]/.test(streamError) && tryParseJson(streamError) !== undefined;
      assertConforms(!isJson, `the data of error is the JSON ${streamError}`);
    },
  }),
  fixtureCheck({
    id: 'sse/task-id-before-error',
    title: 'An error event comes after task_id',
    requirement: 'ORS-SSE-011',
    tools: ['crash'],
    async run(probe) {
      const response = await callCrash(probe);
      const names = response.events.map(({ event }) => event);
      const isAfter = names.slice(0, names.indexOf('error')).includes('task_id');
      assertConforms(isAfter, `the stream of a crash is ${describeEvents(response)}`);
    },
  }),
]);

/** Asserts that bytes arrive `count` times, each within the limit. */
async function assertHeartbeats(call: PendingExchange, count: number, limitMs: number, phase: string): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const hasArrived = await call.waitUntil(() => countArrivals(call) >= number, limitMs);
    assume(hasArrived || !call.hasEnded, `the call ended while ${phase}`);
    const silence = `nothing arrived for ${limitMs / 1_000} s while ${phase}`;
    assertConforms(hasArrived, `${silence}, after ${countArrivals(call)} arrivals`);
  }
}

/** Returns the number of distinct times at which bytes arrived. */
function countArrivals({ exchange: { chunks } }: PendingExchange): number {
  return chunks.filter(({ at }, index) => at - (chunks[index - 1]?.at ?? -Infinity) > AT_ONCE_MS).length;
}

/** Returns the body so far, decoded according to Content-Encoding. */
function decodedBody({ exchange }: PendingExchange): string {
  const bytes = Buffer.concat(exchange.chunks.map((chunk) => chunk.bytes));
  const coding = exchange.responseHeaders.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1].trim();
  try {
    if (coding === 'br') return String(brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }));
    if (coding === 'gzip' || coding === 'deflate')
      return String(unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    // The first bytes have not arrived yet.
    return '';
  }
  return String(bytes);
}

/** Calls a tool that crashes. @throws NotApplicableError if the server reports it without an error event */
async function callCrash(probe: Probe): Promise<ProbeResponse> {
  const response = await (await probe.episode()).call('crash');
  const isError = response.streamError !== undefined;
  assumeApplicable(isError, `a crash is reported without an error event: ${response.summary}`);
  return response;
}

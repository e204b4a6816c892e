import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { tryParseJson } from '../../../core/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../assertions.ts';
import { type ConformanceCheck, fixtureCheck } from '../../check.ts';
import type { PendingExchange, Probe, ProbeResponse } from '../../probe/index.ts';
import { bigText, describeEvents, describeTextDifference, outputTextOrUndefined } from '../responses.ts';

/** A late timer or a busy machine is no silence. */
const GRACE_MS = 5_000;
/** A tool that runs so long has a stream that can be seen to begin before it ends. */
const LONG_MS = 20_000;
/** What arrives closer together than this arrived at once. */
const AT_ONCE_MS = 100;
/** More than the buffers of a connection take. */
const LARGE = 5_000_000;
const LARGER = 6_000_000;
const ANSWER_MS = 10_000;

export const livenessChecks: readonly ConformanceCheck[] = [
  fixtureCheck({
    id: 'sse/task-id-at-once',
    title: 'The task_id of a call that takes 20 seconds arrives within the first 10',
    requirement: 'ORS-SSE-005',
    tools: ['sleep'],
    async run(probe) {
      using call = (await probe.episode()).start('sleep', { ms: LONG_MS });
      const taskId = await call.event('task_id');
      assume(taskId, 'the stream names no task_id');
      const afterMs = Math.round(taskId.at - call.exchange.sentAt);
      assertConforms(
        afterMs < LONG_MS / 2,
        `task_id came ${afterMs} ms after the request, the tool took ${LONG_MS} ms`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/streamed-with-gzip',
    title: 'A client that accepts gzip also receives the start of a stream before the tool ends',
    requirement: 'ORS-SSE-005',
    tools: ['sleep'],
    async run(probe) {
      const headers = [['Accept-Encoding', 'gzip, deflate, br']] as const;
      using call = (await probe.episode()).start('sleep', { ms: LONG_MS }, { headers });
      const isRead = await call.waitUntil(() => decoded(call) !== '', LONG_MS / 2);
      assume(!call.hasEnded, 'the call ended at once');
      assertConforms(isRead, `nothing of the stream could be read ${LONG_MS / 2} ms after the request`);
    },
  }),
  fixtureCheck({
    id: 'sse/heartbeat',
    title: 'While a tool is silent, the stream sends heartbeats',
    requirement: 'ORS-SSE-003',
    tools: ['sleep'],
    async run(probe) {
      const limitMs = probe.times.heartbeatMs + GRACE_MS;
      const longMs = 3 * limitMs;
      const episode = await probe.episode();
      using call = episode.start('sleep', { ms: longMs }, { timeoutMs: longMs + probe.timeoutMs });
      await beats(call, 3, limitMs, 'the tool ran');
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
      await beats(call, 2, limitMs, 'setup ran');
    },
  }),
  fixtureCheck({
    id: 'sse/heartbeats-are-comments',
    title: 'Heartbeats are comments, and do not change the result',
    requirement: 'ORS-SSE-004',
    tools: ['sleep'],
    async run(probe) {
      const ms = Math.round(probe.times.heartbeatMs * 1.2) + 1_000;
      const response = await (await probe.episode()).call('sleep', { ms }, { timeoutMs: ms + probe.timeoutMs });
      assume(response.failure === undefined, `the call failed: ${response.failure}`);
      const { comments } = response.stream;
      const between = response.events.slice(1).filter(({ at }) => at < (response.events.at(-1)?.at ?? 0) - AT_ONCE_MS);
      assumeApplicable(between.length + comments.length > 0, `nothing came within ${ms} ms of silence`);
      assertConforms(
        between.length === 0,
        `a tool that was silent for ${ms} ms had the stream ${describeEvents(response)}`,
      );
      assertConforms(
        outputTextOrUndefined(response) === 'slept',
        `with heartbeats between its events the stream is ${describeEvents(response)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/stays-open',
    title: 'A call that takes two and a half times the linger time completes on one connection',
    requirement: 'ORS-SSE-013',
    profile: 'soak',
    tools: ['sleep'],
    async run(probe) {
      const ms = probe.times.lingerMs * 2.5;
      const episode = await probe.episode();
      const call = episode.start('sleep', { ms }, { timeoutMs: ms + probe.timeoutMs });
      while (!call.hasEnded) {
        await call.waitUntil(() => false, probe.times.lingerMs / 2);
        await episode.ping();
      }
      const response = await call.end();
      assume(response.status === 0 || response.isSuccess, `the call was answered with ${response.summary}`);
      const ended = `the stream was over after ${Math.round((call.exchange.endedAt ?? 0) - call.exchange.sentAt)} ms`;
      assertConforms(
        outputTextOrUndefined(response) === 'slept',
        `a call of ${ms} ms: ${ended}, with ${call.exchange.failure ?? describeEvents(response)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/slow-reader',
    title: 'A reader that pauses in the middle of 5 MB for longer than a heartbeat receives them exactly',
    requirement: 'ORS-SSE-004',
    tools: ['big'],
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
      assume(call.exchange.status === 200, 'the large call was not answered with a stream');
      const response = await other.start('echo', { text: 'here' }, { timeoutMs: ANSWER_MS }).end();
      assertConforms(
        outputTextOrUndefined(response) === 'here',
        `beside a reader that does not read, a call of another session got ${response.summary}`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/nothing-after-error',
    title: 'No end event follows an error event',
    requirement: 'ORS-SSE-009',
    tools: ['crash'],
    async run(probe) {
      const response = await crashed(probe);
      const names = response.events.map(({ event }) => event);
      assertConforms(
        !names.slice(names.indexOf('error')).includes('end'),
        `the stream of a crash is ${describeEvents(response)}`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/error-is-text',
    title: 'The data of an error event is text, not JSON',
    requirement: 'ORS-SSE-010',
    tools: ['crash'],
    async run(probe) {
      const { streamError = '' } = await crashed(probe);
      assertConforms(
        !/^\s*[[{"]/.test(streamError) || tryParseJson(streamError) === undefined,
        `the data of error is the JSON ${streamError}`,
      );
    },
  }),
  fixtureCheck({
    id: 'sse/task-id-before-error',
    title: 'An error event comes after task_id',
    requirement: 'ORS-SSE-011',
    tools: ['crash'],
    async run(probe) {
      const response = await crashed(probe);
      const names = response.events.map(({ event }) => event);
      assertConforms(
        names.slice(0, names.indexOf('error')).includes('task_id'),
        `the stream of a crash is ${describeEvents(response)}`,
      );
    },
  }),
];

/** Something must come so often, and never later than the limit. */
async function beats(call: PendingExchange, count: number, limitMs: number, meanwhile: string): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const came = await call.waitUntil(() => moments(call) >= number, limitMs);
    assume(came || !call.hasEnded, `the call was over while ${meanwhile}`);
    assertConforms(
      came,
      `nothing came for ${limitMs / 1_000} s while ${meanwhile}, after ${moments(call)} signs of life`,
    );
  }
}

/** At how many different moments something arrived. */
function moments({ exchange }: PendingExchange): number {
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  for (const { at } of exchange.chunks) {
    if (at - last > AT_ONCE_MS) count++;
    last = at;
  }
  return count;
}

/** What a reader that undoes Content-Encoding has of the body so far. */
function decoded({ exchange }: PendingExchange): string {
  const bytes = Buffer.concat(exchange.chunks.map((piece) => piece.bytes));
  const coding = exchange.responseHeaders.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1].trim();
  try {
    if (coding === 'br') return String(brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }));
    if (coding === 'gzip' || coding === 'deflate')
      return String(unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    // Not even its first bytes are there.
    return '';
  }
  return String(bytes);
}

/** The stream of a tool that crashed, if the server says so by an error event. */
async function crashed(probe: Probe): Promise<ProbeResponse> {
  const response = await (await probe.episode()).call('crash');
  assumeApplicable(response.streamError !== undefined, `a crash is told without an error event: ${response.summary}`);
  return response;
}

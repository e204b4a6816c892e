import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import type { ConformanceCheck } from '../../check.ts';
import type { PendingExchange } from '../../probe/index.ts';
import { assertConforms, assume, assumeApplicable } from '../../verdict.ts';
import { describeEvents, outputTextOrUndefined } from './stream-answers.ts';

/** A late timer or a busy machine is no silence. */
const GRACE_MS = 5_000;
/** A tool that runs so long has a stream that can be seen to begin before it ends. */
const LONG_MS = 20_000;
/** What arrives closer together than this arrived at once. */
const AT_ONCE_MS = 100;

/** What a stream does while there is nothing to tell. */
export const livenessChecks: readonly ConformanceCheck[] = [
  {
    id: 'sse/task-id-at-once',
    title: 'The task_id of a call that takes 20 seconds comes in the first half of them',
    requirement: 'ORS-SSE-005',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
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
  },
  {
    id: 'sse/streamed-with-gzip',
    title: 'A client that accepts gzip also receives the start of a stream before the tool ends',
    requirement: 'ORS-SSE-005',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const headers = [['Accept-Encoding', 'gzip, deflate, br']] as const;
      using call = (await probe.episode()).start('sleep', { ms: LONG_MS }, { headers });
      const isRead = await call.waitUntil(() => decoded(call) !== '', LONG_MS / 2);
      assume(!call.hasEnded, 'the call ended at once');
      assertConforms(isRead, `nothing of the stream could be read ${LONG_MS / 2} ms after the request`);
    },
  },
  {
    id: 'sse/heartbeat',
    title: 'While a tool is silent, the stream sends heartbeats',
    requirement: 'ORS-SSE-003',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const limitMs = probe.times.heartbeatMs + GRACE_MS;
      const longMs = 3 * limitMs;
      const episode = await probe.episode();
      using call = episode.start('sleep', { ms: longMs }, { timeoutMs: longMs + probe.timeoutMs });
      await beats(call, 3, limitMs, 'the tool ran');
    },
  },
  {
    id: 'sse/heartbeat-during-setup',
    title: 'While a call waits for setup, the stream sends heartbeats',
    requirement: 'ORS-SSE-006',
    profile: 'full',
    needs: ['fixture:echo'],
    cost: { sessions: 1, calls: 1 },
    async run(probe) {
      const limitMs = probe.times.heartbeatMs + GRACE_MS;
      const longMs = 2 * limitMs;
      const episode = await probe.episode({ task: { setup_ms: longMs } });
      using call = episode.start('echo', { text: 'ready' }, { timeoutMs: longMs + probe.timeoutMs });
      await beats(call, 2, limitMs, 'setup ran');
    },
  },
  {
    id: 'sse/heartbeats-are-comments',
    title: 'Heartbeats are comments, and do not change the result',
    requirement: 'ORS-SSE-004',
    profile: 'full',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
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
  },
  {
    id: 'sse/stays-open',
    title: 'A call that takes two and a half times as long as results are kept is answered on one connection',
    requirement: 'ORS-SSE-013',
    profile: 'soak',
    needs: ['fixture:sleep'],
    cost: { sessions: 1, calls: 1 },
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
  },
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

import type { Mutant } from '../mutant.ts';
import { changedFrames, type Wire } from '../wire.ts';
import { callFrames, eventOf, frameOf } from './frames.ts';

export const livenessMutants: readonly Mutant[] = [
  {
    name: 'task_id is sent when the tool ends',
    caughtBy: ['sse/task-id-at-once'],
    wire: () => ({
      frames: callFrames(async function* (frames) {
        let held = '';
        for await (const frame of frames) {
          if (eventOf(frame)?.event === 'task_id') held = frame;
          else {
            yield eventOf(frame) ? held + frame : frame;
            if (eventOf(frame)) held = '';
          }
        }
      }),
    }),
  },
  {
    name: 'a stream is buffered until it ends',
    caughtBy: ['sse/task-id-at-once', 'sse/streamed-with-gzip', 'sse/heartbeat', 'sse/heartbeat-during-setup'],
    wire: () => ({
      frames: callFrames(async function* (frames) {
        const all: string[] = [];
        for await (const frame of frames) all.push(frame);
        yield all.join('');
      }),
    }),
  },
  {
    name: 'a client that accepts gzip gets a stream that is buffered until it ends',
    caughtBy: ['sse/streamed-with-gzip'],
    wire: () => ({
      async *frames(frames, { headers }) {
        if (headers['accept-encoding'] === undefined) return yield* frames;
        const all: string[] = [];
        for await (const frame of frames) all.push(frame);
        yield all.join('');
      },
    }),
  },
  {
    name: 'there are no heartbeats',
    caughtBy: ['sse/heartbeat', 'sse/heartbeat-during-setup'],
    server: () => ({ settings: { heartbeatMs: 60_000 } }),
  },
  {
    name: 'a stream has only one heartbeat',
    caughtBy: ['sse/heartbeat'],
    wire: () => ({
      async *frames(frames) {
        let count = 0;
        for await (const frame of frames) if (!frame.startsWith(':') || ++count === 1) yield frame;
      },
    }),
  },
  {
    name: 'a call that waits for setup is silent until setup ends',
    caughtBy: ['sse/heartbeat-during-setup'],
    server: () => ({ settings: { setupAnswerMs: 60_000 } }),
  },
  {
    name: 'heartbeats are events',
    caughtBy: ['sse/heartbeats-are-comments'],
    wire: () => ({ frames: changedFrames((frame) => (frame.startsWith(':') ? frameOf('ping', '') : frame)) }),
  },
  {
    name: 'in a call of less than two seconds a heartbeat is inside the end event',
    caughtBy: ['sse/heartbeats-are-comments'],
    wire: () => ({
      frames: callFrames(async function* (frames, { body }) {
        let count = 0;
        for await (const frame of frames) {
          if (frame.startsWith(':') && /"ms":1[1-9]\d\d\b/.test(String(body))) count++;
          yield count > 0 ? frame.replace('event: end\n', 'event: end\n: ping\n\n') : frame;
        }
      }),
    }),
  },
  {
    name: 'a heartbeat is written into a result whose reader has stopped',
    caughtBy: ['sse/slow-reader'],
    wire: () => heartbeatsInto(1_500),
  },
  {
    name: 'a long result that is not read delays other sessions',
    caughtBy: ['sse/stalled-reader'],
    wire: oneAtATime,
  },
  {
    name: 'the stream of a call of more than three seconds ends after its second heartbeat',
    caughtBy: ['sse/stays-open'],
    wire: () => ({
      async *frames(frames, { body }) {
        let count = 0;
        const ms = Number(/"ms":(\d+)/.exec(String(body))?.[1] ?? 0);
        for await (const frame of frames) {
          if (ms > 3_000 && ms < 5_000 && frame.startsWith(':') && ++count === 2) return;
          yield frame;
        }
      },
    }),
  },
];

/** Sends a comment between the lines of an event, after the connection has been full for some time. */
const heartbeatsInto = (stoppedMs: number): Wire => ({
  async *frames(frames) {
    let isFull = false;
    for await (const frame of frames) {
      const wroteAt = performance.now();
      yield isFull && frame.startsWith('event: chunk') ? frame.replace('\n', '\n: ping\n\n') : frame;
      isFull = performance.now() - wroteAt > stoppedMs;
    }
  },
});

/** Delays all other results while a result of more than 5.5 MB is sent. */
function oneAtATime(): Wire {
  let turn = Promise.resolve();
  return {
    frames: callFrames(async function* (frames, { body }) {
      const isLong = Number(/"characters":(\d+)/.exec(String(body))?.[1] ?? 0) > 5_500_000;
      let done: () => void = () => undefined;
      try {
        for await (const frame of frames) {
          const { event } = eventOf(frame) ?? {};
          if (isLong && event === 'task_id') {
            turn = new Promise((resolve) => {
              done = resolve;
            });
          } else if (!isLong && event === 'end') await turn;
          yield frame;
        }
      } finally {
        done();
      }
    }),
  };
}

export const errorEventMutants: readonly Mutant[] = [
  {
    name: 'an end event follows an error event',
    caughtBy: ['sse/nothing-after-error', 'group/failure'],
    wire: () => ({
      frames: changedFrames((frame) => {
        const { event, data } = eventOf(frame) ?? {};
        return event === 'error' ? frame + frameOf('end', JSON.stringify({ ok: false, error: data })) : frame;
      }),
    }),
  },
  {
    name: 'the data of an error of one line is JSON with a detail',
    caughtBy: ['sse/error-is-text', 'resume/foreign-id'],
    wire: () => ({
      frames: changedFrames((frame) => {
        const { event, data } = eventOf(frame) ?? {};
        // Other checks would detect a text of several lines too.
        return event === 'error' && !data?.includes('\n') ? frameOf(event, JSON.stringify({ detail: data })) : frame;
      }),
    }),
  },
  {
    name: 'the stream of a tool that crashes begins with error',
    caughtBy: ['sse/task-id-before-error'],
    wire: () => ({
      frames: callFrames(async function* (frames, request) {
        if (!request.body.includes('"crash"')) return yield* frames;
        for await (const frame of frames) if (eventOf(frame)?.event !== 'task_id') yield frame;
      }),
    }),
  },
];

import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from '../mutant.ts';
import type { WireRequest } from '../wire.ts';
import { callOf, changedFramesOf, inputOf, isSample, jsonAnswer } from './of-calls.ts';

const isSampleOf = (request: WireRequest): boolean => isSample(callOf(request) ?? {});

/** The same, without the invalid inputs that are made of it. */
const isValidSample = (request: WireRequest): boolean =>
  isSampleOf(request) && Object.keys(inputOf(callOf(request))).length === 1;

export const eventMutants: readonly Mutant[] = [
  {
    name: 'a call is answered as text/plain',
    caughtBy: ['call/event-stream'],
    wire: () => ({
      head: (head, request) =>
        isSampleOf(request) ? { ...head, headers: { ...head.headers, 'content-type': 'text/plain' } } : head,
    }),
  },
  {
    name: 'a call is answered with 201',
    caughtBy: ['call/event-stream', 'episode/documented-flow'],
    wire: () => ({ head: (head, request) => (isSampleOf(request) ? { ...head, status: 201 } : head) }),
  },
  {
    name: 'the task_id event of a call comes after end',
    caughtBy: ['call/event-stream', 'call/one-terminal-event'],
    wire: () => ({
      frames: async function* (frames, request) {
        let held: string[] = [];
        for await (const frame of frames) {
          if (isSampleOf(request) && frame.startsWith('event: task_id')) held = [frame];
          else if (frame.startsWith('event: end')) yield* [frame, ...held];
          else yield* [...held.splice(0), frame];
        }
      },
    }),
  },
  {
    name: 'the task_id of a call is empty',
    caughtBy: ['call/event-stream', 'resume/chosen-id'],
    wire: () => ({
      frames: changedFramesOf(isSample, (frame) =>
        frame.startsWith('event: task_id') ? 'event: task_id\ndata: \n\n' : frame,
      ),
    }),
  },
  {
    name: 'the end event of a call is followed by an error event',
    caughtBy: ['call/one-terminal-event'],
    wire: () => ({
      frames: changedFramesOf(isSample, (frame) =>
        frame.startsWith('event: end') ? `${frame}event: error\ndata: too late\n\n` : frame,
      ),
    }),
  },
  {
    name: 'the stream of a call closes without a terminal event',
    caughtBy: ['call/one-terminal-event', 'call/valid-inputs', 'episode/documented-flow'],
    wire: () => ({ frames: changedFramesOf(isSample, (frame) => (frame.includes('"ok":true') ? null : frame)) }),
  },
  {
    name: 'the connection of a call breaks after task_id',
    caughtBy: ['call/one-terminal-event', 'call/valid-inputs', 'episode/documented-flow'],
    wire: () => ({
      async *frames(frames, request) {
        for await (const frame of frames) {
          yield frame;
          if (!isValidSample(request)) continue;
          // What has just been written is sent before.
          await sleep(50);
          throw new Error('broken');
        }
      },
    }),
  },
  {
    name: 'a call never ends',
    caughtBy: ['call/one-terminal-event', 'episode/documented-flow'],
    wire: () => ({
      async *frames(frames, request) {
        for await (const frame of frames) if (!isValidSample(request) || !frame.startsWith('event: end')) yield frame;
        if (isValidSample(request)) await new Promise(() => undefined);
      },
    }),
  },
  {
    name: 'a call is not answered at all',
    caughtBy: ['call/event-stream', 'call/valid-inputs', 'episode/documented-flow'],
    wire: () => ({
      head(head, request) {
        if (isValidSample(request)) throw new Error('broken');
        return head;
      },
    }),
  },
  {
    name: 'a call that accepts JSON is answered with JSON',
    caughtBy: ['call/accept'],
    wire: () => ({
      head: (head, request) =>
        callOf(request) && request.headers.accept === 'application/json'
          ? { ...head, headers: { ...head.headers, 'content-type': 'application/json' } }
          : head,
    }),
  },
  {
    name: 'a call that does not accept event streams is answered with 406',
    caughtBy: ['call/accept'],
    wire: () => ({
      request: (request) =>
        callOf(request) && request.headers.accept === 'application/json'
          ? jsonAnswer(406, { detail: 'a call is answered with an event stream' })
          : request,
    }),
  },
];

import type { Mutant } from '../mutant.ts';
import { changedFrames } from '../wire.ts';
import { callFrames, eventOf, frameOf } from './frames.ts';

export const errorEventMutants: readonly Mutant[] = [
  {
    name: 'an end event follows an error event',
    caughtBy: ['sse/nothing-after-error'],
    wire: () => ({
      frames: changedFrames((frame) => {
        const { event, data } = eventOf(frame) ?? {};
        return event === 'error' ? frame + frameOf('end', JSON.stringify({ ok: false, error: data })) : frame;
      }),
    }),
  },
  {
    name: 'the data of an error of one line is JSON with a detail',
    caughtBy: ['sse/error-is-text'],
    wire: () => ({
      frames: changedFrames((frame) => {
        const { event, data } = eventOf(frame) ?? {};
        // Where it has several lines, others notice it too.
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

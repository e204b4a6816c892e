import type { Mutant } from '../mutant.ts';
import { sidOf } from '../sessions/change.ts';
import { callOf, frameOf } from '../streams/frames.ts';
import { changedFrames, changedResult, type WireRequest } from '../wire.ts';

interface Result {
  readonly ok: boolean;
  readonly error?: string;
  readonly reason?: string;
  readonly output?: { readonly metadata?: object | null };
}

/** Changes the reasons of refusals; undefined removes one. */
const changedReason = (change: (reason: string | undefined, request: WireRequest) => string | undefined) => ({
  frames: changedResult((result: Result, request) => {
    if (result.ok) return result;
    const { reason, ...rest } = result;
    const changed = change(reason ?? undefined, request);
    return changed === reason ? result : { ...rest, ...(changed !== undefined && { reason: changed }) };
  }),
});

const outputOf = (text: string) => ({
  ok: true,
  output: { blocks: [{ text, detail: null, type: 'text' }], metadata: null, reward: 0.5, finished: false },
});

export const callOrderMutants: readonly Mutant[] = [
  {
    name: 'an unknown tool is refused for its input',
    caughtBy: ['reason/unknown-tool'],
    wire: () => {
      const finished = new Set<string>();
      return {
        request: (request) => {
          if (callOf(request)?.name === 'finish') finished.add(sidOf(request));
          return request;
        },
        ...changedReason((reason, request) =>
          reason === 'not_found' && !finished.has(sidOf(request)) ? 'input_validation' : reason,
        ),
      };
    },
  },
  {
    name: 'an invalid input is refused as not found',
    caughtBy: ['reason/invalid-input', 'terminal/typed-answer'],
    wire: () => changedReason((reason) => (reason === 'input_validation' ? 'not_found' : reason)),
  },
  {
    name: 'an unknown tool is refused as finished after the end',
    caughtBy: ['reason/finished'],
    wire: () => {
      const finished = new Set<string>();
      return {
        request: (request) => {
          if (callOf(request)?.name === 'finish') finished.add(sidOf(request));
          return request;
        },
        ...changedReason((reason, request) =>
          reason === 'not_found' && finished.has(sidOf(request)) ? 'episode_finished' : reason,
        ),
      };
    },
  },
  {
    name: 'a failure of a tool has a reason',
    caughtBy: ['reason/of-tool'],
    wire: () => changedReason((reason, request) => (callOf(request)?.name === 'fail' ? 'tool_failed' : reason)),
  },
  {
    name: 'a late result pays',
    caughtBy: ['exclusive/late-result'],
    wire: () => ({
      frames: changedResult((result: Result, request) =>
        callOf(request)?.name === 'sleep' && result.reason === 'episode_finished' ? outputOf('slept') : result,
      ),
    }),
  },
  {
    name: 'a late failure is an error event',
    caughtBy: ['exclusive/late-failure'],
    wire: () => ({
      frames: changedFrames((frame, request) => {
        const isLate = callOf(request)?.name === 'crash' && frame.includes('"reason":"episode_finished"');
        return isLate ? frameOf('error', 'It crashed.') : frame;
      }),
    }),
  },
  {
    name: 'an exclusive tool runs while others run',
    caughtBy: ['exclusive/waits'],
    wire: () => ({
      frames: changedResult((result: Result, request) =>
        callOf(request)?.name === 'final' && result.output
          ? { ...result, output: { ...result.output, metadata: { running: 1 } } }
          : result,
      ),
    }),
  },
  {
    name: 'a call that waited for the last one runs',
    caughtBy: ['exclusive/finishes'],
    wire: () => {
      const waited = new Set<string>();
      return {
        request: (request) => {
          if (callOf(request)?.name === 'final') waited.add(sidOf(request));
          return request;
        },
        frames: changedResult((result: Result, request) =>
          waited.has(sidOf(request)) && callOf(request)?.name === 'count' && !result.ok ? outputOf('1') : result,
        ),
      };
    },
  },
];

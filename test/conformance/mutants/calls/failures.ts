import type { Mutant } from '../mutant.ts';
import { changedFrames } from '../wire.ts';
import { callOf, changedResults, endFrame, endingIn, inputOf, jsonAnswer, sidOf } from './frames.ts';

export const failureMutants: readonly Mutant[] = [
  {
    name: 'an error without a message is an error event without a text',
    caughtBy: ['call/thrown'],
    wire: () => ({
      frames: endingIn('crash', (call) => (inputOf(call).message === '' ? 'event: error\ndata: \n\n' : undefined)),
    }),
  },
  {
    name: 'a failure without a reason has an empty text',
    caughtBy: ['call/thrown'],
    wire: () => ({
      frames: changedResults('fail', (result, call) =>
        inputOf(call).message === '' ? { ok: false, error: '' } : result,
      ),
    }),
  },
  {
    name: 'after a crash the session answers calls with 500',
    caughtBy: ['call/usable-after-failure'],
    wire() {
      const crashed = new Set<string>();
      return {
        request(request) {
          const name = callOf(request)?.name;
          if (name === 'crash') crashed.add(sidOf(request));
          return name === 'count' && crashed.has(sidOf(request)) ? jsonAnswer(500, { detail: 'it crashed' }) : request;
        },
      };
    },
  },
  {
    name: 'only the first line of an error text is sent',
    caughtBy: ['call/several-lines'],
    wire: () => ({
      frames: changedFrames((frame) =>
        frame.startsWith('event: error\n') ? `${frame.split('\n').slice(0, 2).join('\n')}\n\n` : frame,
      ),
    }),
  },
  {
    name: 'the lines of a failure are joined',
    caughtBy: ['call/several-lines'],
    wire: () => ({
      frames: changedResults('fail', (result) =>
        result.ok ? result : { ...result, error: result.error.replaceAll('\n', ' ') },
      ),
    }),
  },
  {
    name: 'a tool that fails is answered with 400',
    caughtBy: ['call/tool-failure', 'call/thrown'],
    wire: () => ({
      request(request) {
        const call = callOf(request);
        const { message = 'It failed.' } = inputOf(call);
        const isFailing = call?.name === 'fail' && typeof message === 'string';
        return isFailing ? jsonAnswer(400, { detail: `Tool 'fail' failed: ${message}` }) : request;
      },
    }),
  },
  {
    name: 'a tool failure is reported as a failure of the server',
    caughtBy: ['call/tool-failure'],
    wire: () => ({
      frames: endingIn('fail', (call) => {
        const { message = 'It failed.' } = inputOf(call);
        const lines = (String(message) || 'no reason').replaceAll('\n', '\ndata: ');
        return typeof message === 'string' ? `event: error\ndata: ${lines}\n\n` : undefined;
      }),
    }),
  },
  {
    name: 'the text of ok false does not name the tool',
    caughtBy: ['call/failure-text'],
    wire: () => ({
      frames: changedResults(undefined, (result) =>
        result.ok ? result : { ...result, error: result.error.replace(/^Tool '[^']*' failed: /, '') },
      ),
    }),
  },
  {
    name: 'the text of ok false does not contain the reason',
    caughtBy: ['call/failure-text'],
    wire: () => ({
      frames: changedResults('fail', (result, { input }) =>
        JSON.stringify(input).includes('Wrong number.') ? { ok: false, error: "Tool 'fail' failed" } : result,
      ),
    }),
  },
  {
    name: 'an unexpected error is reported as a failure of the tool',
    caughtBy: ['call/server-failure', 'exclusive/late-failure'],
    wire: () => ({
      frames: endingIn('crash', (call) =>
        endFrame({ ok: false, error: `Tool 'crash' failed: ${inputOf(call).message ?? 'It crashed.'}` }),
      ),
    }),
  },
  {
    name: 'the stream of a tool that was cancelled just closes',
    caughtBy: ['call/cancelled'],
    wire: () => ({
      frames: changedFrames((frame, request) =>
        callOf(request)?.name === 'cancel' && /^event: (end|error)/.test(frame) ? null : frame,
      ),
    }),
  },
];

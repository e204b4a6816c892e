import type { Mutant } from '../mutant.ts';
import { changedFrames, changedResult } from '../wire.ts';
import {
  afterwards,
  cachedEchoes,
  firstBodies,
  foreignIds,
  forgedIds,
  lostCalls,
  oneReader,
  runOnceMore,
  sharedIds,
} from './calls.ts';
import { callFrames, callOf, eventOf, unknown, withBody } from './frames.ts';

const IS_ISSUED = /^[0-9a-f]{32}$/;

export const resumeMutants: readonly Mutant[] = [
  {
    name: 'a repeated call returns the first result, and runs the tool once more',
    caughtBy: ['resume/replay', 'resume/join-running'],
    server: () => ({ handlers: { callTool: runOnceMore } }),
  },
  {
    name: 'a repeated call returns a reward of 0',
    caughtBy: ['resume/same-result'],
    wire: () => ({
      frames: changedResult((result: { output?: object }, request) =>
        result.output && callOf(request)?.task_id ? { ...result, output: { ...result.output, reward: 0 } } : result,
      ),
    }),
  },
  {
    name: 'a repeated large result is its last chunk',
    caughtBy: ['resume/large-replay'],
    wire: () => ({
      frames: changedFrames((frame, request) =>
        callOf(request)?.task_id && frame.startsWith('event: chunk') ? null : frame,
      ),
    }),
  },
  {
    name: 'equal calls of a tool are answered from a cache',
    caughtBy: ['resume/fresh-call'],
    wire: cachedEchoes,
  },
  {
    name: 'a task_id with another input returns the old result',
    caughtBy: ['resume/other-input'],
    wire: () => firstBodies((first, body) => ({ ...first, task_id: body.task_id })),
  },
  {
    name: 'a task_id with another tool returns the old result',
    caughtBy: ['resume/other-input'],
    wire: () => firstBodies((first, body) => (first.name === body.name ? body : { ...first, task_id: body.task_id })),
  },
  {
    name: 'a task_id returns its result to every session',
    caughtBy: ['resume/other-session', 'resume/foreign-id'],
    wire: sharedIds,
  },
  {
    name: 'the task_id of another session starts a call',
    caughtBy: ['resume/foreign-id'],
    wire: foreignIds,
  },
];

export const resumeRunningMutants: readonly Mutant[] = [
  {
    name: 'joining a call returns another task_id',
    caughtBy: ['resume/join-running'],
    wire: () => ({
      frames: callFrames(
        changedFrames((frame, request) => {
          const taskId = callOf(request)?.task_id ?? '';
          return IS_ISSUED.test(taskId) ? frame.replace(`data: ${taskId}\n`, 'data: 0123456789abcdef\n') : frame;
        }),
      ),
    }),
  },
  {
    name: 'a sleeping call that is joined restarts',
    caughtBy: ['resume/join-running'],
    wire: () => ({
      request: (request) => {
        const body = callOf(request);
        return body?.name === 'sleep' ? withBody(request, { ...body, task_id: undefined }) : request;
      },
    }),
  },
  {
    name: 'a call of two seconds whose connection drops is lost',
    caughtBy: ['resume/dropped-connection'],
    wire: lostCalls,
  },
  {
    name: 'a second reader takes the stream from the first',
    caughtBy: ['resume/two-readers'],
    wire: oneReader,
  },
];

export const resumeIdMutants: readonly Mutant[] = [
  {
    name: 'an id that was never issued runs the tool under another',
    caughtBy: ['resume/altered-id'],
    wire: () => forgedIds(IS_ISSUED),
  },
  {
    name: 'the error for an unknown task_id has no task_id event before it',
    caughtBy: ['resume/task-id-before-unknown', 'resume/foreign-id'],
    wire: () => ({
      frames: callFrames(async function* (frames) {
        let held = '';
        for await (const frame of frames) {
          const { event, data } = eventOf(frame) ?? {};
          if (event === 'task_id') held = frame;
          else yield (data === 'unknown task_id' ? '' : held) + frame;
          if (event !== 'task_id') held = '';
        }
      }),
    }),
  },
  {
    name: 'a chosen task_id is ignored',
    caughtBy: ['resume/chosen-id'],
    wire: () => ({
      request: (request) => {
        const body = callOf(request);
        const isChosen = body?.task_id && !IS_ISSUED.test(body.task_id);
        return isChosen ? withBody(request, { ...body, task_id: undefined }) : request;
      },
    }),
  },
  {
    name: 'a task_id of null is rejected',
    caughtBy: ['resume/null-id'],
    wire: () => ({
      request: (request) =>
        callOf(request)?.task_id === null
          ? { status: 400, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"detail":"task_id"}') }
          : request,
    }),
  },
];

export const lingerMutants: readonly Mutant[] = [
  {
    name: 'results are kept for a third of their time',
    caughtBy: ['resume/near-the-end'],
    wire: () => afterwards(500, (request) => unknown(callOf(request)?.task_id ?? '')),
  },
  {
    name: 'results are kept for a minute too long',
    caughtBy: ['resume/after-the-end'],
    server: () => ({ settings: { lingerMs: 60_000 } }),
  },
  {
    name: 'an expired task_id runs the tool again',
    caughtBy: ['resume/after-the-end'],
    wire: () => afterwards(2_000, (request) => withBody(request, { ...callOf(request), task_id: undefined })),
  },
];

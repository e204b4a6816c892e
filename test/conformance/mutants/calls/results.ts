import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from '../mutant.ts';
import type { WireRequest } from '../wire.ts';
import {
  callOf,
  changedBlocks,
  changedFramesOf,
  changedOutputs,
  changedResults,
  inputOf,
  isSample,
  jsonAnswer,
} from './frames.ts';

const isSampleOf = (request: WireRequest): boolean => isSample(callOf(request) ?? {});

/** Like `calls`, without the invalid inputs. */
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
          // Lets the previous frame leave first.
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

export const resultMutants: readonly Mutant[] = [
  {
    name: 'the result of a call is wrapped in an array',
    caughtBy: ['call/result-json', 'call/valid-inputs'],
    wire: () => ({ frames: changedResults(isSample, (result) => [result]) }),
  },
  {
    name: 'the result of a call is written as Python writes it',
    caughtBy: ['call/result-json', 'call/valid-inputs'],
    wire: () => ({
      frames: changedFramesOf(isSample, (frame) => frame.replaceAll('null', 'None').replaceAll('true', 'True')),
    }),
  },
  {
    name: 'ok is a text',
    caughtBy: ['type/ok'],
    wire: () => ({ frames: changedResults(isSample, (result) => ({ ...result, ok: String(result.ok) })) }),
  },
  {
    name: 'the output of a success is called result',
    caughtBy: ['type/success'],
    wire: () => ({
      frames: changedResults(isSample, (result) => (result.ok ? { ok: true, result: result.output } : result)),
    }),
  },
  {
    name: 'a success also has an error',
    caughtBy: ['type/success'],
    wire: () => ({ frames: changedResults(isSample, (result) => (result.ok ? { ...result, error: 'none' } : result)) }),
  },
  {
    name: 'the error of a failure is an object',
    caughtBy: ['type/failure'],
    wire: () => ({
      frames: changedResults(undefined, (result) =>
        result.ok ? result : { ...result, error: { text: result.error } },
      ),
    }),
  },
  {
    name: 'a failure has an output too',
    caughtBy: ['type/failure'],
    wire: () => ({
      frames: changedResults(undefined, (result) => (result.ok ? result : { ...result, output: { blocks: [] } })),
    }),
  },
];

export const outputMutants: readonly Mutant[] = [
  {
    name: 'the content of a single text is not an array',
    caughtBy: ['call/output'],
    wire: () => ({ frames: changedBlocks(isSample, ([block]) => block) }),
  },
  {
    name: 'finished is null instead of false',
    caughtBy: ['call/output', 'call/finished-default'],
    wire: () => ({
      frames: changedOutputs(undefined, (output) => ({ ...output, finished: output.finished ? true : null })),
    }),
  },
  {
    name: 'finished is true if a tool does not set it',
    caughtBy: ['call/finished-default'],
    wire: () => ({ frames: changedOutputs('count', (output) => ({ ...output, finished: true })) }),
  },
  {
    name: 'null fields of an output are omitted',
    caughtBy: ['call/nullable-keys'],
    wire: () => ({
      frames: changedOutputs(undefined, (output) =>
        Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null)),
      ),
    }),
  },
  {
    name: 'an output has no blocks',
    caughtBy: ['call/blocks-not-empty'],
    wire: () => ({ frames: changedBlocks(isSample, () => []) }),
  },
  {
    name: 'a reward is a text',
    caughtBy: ['call/reward-type'],
    wire: () => ({ frames: changedOutputs(isSample, (output) => ({ ...output, reward: '0.0' })) }),
  },
  {
    name: 'missing metadata is an empty array',
    caughtBy: ['type/metadata'],
    wire: () => ({ frames: changedOutputs(isSample, (output) => ({ ...output, metadata: output.metadata ?? [] })) }),
  },
  {
    name: 'the type of a block is capitalized',
    caughtBy: ['type/block-type'],
    wire: () => ({ frames: changedBlocks(isSample, (blocks) => blocks.map((block) => ({ ...block, type: 'Text' }))) }),
  },
  {
    name: 'the text of a text block is called content',
    caughtBy: ['type/text-block'],
    wire: () => ({
      frames: changedBlocks(isSample, (blocks) => blocks.map(({ text, ...block }) => ({ ...block, content: text }))),
    }),
  },
  {
    name: 'the detail of a text block is a text',
    caughtBy: ['type/detail'],
    wire: () => ({ frames: changedBlocks(isSample, (blocks) => blocks.map((block) => ({ ...block, detail: '' }))) }),
  },
];

import type { Mutant } from '../mutant.ts';
import { bodyOf, sidOf, withBody } from '../sessions/change.ts';
import { callOf, frameOf } from '../streams/frames.ts';
import { changedFrames, changedResult, isFor, type WireRequest } from '../wire.ts';
import { changedLists, ofFixture, refusedCall } from './change.ts';

const isAnswer = (request: WireRequest) => callOf(request)?.name === 'answer';
const ELSEWHERE = 'somewhere_else';

interface Output {
  readonly ok: boolean;
  readonly output?: { readonly metadata?: object };
  readonly reason?: string;
}

export const terminalMutants: readonly Mutant[] = [
  {
    name: 'the terminal tool has no description',
    caughtBy: ['terminal/descriptor'],
    wire: () => ({
      answer: changedLists(({ terminal_tool: tool, ...list }) => ({
        ...list,
        terminal_tool: tool && { ...tool, description: null },
      })),
    }),
  },
  {
    name: 'the terminal tool is listed among the tools',
    caughtBy: ['terminal/not-listed'],
    wire: () => ({
      answer: changedLists(({ tools, ...list }) => ({
        ...list,
        tools: [...tools, { name: 'answer', description: 'Grades the final message.', input_schema: null }],
      })),
    }),
  },
  {
    name: 'task_tools announces no terminal tool',
    caughtBy: ['terminal/same-in-episode'],
    wire: () => ({
      answer: changedLists((list, request) => (isFor(request, 'tools') ? list : { ...list, terminal_tool: null })),
    }),
  },
  {
    name: 'the terminal tool is announced and unknown when it is called',
    caughtBy: ['terminal/callable', 'terminal/refused-answer', 'terminal/typed-answer'],
    wire: () => ({
      request: (request) => (isAnswer(request) ? withBody(request, { ...bodyOf(request), name: ELSEWHERE }) : request),
      frames: changedFrames((frame) => frame.replaceAll(ELSEWHERE, 'answer')),
    }),
  },
  {
    name: 'a graded answer has no reward',
    caughtBy: ['terminal/graded', 'terminal/refused-answer'],
    wire: () => ({
      frames: changedResult((result: Output, request) =>
        isAnswer(request) && result.output && isLongAnswer(request)
          ? { ...result, output: { ...result.output, reward: null } }
          : result,
      ),
    }),
  },
  {
    name: 'an answer is trimmed before it is graded',
    caughtBy: ['terminal/graded'],
    wire: () => ({
      request: (request) => {
        const body = callOf(request);
        const { text } = Object(body?.input) as { text?: unknown };
        const isMeant = body?.name === 'answer' && typeof text === 'string';
        return isMeant ? withBody(request, { ...body, input: { text: text.trim() } }) : request;
      },
    }),
  },
  {
    name: 'an answer that is refused ends the episode',
    caughtBy: ['terminal/refused-answer', 'terminal/typed-answer'],
    wire: () => {
      const over = new Set<string>();
      return {
        request: (request) => {
          if (!isAnswer(request)) return request;
          const isOver = over.has(sidOf(request));
          if (!Object.hasOwn(Object(callOf(request)?.input), 'text')) over.add(sidOf(request));
          return isOver ? refusedCall('episode_finished') : request;
        },
      };
    },
  },
  {
    name: 'a text is not converted to the number that the terminal tool requires',
    caughtBy: ['terminal/typed-answer'],
    wire: () => ({
      request: (request) => (isTyped(request, /^-?\d/) ? withValue(request, 'no number') : request),
    }),
  },
  {
    name: 'a text that is not a number is graded as 0',
    caughtBy: ['terminal/typed-answer'],
    wire: () => ({
      request: (request) => (isTyped(request, /^the answer/) ? withValue(request, '0') : request),
    }),
  },
  {
    name: 'an answer of the wrong type is an unknown tool',
    caughtBy: ['terminal/typed-answer'],
    wire: () => ({
      frames: changedResult((result: Output, request) =>
        isTyped(request, /./) && result.reason === 'input_validation' ? { ...result, reason: 'not_found' } : result,
      ),
    }),
  },
  {
    name: 'concurrent answers are all graded',
    caughtBy: ['terminal/once'],
    wire: () => ({
      frames: changedResult((result: Output, request) =>
        isAnswer(request) && result.reason === 'episode_finished'
          ? { ok: true, output: { blocks: [], metadata: null, reward: 1, finished: true } }
          : result,
      ),
    }),
  },
  {
    name: 'an answer is graded while a call runs',
    caughtBy: ['terminal/waits'],
    wire: () => {
      const asleep = new Set<string>();
      return {
        request: (request) => {
          if (callOf(request)?.name === 'sleep') asleep.add(sidOf(request));
          if (!isAnswer(request) || !asleep.has(sidOf(request))) return request;
          const output = { blocks: [], metadata: { running: 1 }, reward: 1, finished: true };
          return streamOf(frameOf('end', JSON.stringify({ ok: true, output })));
        },
      };
    },
  },
];

/** Returns whether a request is an answer to a terminal tool with a type, and its text matches. */
function isTyped(request: WireRequest, pattern: RegExp): boolean {
  const { value } = Object(callOf(request)?.input) as { readonly value?: unknown };
  return isAnswer(request) && typeof value === 'string' && pattern.test(value);
}

const withValue = (request: WireRequest, value: string) => withBody(request, { ...bodyOf(request), input: { value } });

const isLongAnswer = (request: WireRequest) => String(request.body).includes('"right"') && ofFixture(request);

const streamOf = (frames: string) => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: Buffer.from(frameOf('task_id', 'graded-early') + frames),
});

import type { Mutant } from '../mutant.ts';
import { changedJson, isFor } from '../wire.ts';
import { json, refusal, sidOf, taskOf } from './change.ts';

type Block = { type: string; text?: string; detail?: unknown };

export const promptMutants: readonly Mutant[] = [
  {
    name: 'a text of a prompt has the type Text',
    caughtBy: ['episode/prompt-blocks', 'episode/prompt-order'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: Block[]) =>
        blocks.map((block) => (block.type === 'text' ? { ...block, type: 'Text' } : block)),
      ),
    }),
  },
  {
    name: 'a prompt is an object',
    caughtBy: ['episode/prompt-blocks'],
    wire: () => ({ answer: changedJson('prompt', (blocks: Block[]) => ({ blocks })) }),
  },
  {
    name: 'the blocks of a prompt have no detail',
    caughtBy: ['episode/prompt-detail'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: Block[]) => blocks.map(({ detail: _, ...block }) => block)),
    }),
  },
  {
    name: 'a call changes the prompt',
    caughtBy: ['episode/prompt-repeats'],
    wire: () => {
      const calls = new Map<string, number>();
      return {
        request(request) {
          if (isFor(request, 'call')) calls.set(sidOf(request), (calls.get(sidOf(request)) ?? 0) + 1);
          return request;
        },
        answer: changedJson('prompt', (blocks: Block[], request) => {
          const count = calls.get(sidOf(request));
          return count === undefined ? blocks : [...blocks, { text: `${count} calls`, detail: null, type: 'text' }];
        }),
      };
    },
  },
  {
    name: 'a prompt is available only under its own environment',
    caughtBy: ['episode/prompt-other-path'],
    wire: () => ({
      request: (request) => (request.path === '/other/prompt' ? refusal(404) : request),
    }),
  },
  {
    name: 'a prompt comes from the environment of the path',
    caughtBy: ['episode/prompt-other-path'],
    wire: () => ({
      answer: (answer, request) =>
        request.path === '/other/prompt' && answer.status === 200
          ? json(200, [{ text: 'Say one.', detail: null, type: 'text' }])
          : answer,
    }),
  },
  {
    name: 'a prompt that fails is a bad request',
    caughtBy: ['episode/prompt-fails'],
    wire: () => {
      const failing = new Set<string>();
      return {
        request(request) {
          if (isFor(request, 'create') && taskOf(request).prompt_fail) failing.add(sidOf(request));
          return request;
        },
        answer: (answer, request) =>
          isFor(request, 'prompt') && failing.has(sidOf(request)) ? { ...answer, status: 400 } : answer,
      };
    },
  },
  {
    name: 'the images of a prompt come last',
    caughtBy: ['episode/prompt-order'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: Block[]) => [
        ...blocks.filter(({ type }) => type !== 'image'),
        ...blocks.filter(({ type }) => type === 'image'),
      ]),
    }),
  },
];

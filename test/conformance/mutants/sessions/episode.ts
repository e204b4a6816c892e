import type { Mutant } from '../mutant.ts';
import { changedFrames, changedJson, isFor } from '../wire.ts';
import { bodyOf, json, refusal, sidOf, taskOf, withBody } from './change.ts';

type Block = { type: string; text?: string; detail?: unknown };

export const promptMutants: readonly Mutant[] = [
  {
    name: 'a text of a prompt has the type Text',
    caughtBy: ['episode/prompt-blocks', 'episode/prompt-order', 'messages/flattened', 'messages/of-prompt'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: Block[]) =>
        blocks.map((block) => (block.type === 'text' ? { ...block, type: 'Text' } : block)),
      ),
    }),
  },
  {
    name: 'a prompt is an object',
    caughtBy: ['episode/prompt-blocks', 'messages/flattened', 'messages/of-prompt'],
    wire: () => ({ answer: changedJson('prompt', (blocks: Block[]) => ({ blocks })) }),
  },
  {
    name: 'the blocks of a prompt have no detail',
    caughtBy: ['episode/prompt-detail', 'messages/flattened', 'messages/of-prompt'],
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
    caughtBy: ['episode/prompt-order', 'messages/flattened', 'messages/of-prompt'],
    wire: () => ({
      answer: changedJson('prompt', (blocks: Block[]) => [
        ...blocks.filter(({ type }) => type !== 'image'),
        ...blocks.filter(({ type }) => type === 'image'),
      ]),
    }),
  },
];

interface Tools {
  tools: { name: string; description: string }[];
}

const ELSEWHERE = 'somewhere_else';
const NOTHING = { type: 'object', properties: {} };

export const taskToolsMutants: readonly Mutant[] = [
  {
    name: 'task_tools lists only the tools of the task',
    caughtBy: ['episode/task-tools-include-tools', 'session/create-default-environment', 'toolset/merged'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools, ...list }: Tools) => ({
        ...list,
        tools: tools.filter(({ name }) => name === 'only_here'),
      })),
    }),
  },
  {
    name: 'task_tools lacks a shared tool',
    caughtBy: ['episode/task-tools-include-tools', 'session/create-default-environment'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools, ...list }: Tools) => ({
        ...list,
        tools: tools.filter(({ name }) => name !== 'big'),
      })),
    }),
  },
  {
    name: 'task_tools shortens descriptions',
    caughtBy: ['episode/same-tools'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools, ...list }: Tools) => ({
        ...list,
        tools: tools.map((tool) => ({ ...tool, description: tool.description.slice(0, 4) })),
      })),
    }),
  },
  {
    name: 'tools lists a tool of the task',
    caughtBy: ['episode/own-tool-listed'],
    wire: () => ({
      answer: changedJson('tools', ({ tools, ...list }: Tools, { path }) => ({
        ...list,
        tools: path.includes('other')
          ? tools
          : [...tools, { name: 'only_here', description: 'Exists only as a tool of the task.', input_schema: NOTHING }],
      })),
    }),
  },
  {
    name: 'a tool of the task is listed nowhere',
    caughtBy: ['episode/own-tool-listed'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools, ...list }: Tools) => ({
        ...list,
        tools: tools.filter(({ name }) => name !== 'only_here'),
      })),
    }),
  },
  {
    name: 'a tool of the task is listed and unknown when it is called',
    caughtBy: ['episode/own-tool-called'],
    wire: () => ({
      request(request) {
        const body = bodyOf(request);
        const isMeant = isFor(request, 'call') && body.name === 'only_here';
        return isMeant ? withBody(request, { ...body, name: ELSEWHERE }) : request;
      },
      frames: changedFrames((frame) => frame.replaceAll(ELSEWHERE, 'only_here')),
    }),
  },
  {
    name: 'a tool without parameters is listed with an empty schema',
    caughtBy: ['episode/tool-without-parameters'],
    wire: () => {
      const change = ({ tools, ...list }: Tools) => ({
        ...list,
        tools: tools.map((tool) => (tool.name === 'noargs' ? { ...tool, input_schema: { type: 'object' } } : tool)),
      });
      const [inside, before] = [changedJson('task_tools', change), changedJson('tools', change)];
      return { answer: async (answer, request) => inside(await before(answer, request), request) };
    },
  },
];

export const flowMutants: readonly Mutant[] = [
  {
    name: 'a prompt is refused to clients that accept anything',
    caughtBy: ['episode/documented-flow'],
    wire: () => ({
      request: (request) => (isFor(request, 'prompt') && request.headers.accept === '*/*' ? refusal(406) : request),
    }),
  },
];

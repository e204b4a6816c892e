import type { Mutant } from '../mutant.ts';
import { changedFrames, changedJson, isFor } from '../wire.ts';
import { bodyOf, withBody } from './change.ts';

interface Tools {
  tools: { name: string; description: string }[];
}

const ELSEWHERE = 'somewhere_else';
const NOTHING = { type: 'object', properties: {} };

export const taskToolsMutants: readonly Mutant[] = [
  {
    name: 'task_tools lists only the tools of the task',
    caughtBy: ['episode/task-tools-include-tools', 'session/create-default-environment'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools }: Tools) => ({
        tools: tools.filter(({ name }) => name === 'only_here'),
      })),
    }),
  },
  {
    name: 'task_tools lacks a shared tool',
    caughtBy: ['episode/task-tools-include-tools', 'session/create-default-environment'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools }: Tools) => ({ tools: tools.filter(({ name }) => name !== 'big') })),
    }),
  },
  {
    name: 'task_tools shortens descriptions',
    caughtBy: ['episode/same-tools'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools }: Tools) => ({
        tools: tools.map((tool) => ({ ...tool, description: tool.description.slice(0, 4) })),
      })),
    }),
  },
  {
    name: 'tools lists a tool of the task',
    caughtBy: ['episode/own-tool-listed'],
    wire: () => ({
      answer: changedJson('tools', ({ tools }: Tools, { path }) => ({
        tools: path.includes('other')
          ? tools
          : [...tools, { name: 'only_here', description: 'Is a tool of the task.', input_schema: NOTHING }],
      })),
    }),
  },
  {
    name: 'a tool of the task is listed nowhere',
    caughtBy: ['episode/own-tool-listed'],
    wire: () => ({
      answer: changedJson('task_tools', ({ tools }: Tools) => ({
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
      const change = ({ tools }: Tools) => ({
        tools: tools.map((tool) => (tool.name === 'noargs' ? { ...tool, input_schema: { type: 'object' } } : tool)),
      });
      const [inside, before] = [changedJson('task_tools', change), changedJson('tools', change)];
      return { answer: async (answer, request) => inside(await before(answer, request), request) };
    },
  },
];

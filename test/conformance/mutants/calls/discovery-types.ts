import type { Environment } from 'ors-kit';
import type { Mutant } from '../mutant.ts';
import { changedJson, isFor, type WireRequest } from '../wire.ts';
import { objectOf, withBody } from './frames.ts';

type Tools = { readonly tools: readonly Record<string, unknown>[] };

/** One tool of a list changed. */
const changedTool = (
  action: 'tools' | 'task_tools',
  tool: string,
  change: (spec: Record<string, unknown>) => unknown,
) =>
  changedJson(action, ({ tools, ...list }: Tools) => ({
    ...list,
    tools: tools.map((each) => (each.name === tool ? change(each) : each)),
  }));

/** One more tool in the fixture. */
const withTool = (name: string) => (healthy: readonly Environment[]) =>
  healthy.map((environment) => {
    const like = environment.tools.get('noargs');
    if (!like) return environment;
    const tool = { ...like, spec: { ...like.spec, name } };
    return { ...environment, tools: new Map([...environment.tools, [name, tool]]) };
  });

/** A body without a split gets the first. */
const withSplit = (action: string) => (request: WireRequest) => {
  const body = isFor(request, action) ? objectOf(request) : undefined;
  return body ? withBody(request, { split: 'train', ...body }) : request;
};

export const toolMutants: readonly Mutant[] = [
  {
    name: '/task_tools is a bare array',
    caughtBy: ['type/tool-list'],
    wire: () => ({ answer: changedJson('task_tools', ({ tools }: Tools) => tools) }),
  },
  {
    name: 'a tool of a task has no description',
    caughtBy: ['type/tool-spec'],
    wire: () => ({ answer: changedTool('task_tools', 'only_here', ({ description: _, ...spec }) => spec) }),
  },
  {
    name: 'the input_schema of a tool of a task is left out',
    caughtBy: ['type/input-schema'],
    wire: () => ({ answer: changedTool('task_tools', 'only_here', ({ input_schema: _, ...spec }) => spec) }),
  },
  {
    name: 'a tool has a name in camel case',
    caughtBy: ['type/tool-name-style'],
    server: () => ({ environments: withTool('readFile') }),
  },
  {
    name: 'the description of a tool is empty',
    caughtBy: ['type/tool-description'],
    wire: () => ({ answer: changedTool('tools', 'lifecycle', (spec) => ({ ...spec, description: '' })) }),
  },
  {
    name: 'the required list of an input_schema is not listed',
    caughtBy: ['type/schema-as-written'],
    wire: () => ({
      answer: changedTool('tools', 'nested', ({ input_schema, ...spec }) => {
        const { required: _, ...schema } = input_schema as Record<string, unknown>;
        return { ...spec, input_schema: schema };
      }),
    }),
  },
  {
    name: '/task without a split answers with the first one',
    caughtBy: ['type/task-split'],
    wire: () => ({ request: withSplit('task') }),
  },
  {
    name: '/task_range without a split answers with the first one',
    caughtBy: ['type/task-range-split'],
    wire: () => ({ request: withSplit('task_range') }),
  },
];

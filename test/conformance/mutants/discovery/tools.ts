import type { Mutant } from '../mutant.ts';
import { changedJson, type WireAnswer, type WireRequest } from '../wire.ts';

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: unknown;
}

export const toolMutants: readonly Mutant[] = [
  {
    name: 'a tool has no description',
    caughtBy: ['discovery/tools'],
    wire: () => ({ answer: changedTools('other', (tools) => tools.map((tool) => ({ ...tool, description: null }))) }),
  },
  {
    name: 'a tool without parameters is listed without input_schema',
    caughtBy: ['discovery/tools'],
    wire: () => ({
      answer: changedTools('other', (tools) => tools.map(({ name, description }) => ({ name, description }))),
    }),
  },
  {
    name: 'tools have an additional field',
    caughtBy: ['discovery/tool-fields'],
    wire: () => ({ answer: changedTools('other', (tools) => tools.map((tool) => ({ ...tool, strict: true }))) }),
  },
  {
    name: 'an input_schema describes a text',
    caughtBy: ['discovery/tool-schemas'],
    wire: () => ({ answer: withSchema({ type: 'string' }) }),
  },
  {
    name: 'an input_schema requires a parameter by a boolean',
    caughtBy: ['discovery/tool-schemas'],
    wire: () => ({ answer: withSchema({ type: 'object', properties: { word: { type: 'string', required: true } } }) }),
  },
  {
    name: 'an input_schema refers to a missing definition',
    caughtBy: ['discovery/tool-schemas'],
    wire: () => ({ answer: withSchema({ type: 'object', properties: { word: { $ref: '#/$defs/Word' } } }) }),
  },
  {
    name: 'a tool is listed twice',
    caughtBy: ['discovery/tool-names'],
    wire: () => ({ answer: changedTools('other', (tools) => [...tools, ...tools]) }),
  },
];

/** Changes /tools and /task_tools alike. */
function changedTools(environment: string, change: (tools: readonly Tool[]) => unknown) {
  const changed = ({ tools }: { tools: readonly Tool[] }) => ({ tools: change(tools) });
  return async (answer: WireAnswer, request: WireRequest) => {
    if (!request.path.startsWith(`/${environment}/`)) return answer;
    return changedJson('task_tools', changed)(await changedJson('tools', changed)(answer, request), request);
  };
}

const withSchema = (schema: object) =>
  changedTools('other', (tools) => tools.map((tool) => ({ ...tool, input_schema: schema })));

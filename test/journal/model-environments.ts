import { defineEnvironment, type Environment, jsonSchema } from 'ors-kit';

/** State of an episode: the tags of the calls that changed it, in order. */
interface Applied {
  tags: string[];
}

export interface ToolHooks {
  /** Waits a little; does not return on a node that has been killed. */
  readonly pause: () => Promise<unknown>;
  /** Called for each run of a tool of `saved`, whose calls never run again for a replay. */
  readonly ran: (run: { readonly sid: string; readonly tag: string; readonly isIdempotent: boolean }) => void;
}

const TAG = jsonSchema<{ tag: string }>({ type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] });

interface ToolFlags {
  readonly idempotent?: boolean;
  readonly concurrent?: boolean;
}

/** Tools of both environments; those that change the state return all of it, and pay 1. */
export const MODEL_TOOLS = {
  add: {},
  also: {},
  put: { idempotent: true },
  fail: {},
  look: { concurrent: true },
  watch: { concurrent: true, idempotent: true },
  finish: {},
} as const satisfies Record<string, ToolFlags>;

export type ModelTool = keyof typeof MODEL_TOOLS;

export const changesState = (tool: ModelTool): boolean => !('concurrent' in MODEL_TOOLS[tool]);
export const isIdempotent = (tool: ModelTool): boolean => 'idempotent' in MODEL_TOOLS[tool];

/** Definitions of an environment that comes back by replay, and of one that comes back by snapshots. */
const definitionsOf = (hooks: ToolHooks) => ({
  replayed: { ...definition('replayed', hooks), durability: 'replay' as const },
  saved: {
    ...definition('saved', hooks),
    async snapshot({ state }: { state: Applied }) {
      const tags = [...state.tags];
      await hooks.pause();
      return tags;
    },
    restore: (tags: string[]): Applied => ({ tags }),
  },
});

const { replayed, saved } = definitionsOf({ pause: async () => {}, ran: () => {} });
/** Environments without hooks, for all nodes of all runs: validating the definitions takes a third of a run. */
const validated = [defineEnvironment(replayed), defineEnvironment(saved)];

/** Returns the environments of a node. */
export function modelEnvironments(hooks: ToolHooks): Environment[] {
  const definitions = definitionsOf(hooks);
  return validated.map((environment) => {
    const own = definitions[environment.name as keyof typeof definitions];
    const tools = [...environment.tools].map(([name, tool]) => {
      // The definition has checked the input.
      const run = own.tools[name]?.run as unknown as typeof tool.run;
      return [name, { ...tool, run }] as const;
    });
    return { ...environment, tools: new Map(tools), hooks: own as unknown as Environment['hooks'] };
  });
}

function definition(name: string, { pause, ran }: ToolHooks) {
  const toolOf = (tool: ModelTool) => ({
    description: `Tool ${tool}.`,
    input: TAG,
    ...MODEL_TOOLS[tool],
    async run({ input: { tag }, state, sessionId }: { input: { tag: string }; state: Applied; sessionId: string }) {
      await pause();
      if (name === 'saved') ran({ sid: sessionId, tag, isIdempotent: isIdempotent(tool) });
      if (changesState(tool) && !(isIdempotent(tool) && state.tags.includes(tag))) state.tags.push(tag);
      if (tool === 'fail') throw new Error(`broken ${JSON.stringify(state.tags)}`);
      return { text: JSON.stringify(state.tags), reward: changesState(tool) ? 1 : null, finished: tool === 'finish' };
    },
  });
  return {
    name,
    splits: { train: [{}] },
    setup: async (): Promise<Applied> => {
      await pause();
      return { tags: [] };
    },
    prompt: () => 'Add.',
    tools: Object.fromEntries(Object.keys(MODEL_TOOLS).map((tool) => [tool, toolOf(tool as ModelTool)])),
  };
}

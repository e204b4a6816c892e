import { FIXTURE, type FixtureTool } from './fixture.ts';
import type { ConformanceOptions } from './options.ts';
import { allowedTools, once } from './probe/index.ts';
import type { EnvironmentFacts, ToolFacts } from './target.ts';
import { given } from './verdict.ts';

const PLAIN_TOOL: FixtureTool = 'echo';

/** The options name a tool that there is not. */
export class UnknownTool extends Error {
  override readonly name = 'UnknownTool';

  constructor(tool: string, there: readonly string[]) {
    super(`there is no tool '${tool}'; there are ${there.join(', ')}`);
  }
}

/** The tools of a run: those of an environment, and where that is of use those of an episode. */
export function toolsOf(
  environment: EnvironmentFacts,
  options: ConformanceOptions,
  taskTools: () => Promise<readonly ToolFacts[]>,
) {
  const isListed = (name: string) => environment.tools.some((tool) => tool.name === name);
  const { tools = [], skipTools = [], inputs = {} } = options;
  const unlisted = [...tools, ...skipTools, ...Object.keys(inputs)].filter((name) => !isListed(name));

  const all = once(async (): Promise<readonly ToolFacts[]> => {
    if (environment.tools.length > 0 && unlisted.length === 0) return environment.tools;
    return [...environment.tools, ...(await taskTools()).filter(({ name }) => !isListed(name))];
  });
  return {
    /** The tools that may be called, plain ones first. Rejects with Untestable where none may. */
    callable: once(async (): Promise<readonly ToolFacts[]> => {
      given(!options.noToolCalls, 'tool calls are not allowed');
      return plainFirst(environment.name, allowedTools({ tools: await all() }, options));
    }),
    /** Rejects with UnknownTool. */
    async ensureNamed(): Promise<void> {
      if (unlisted.length === 0) return;
      const there = (await all()).map(({ name }) => name);
      const missing = unlisted.find((name) => !there.includes(name));
      if (missing !== undefined && there.length > 0) throw new UnknownTool(missing, there);
    },
  };
}

/** Other tools of the fixture may give what no server may pass on. */
function plainFirst(environment: string, tools: readonly ToolFacts[]): readonly ToolFacts[] {
  if (environment.toLowerCase() !== FIXTURE) return tools;
  return [...tools].sort((a, b) => Number(b.name === PLAIN_TOOL) - Number(a.name === PLAIN_TOOL));
}

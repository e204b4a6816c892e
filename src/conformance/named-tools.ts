import { FIXTURE, type FixtureTool } from './fixture.ts';
import type { ConformanceOptions } from './options.ts';
import { allowedTools, memoizeAsync } from './probe/index.ts';
import type { DiscoveredEnvironment, DiscoveredTool } from './target.ts';
import { assume } from './verdict.ts';

const PLAIN_TOOL: FixtureTool = 'echo';

/** The options name a tool that there is not. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownTool';

  constructor(tool: string, there: readonly string[]) {
    super(`there is no tool '${tool}'; there are ${there.join(', ')}`);
  }
}

/** The tools of a run: those of an environment, and where that is of use those of an episode. */
export function selectTools(
  environment: DiscoveredEnvironment,
  options: ConformanceOptions,
  taskTools: () => Promise<readonly DiscoveredTool[]>,
) {
  const isListed = (name: string) => environment.tools.some((tool) => tool.name === name);
  const { tools = [], skipTools = [], inputs = {} } = options;
  const unlisted = [...tools, ...skipTools, ...Object.keys(inputs)].filter((name) => !isListed(name));

  const all = memoizeAsync(async (): Promise<readonly DiscoveredTool[]> => {
    if (environment.tools.length > 0 && unlisted.length === 0) return environment.tools;
    return [...environment.tools, ...(await taskTools()).filter(({ name }) => !isListed(name))];
  });
  return {
    /** The tools that may be called, plain ones first. Rejects with Untestable where none may. */
    callable: memoizeAsync(async (): Promise<readonly DiscoveredTool[]> => {
      assume(!options.noToolCalls, 'tool calls are not allowed');
      return plainFirst(environment.name, allowedTools({ tools: await all() }, options));
    }),
    /** Rejects with UnknownTool. */
    async ensureNamed(): Promise<void> {
      if (unlisted.length === 0) return;
      const there = (await all()).map(({ name }) => name);
      const missing = unlisted.find((name) => !there.includes(name));
      if (missing !== undefined && there.length > 0) throw new UnknownToolError(missing, there);
    },
  };
}

/** Other tools of the fixture may give what no server may pass on. */
function plainFirst(environment: string, tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
  if (environment.toLowerCase() !== FIXTURE) return tools;
  return [...tools].sort((a, b) => Number(b.name === PLAIN_TOOL) - Number(a.name === PLAIN_TOOL));
}

import { isRecord } from '../core/index.ts';
import type { ConformanceOptions } from './options.ts';
import type { ProbeRequests } from './probe/requests.ts';
import { UntestableError } from './verdict.ts';

/** What a server said of a tool. */
export interface DiscoveredTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

/** What a server said of a split. */
export interface DiscoveredSplit {
  readonly name: string;
  readonly type: unknown;
  /** Undefined where the server does not count. */
  readonly count: number | undefined;
}

/** What a server said of an environment; nothing of it is judged here. */
export interface DiscoveredEnvironment {
  readonly name: string;
  readonly tools: readonly DiscoveredTool[];
  readonly splits: readonly DiscoveredSplit[];
  /** The smallest split that has a task. */
  readonly split: DiscoveredSplit | undefined;
}

export interface TestTarget {
  readonly names: readonly string[];
  /** The first few environments, the one under test among them. */
  readonly environments: readonly DiscoveredEnvironment[];
  /** The one under test. */
  readonly environment: DiscoveredEnvironment;
  /** The name of another one. */
  readonly other: string | undefined;
}

/** The server cannot be reached, or is no ORS server. */
export class TargetNotFoundError extends Error {
  override readonly name = 'NoTarget';
}

const MAX_ENVIRONMENTS = 5;

/** Looks at a server by reading alone. Throws NoTarget. */
export async function discoverTarget(
  requests: ProbeRequests,
  requested: Pick<ConformanceOptions, 'environment'>,
  fixture: string,
): Promise<TestTarget> {
  try {
    return await look(requests, requested, fixture);
  } catch (error) {
    throw error instanceof UntestableError ? new TargetNotFoundError(error.message) : error;
  }
}

async function look(
  requests: ProbeRequests,
  requested: Pick<ConformanceOptions, 'environment'>,
  fixture: string,
): Promise<TestTarget> {
  const response = await requests.send('GET', '/list_environments', { follow: true });
  if (response.status === 0) throw new TargetNotFoundError(`the server cannot be reached: ${response.summary}`);
  const { json } = response;
  const names = Array.isArray(json) ? json.filter((name): name is string => typeof name === 'string') : [];
  if (names.length === 0) {
    throw new TargetNotFoundError(
      `this is no ORS server: GET /list_environments gave no list of names but ${response.summary}`,
    );
  }
  const name = chooseName(names, requested.environment, fixture);
  const looked = [...new Set([name, ...names])].slice(0, MAX_ENVIRONMENTS);
  const environments = await Promise.all(looked.map((each) => environmentFacts(requests, each)));
  const [environment] = environments;
  if (!environment) throw new TargetNotFoundError('the server lists no environment');
  return { names, environments, environment, other: names.find((each) => each !== name) };
}

function chooseName(names: readonly string[], requested: string | undefined, fixture: string): string {
  if (requested === undefined) return names.find((name) => name.toLowerCase() === fixture) ?? names[0] ?? '';
  const name = names.find((each) => each.toLowerCase() === requested.toLowerCase());
  if (name === undefined)
    throw new TargetNotFoundError(`there is no environment '${requested}'; there are ${names.join(', ')}`);
  return name;
}

async function environmentFacts(requests: ProbeRequests, name: string): Promise<DiscoveredEnvironment> {
  const path = (action: string) => `/${encodeURIComponent(name)}/${action}`;
  const [toolsAnswer, splitsAnswer] = await Promise.all([
    requests.send('GET', path('tools'), { follow: true }),
    requests.send('GET', path('splits'), { follow: true }),
  ]);
  const listed = Array.isArray(splitsAnswer.json) ? splitsAnswer.json.filter(isRecord) : [];
  const splits = await Promise.all(
    listed.map(async ({ name: split, type }) => {
      const counted = await requests.send('POST', path('num_tasks'), { json: { split }, follow: true });
      const count = isRecord(counted.json) ? counted.json.num_tasks : undefined;
      return { name: String(split), type, count: typeof count === 'number' ? count : undefined };
    }),
  );
  const [split] = splits
    .filter(({ count }) => count !== 0)
    .sort((a, b) => (a.count ?? Infinity) - (b.count ?? Infinity));
  return { name, tools: parseDiscoveredTools(toolsAnswer.json), splits, split };
}

/** The tools of an answer of `/tools` or `/task_tools`. */
export function parseDiscoveredTools(json: unknown): DiscoveredTool[] {
  const tools = isRecord(json) && Array.isArray(json.tools) ? json.tools.filter(isRecord) : [];
  return tools.map(({ name, input_schema }) => ({ name: String(name), inputSchema: input_schema ?? null }));
}

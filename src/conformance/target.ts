import { isRecord } from '../core/index.ts';
import type { ConformanceOptions } from './options.ts';
import type { Requests } from './probe/requests.ts';
import { Untestable } from './verdict.ts';

/** What a server said of a tool. */
export interface ToolFacts {
  readonly name: string;
  readonly inputSchema: unknown;
}

/** What a server said of a split. */
export interface SplitFacts {
  readonly name: string;
  readonly type: unknown;
  /** Undefined where the server does not count. */
  readonly count: number | undefined;
}

/** What a server said of an environment; nothing of it is judged here. */
export interface EnvironmentFacts {
  readonly name: string;
  readonly tools: readonly ToolFacts[];
  readonly splits: readonly SplitFacts[];
  /** The smallest split that has a task. */
  readonly split: SplitFacts | undefined;
}

export interface Target {
  readonly names: readonly string[];
  /** The first few environments, the one under test among them. */
  readonly environments: readonly EnvironmentFacts[];
  /** The one under test. */
  readonly environment: EnvironmentFacts;
  /** The name of another one. */
  readonly other: string | undefined;
}

/** The server cannot be reached, or is no ORS server. */
export class NoTarget extends Error {
  override readonly name = 'NoTarget';
}

const MOST_ENVIRONMENTS = 5;

/** Looks at a server by reading alone. Throws NoTarget. */
export async function findTarget(
  requests: Requests,
  wanted: Pick<ConformanceOptions, 'environment'>,
  fixture: string,
): Promise<Target> {
  try {
    return await look(requests, wanted, fixture);
  } catch (error) {
    throw error instanceof Untestable ? new NoTarget(error.message) : error;
  }
}

async function look(
  requests: Requests,
  wanted: Pick<ConformanceOptions, 'environment'>,
  fixture: string,
): Promise<Target> {
  const answer = await requests.send('GET', '/list_environments', { follow: true });
  if (answer.status === 0) throw new NoTarget(`the server cannot be reached: ${answer.summary}`);
  const { json } = answer;
  const names = Array.isArray(json) ? json.filter((name): name is string => typeof name === 'string') : [];
  if (names.length === 0) {
    throw new NoTarget(`this is no ORS server: GET /list_environments gave no list of names but ${answer.summary}`);
  }
  const name = chooseName(names, wanted.environment, fixture);
  const looked = [...new Set([name, ...names])].slice(0, MOST_ENVIRONMENTS);
  const environments = await Promise.all(looked.map((each) => environmentFacts(requests, each)));
  const [environment] = environments;
  if (!environment) throw new NoTarget('the server lists no environment');
  return { names, environments, environment, other: names.find((each) => each !== name) };
}

function chooseName(names: readonly string[], wanted: string | undefined, fixture: string): string {
  if (wanted === undefined) return names.find((name) => name.toLowerCase() === fixture) ?? names[0] ?? '';
  const name = names.find((each) => each.toLowerCase() === wanted.toLowerCase());
  if (name === undefined) throw new NoTarget(`there is no environment '${wanted}'; there are ${names.join(', ')}`);
  return name;
}

async function environmentFacts(requests: Requests, name: string): Promise<EnvironmentFacts> {
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
  return { name, tools: toolFacts(toolsAnswer.json), splits, split };
}

/** The tools of an answer of `/tools` or `/task_tools`. */
export function toolFacts(json: unknown): ToolFacts[] {
  const tools = isRecord(json) && Array.isArray(json.tools) ? json.tools.filter(isRecord) : [];
  return tools.map(({ name, input_schema }) => ({ name: String(name), inputSchema: input_schema ?? null }));
}

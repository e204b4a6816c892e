import { fieldsOf, isRecord, UnknownNameError } from '../core/index.ts';
import { UntestableError } from './assertions.ts';
import type { ConformanceOptions } from './options.ts';
import type { ProbeRequests } from './probe/requests.ts';

/** Name of the fixture environment; docs/development/conformance-fixture.md specifies it. */
export const FIXTURE = 'conformance';

/** Returns whether a name, which is case-insensitive, is that of the fixture. */
export const isFixture = (environment: string): boolean => environment.toLowerCase() === FIXTURE;

export const FIXTURE_TOOLS = [
  'echo',
  'count',
  'runs',
  'sleep',
  'block',
  'big',
  'odd_text',
  'image',
  'fail',
  'crash',
  'cancel',
  'reward',
  'finish',
  'noargs',
  'nested',
  'show_task',
  'secret_digest',
  'bad_output',
  'lifecycle',
  'only_here',
] as const;

/** Tools of the fixture for extensions; a server without the extension does not have them. */
export const EXTENSION_TOOLS = ['answer', 'final'] as const;

/** A tool of the fixture. */
export type FixtureTool = (typeof FIXTURE_TOOLS)[number] | (typeof EXTENSION_TOOLS)[number];

/** A tool as the server lists it. */
export interface DiscoveredTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The terminal tool as the server announces it. */
export interface DiscoveredTerminalTool {
  readonly name: string;
  /** Name of its parameter; null if it has none. */
  readonly arg: string | null;
}

/** A split as the server lists it. */
export interface DiscoveredSplit {
  readonly name: string;
  readonly type: unknown;
  /** Number of tasks; undefined if /num_tasks does not return one. */
  readonly count: number | undefined;
}

/** An environment as the server lists it, without validation. */
export interface DiscoveredEnvironment {
  readonly name: string;
  readonly tools: readonly DiscoveredTool[];
  /** The tool that grades the final message, which is not among `tools`. */
  readonly terminalTool: DiscoveredTerminalTool | undefined;
  readonly splits: readonly DiscoveredSplit[];
  /** The smallest split that has a task. */
  readonly split: DiscoveredSplit | undefined;
}

/** The server under test, as far as discovery shows it. */
export interface TestTarget {
  readonly names: readonly string[];
  /** The first few environments, including the one under test. */
  readonly environments: readonly DiscoveredEnvironment[];
  /** The environment under test. */
  readonly environment: DiscoveredEnvironment;
  /** Name of another environment, if there is one. */
  readonly other: string | undefined;
}

interface TargetNotFoundDetails {
  readonly isUnreachable?: boolean;
  readonly isUnauthorized?: boolean;
  readonly cause?: unknown;
}

/**
 * The server is unreachable, requires an API key, or is not an ORS server.
 *
 * @example
 * if (error instanceof TargetNotFoundError) process.exitCode = EXIT_CODES['no-target'];
 */
export class TargetNotFoundError extends Error {
  override readonly name = 'TargetNotFoundError';
  /** True if the server did not respond, false if the response is not that of an ORS server. */
  readonly isUnreachable: boolean;
  /** True if the server requires an API key, or rejects the one it got. */
  readonly isUnauthorized: boolean;

  constructor(message: string, { isUnreachable = false, isUnauthorized = false, cause }: TargetNotFoundDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isUnreachable = isUnreachable;
    this.isUnauthorized = isUnauthorized;
  }
}

const MAX_ENVIRONMENTS = 5;

/** Reads environments, tools and splits of a server. @throws TargetNotFoundError */
export async function discoverTarget(
  requests: ProbeRequests,
  options: Pick<ConformanceOptions, 'environment'>,
): Promise<TestTarget> {
  try {
    const names = await listEnvironments(requests);
    const name = chooseName(names, options.environment);
    const explored = [...new Set([name, ...names])].slice(0, MAX_ENVIRONMENTS);
    const discovered = await Promise.allSettled(explored.map((each) => discoverEnvironment(requests, each)));
    const [first] = discovered;
    if (first?.status === 'rejected') throw first.reason;
    // The checks can do without the environments that are not under test.
    const environments = discovered.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const [environment] = environments;
    if (!environment) throw new TargetNotFoundError('the server lists no environment');
    return { names, environments, environment, other: names.find((each) => each !== name) };
  } catch (error) {
    throw error instanceof UntestableError ? new TargetNotFoundError(error.message) : error;
  }
}

async function listEnvironments(requests: ProbeRequests): Promise<string[]> {
  const response = await requests.send('GET', '/list_environments', { follow: true });
  if (response.status === 0) {
    throw new TargetNotFoundError(`the server cannot be reached: ${response.summary}`, { isUnreachable: true });
  }
  const { json } = response;
  const names = Array.isArray(json) ? json.filter((name): name is string => typeof name === 'string') : [];
  if (names.length > 0) return names;
  if (response.status === 401 || response.status === 403) {
    const message = `the server requires an API key: GET /list_environments returned ${response.summary}`;
    throw new TargetNotFoundError(message, { isUnauthorized: true });
  }
  throw new TargetNotFoundError(
    `not an ORS server: expected GET /list_environments to return a list of names, got ${response.summary}`,
  );
}

function chooseName(names: readonly string[], requested: string | undefined): string {
  if (requested === undefined) return names.find(isFixture) ?? names[0] ?? '';
  const name = names.find((each) => each.toLowerCase() === requested.toLowerCase());
  if (name !== undefined) return name;
  const cause = new UnknownNameError('environment', requested, names);
  throw new TargetNotFoundError(cause.message, { cause });
}

async function discoverEnvironment(requests: ProbeRequests, name: string): Promise<DiscoveredEnvironment> {
  const path = (action: string) => `/${encodeURIComponent(name)}/${action}`;
  const [toolsResponse, splitsResponse] = await Promise.all([
    requests.send('GET', path('tools'), { follow: true }),
    requests.send('GET', path('splits'), { follow: true }),
  ]);
  const listed = Array.isArray(splitsResponse.json) ? splitsResponse.json.filter(isRecord) : [];
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
  const { json } = toolsResponse;
  return { name, tools: parseDiscoveredTools(json), terminalTool: parseTerminalTool(json), splits, split };
}

/** Returns the terminal tool in the body of a response of `/tools` or `/task_tools`; undefined without a valid one. */
export function parseTerminalTool(json: unknown): DiscoveredTerminalTool | undefined {
  const { name, arg = null } = fieldsOf(fieldsOf(json).terminal_tool);
  if (typeof name !== 'string' || name === '') return undefined;
  return arg === null || typeof arg === 'string' ? { name, arg } : undefined;
}

/** Returns the tools in the body of a response of `/tools` or `/task_tools`. */
export function parseDiscoveredTools(json: unknown): DiscoveredTool[] {
  const tools = isRecord(json) && Array.isArray(json.tools) ? json.tools.filter(isRecord) : [];
  return tools.map(({ name, description = '', input_schema: inputSchema = null }) => {
    return { name: String(name), description: String(description), inputSchema };
  });
}

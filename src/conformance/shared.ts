import { fieldsOf, ownProperty, sleep, unknownName } from '../core/index.ts';
import { assume, UntestableError } from './assertions.ts';
import type { InputGenerator } from './inputs/create-inputs.ts';
import { createInputLearner, type InputLearner } from './inputs/learn-inputs.ts';
import { type ConformanceOptions, STANDARD_TIMES } from './options.ts';
import {
  type ProbeConnection,
  type ProbeContext,
  ProbeRequests,
  type ProbeResponse,
  type RunBudget,
  retryWhileFull,
  type SampleCall,
  type SharedFixtures,
  sessionIdOf,
} from './probe/index.ts';
import {
  type DiscoveredEnvironment,
  type DiscoveredTerminalTool,
  type DiscoveredTool,
  type FixtureTool,
  isFixture,
  parseDiscoveredTools,
} from './target.ts';

/** Maximum number of attempts for the shared call: a generated input is valid, but may be useless to a tool. */
export const MAX_SHARED_CALLS = 10;
/** Maximum number of consecutive attempts with one tool, each with an input learned from the previous refusal. */
const MAX_IN_A_ROW = 3;

interface SharedFixturesParts extends Pick<ProbeContext, 'connection' | 'target' | 'inputs' | 'budget'> {
  readonly options: ConformanceOptions;
}

interface DisposableSharedFixtures extends SharedFixtures, AsyncDisposable {
  /** Rejects with UnknownToolError if the options name a tool that does not exist, as far as that is visible. */
  ensureNamed(): Promise<void>;
}

/**
 * The options name a tool that does not exist.
 *
 * @example
 * if (error instanceof UnknownToolError) process.exitCode = EXIT_CODES.usage;
 */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError';

  constructor(tool: string, known: readonly string[]) {
    super(unknownName('tool', tool, known));
  }
}

/** Creates the episode, the call and the sample input that the checks of a run share; each on first use. */
export function createSharedFixtures(parts: SharedFixturesParts): DisposableSharedFixtures {
  const { connection, target, inputs, budget, options } = parts;
  const { environment } = target;
  const requests = new ProbeRequests(connection);
  const path = (action: string) => `/${encodeURIComponent(environment.name)}/${action}`;
  const learner = createInputLearner(inputs);
  let pings: NodeJS.Timeout | undefined;

  const open = memoizeAsync(async () => {
    assume(environment.split, `environment '${environment.name}' has no split with a task`);
    const sid = sessionIdOf(await requests.send('POST', '/create_session', { json: {} }));
    assume(sid, '/create_session returned no session id');
    budget.spend('sessions');
    const { secrets } = options;
    const json = { env_name: environment.name, split: environment.split.name, index: 0, ...(secrets && { secrets }) };
    (await retryWhileFull(() => requests.send('POST', '/create', { sid, json }), sleep)).requireSuccess('/create');
    pings = pingEvery((options.times?.idleMs ?? STANDARD_TIMES.idleMs) / 4, connection, sid);
    // Agents read the prompt before they call a tool, and some environments create their state then.
    if (!isFixture(environment.name)) learner.hear(textOfPrompt(await requests.send('GET', path('prompt'), { sid })));
    return sid;
  });

  const { callable, ensureNamed } = selectTools(environment, options, async () =>
    parseDiscoveredTools((await requests.send('GET', path('task_tools'), { sid: await open() })).json),
  );

  const attempt = async ({ tool, input }: SampleCall): Promise<ProbeResponse> => {
    const sid = await open();
    budget.spend('calls');
    const headers = [['Accept', 'text/event-stream']] as const;
    return await requests.open('POST', path('call'), { sid, json: { name: tool.name, input }, headers }).end();
  };

  const trial = memoizeAsync(async () => {
    const samples = await samplesOf(await callable(), options, inputs, MAX_SHARED_CALLS);
    return await callUntilAccepted(samples, { attempt, budget, learner, inputs: options.inputs ?? {} });
  });
  /** Returns the input that a tool has accepted, if any. */
  const accepted = () =>
    trial().then(
      ({ accepted }) => accepted,
      (error: unknown) => {
        if (error instanceof UntestableError) return undefined;
        throw error;
      },
    );

  return {
    callable,
    ensureNamed,
    sample: memoizeAsync(async () => {
      // The fixture accepts the first input.
      const known = isFixture(environment.name) ? undefined : await accepted();
      return known ?? (await firstSample(await callable(), options, inputs));
    }),
    call: async () => (await trial()).response,
    episode: async () => ({ sid: await open(), exchanges: [...requests.exchanges] }),
    async [Symbol.asyncDispose]() {
      clearInterval(pings);
      if (requests.exchanges.length === 0) return;
      const sid = await open().catch(() => undefined);
      if (sid !== undefined) await requests.send('POST', '/delete', { sid, timeoutMs: 10_000 });
    },
  };
}

/** Keeps the shared session alive: the checks between two uses may take longer than the idle timeout. */
const pingEvery = (ms: number, connection: ProbeConnection, sid: string) =>
  setInterval(() => void new ProbeRequests(connection).send('POST', '/ping', { sid }), ms).unref();

/** Selects the tools of a run: those of the environment, and task tools if the environment lists too few. */
function selectTools(
  environment: DiscoveredEnvironment,
  options: ConformanceOptions,
  taskTools: () => Promise<readonly DiscoveredTool[]>,
) {
  const isListed = (name: string) => environment.tools.some((tool) => tool.name === name);
  const { tools = [], skipTools = [], inputs = {} } = options;
  const unlisted = [...tools, ...skipTools, ...Object.keys(inputs)].filter((name) => !isListed(name));

  const all = memoizeAsync(async (): Promise<readonly DiscoveredTool[]> => {
    if (environment.tools.length > 0 && unlisted.length === 0) return environment.tools;
    const listed = [...environment.tools, ...(await taskTools()).filter(({ name }) => !isListed(name))];
    return listed.length > 0 || !environment.terminalTool ? listed : [toolOf(environment.terminalTool)];
  });
  return {
    callable: memoizeAsync(async (): Promise<readonly DiscoveredTool[]> => {
      assume(!options.noToolCalls, 'tool calls are not allowed');
      return plainToolFirst(environment.name, allowedTools({ tools: await all() }, options));
    }),
    async ensureNamed(): Promise<void> {
      if (unlisted.length === 0) return;
      const known = (await all()).map(({ name }) => name);
      const missing = unlisted.find((name) => !known.includes(name));
      if (missing !== undefined && known.length > 0) throw new UnknownToolError(missing, known);
    },
  };
}

/** Returns a terminal tool, whose schema is not listed, as a tool with one text. */
function toolOf({ name, arg }: DiscoveredTerminalTool): DiscoveredTool {
  if (arg === null) return { name, description: '', inputSchema: null };
  const inputSchema = { type: 'object', properties: { [arg]: { type: 'string' } }, required: [arg] };
  return { name, description: '', inputSchema };
}

/** Returns the tools that may be called. */
export function allowedTools(
  { tools }: Pick<DiscoveredEnvironment, 'tools'>,
  options: Pick<ConformanceOptions, 'tools' | 'skipTools' | 'noToolCalls'>,
): DiscoveredTool[] {
  if (options.noToolCalls) return [];
  return tools.filter(({ name }) => (options.tools?.includes(name) ?? true) && !options.skipTools?.includes(name));
}

const PLAIN_TOOL: FixtureTool = 'echo';

/** Puts `echo` first: other tools of the fixture return invalid outputs on purpose. */
function plainToolFirst(environment: string, tools: readonly DiscoveredTool[]): readonly DiscoveredTool[] {
  if (!isFixture(environment)) return tools;
  return [...tools].sort((a, b) => Number(b.name === PLAIN_TOOL) - Number(a.name === PLAIN_TOOL));
}

interface TrialParts {
  readonly attempt: (sample: SampleCall) => Promise<ProbeResponse>;
  readonly budget: RunBudget;
  readonly learner: InputLearner;
  /** Inputs of the options, which are not varied. */
  readonly inputs: NonNullable<ConformanceOptions['inputs']>;
}

/**
 * Calls tools until one accepts its input. After a refusal, it tries what the refusal and the prompt say about the input.
 * Without an accepted input, returns the most informative response.
 */
async function callUntilAccepted(
  samples: readonly SampleCall[],
  { attempt, budget, learner, inputs }: TrialParts,
): Promise<{ readonly response: ProbeResponse; readonly accepted?: SampleCall }> {
  const open = [...samples];
  const tried = new Set<string>();
  let best: ProbeResponse | undefined;
  let inARow = 0;
  for (let calls = 0; calls < MAX_SHARED_CALLS && (calls === 0 || budget.has('calls')); calls++) {
    const sample = open.shift();
    if (!sample) break;
    tried.add(keyOf(sample));
    const response = await attempt(sample);
    if (!isRefusal(response)) {
      const isAccepted = response.failure === undefined && response.resultText !== undefined;
      return { response, ...(isAccepted && { accepted: sample }) };
    }
    // A result with ok false shows more than an error event.
    if (!best || (best.streamError !== undefined && response.streamError === undefined)) best = response;
    const { tool, input } = sample;
    learner.refuse(tool.name, input, response.failure ?? '');
    inARow = inARow < MAX_IN_A_ROW ? inARow + 1 : 0;
    if (inARow === 0 || Object.hasOwn(inputs, tool.name)) continue;
    const learned = (await learner.inputs(tool)).valid.map(({ value }) => ({ tool, input: value }));
    const next = learned.find((each) => !tried.has(keyOf(each)));
    if (next) open.unshift(next);
  }
  assume(best, 'no tool may be called');
  return { response: best };
}

const keyOf = ({ tool, input }: SampleCall): string => `${tool.name} ${JSON.stringify(input)}`;

/** Returns the text of a prompt; empty if there is none. */
function textOfPrompt({ json }: ProbeResponse): string {
  const texts = (Array.isArray(json) ? json : []).map((block) => fieldsOf(block).text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** Returns whether the tool rejected this input, so that another one may succeed. */
function isRefusal(response: ProbeResponse): boolean {
  const { status, streamError, resultText, failure } = response;
  if (response.exchange.failure !== undefined || status >= 500) return false;
  return failure !== undefined && (streamError === undefined || resultText === undefined);
}

/** Returns the first tool that has an input. @throws UntestableError if there is none */
export async function firstSample(
  tools: readonly DiscoveredTool[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: InputGenerator,
): Promise<SampleCall> {
  return (await samplesOf(tools, options, inputs, 1))[0];
}

/** Chooses up to `max` inputs: one of each tool, then another of each. @throws UntestableError if there is none */
async function samplesOf(
  tools: readonly DiscoveredTool[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: InputGenerator,
  max: number,
): Promise<[SampleCall, ...SampleCall[]]> {
  const inputsOf = async ({ name, inputSchema }: DiscoveredTool) => {
    const named = ownProperty(options.inputs, name) as Record<string, unknown> | undefined;
    return named ? [named] : (await inputs.generate(inputSchema)).valid.map(({ value }) => value);
  };
  const reasons: string[] = [];
  const samples: (SampleCall & { readonly turn: number })[] = [];
  for (const tool of tools) {
    if (samples.filter(({ turn }) => turn === 0).length === max) break;
    try {
      const values = (await inputsOf(tool)).slice(0, max);
      samples.push(...values.map((input, turn) => ({ tool, input, turn })));
    } catch (error) {
      if (!(error instanceof UntestableError)) throw error;
      reasons.push(`'${tool.name}': ${error.message}`);
    }
  }
  const [first, ...others] = samples.sort((a, b) => a.turn - b.turn).slice(0, max);
  if (first) return [first, ...others];
  throw new UntestableError(
    reasons.length > 0 ? `no tool has an input: ${reasons.join('; ')}` : 'no tool may be called',
  );
}

/** Returns a function that calls `make` once, and always returns the same promise. */
function memoizeAsync<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= make());
}

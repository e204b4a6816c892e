import { sleep } from '../core/index.ts';
import type { InputGenerator } from './inputs/inputs.ts';
import { selectTools } from './named-tools.ts';
import { type ConformanceOptions, STANDARD_TIMES } from './options.ts';
import {
  chooseSamples,
  memoizeAsync,
  type ProbeConnection,
  ProbeRequests,
  type ProbeResponse,
  type RunBudget,
  retryWhileFull,
  type SampleCall,
  type SharedFixtures,
  sessionIdOf,
} from './probe/index.ts';
import { type DiscoveredTool, parseDiscoveredTools, type TestTarget } from './target.ts';
import { assume } from './verdict.ts';

/** The most calls that the shared one may take: made inputs are valid, and may still be of no use to a tool. */
export const MAX_SHARED_CALLS = 4;

export interface SharedFixturesParts {
  readonly connection: ProbeConnection;
  readonly target: TestTarget;
  readonly inputs: InputGenerator;
  readonly budget: RunBudget;
  readonly options: ConformanceOptions;
}

interface DisposableSharedFixtures extends SharedFixtures, AsyncDisposable {
  /** Rejects with UnknownTool where the options name a tool that there is not, as far as that can be seen. */
  ensureNamed(): Promise<void>;
}

/** The episode, the call and the sample input that the checks of a run have in common. */
export function createSharedFixtures({
  connection,
  target,
  inputs,
  budget,
  options,
}: SharedFixturesParts): DisposableSharedFixtures {
  const { environment } = target;
  const requests = new ProbeRequests(connection);
  const path = (action: string) => `/${encodeURIComponent(environment.name)}/${action}`;
  let pings: NodeJS.Timeout | undefined;

  const open = memoizeAsync(async () => {
    assume(environment.split, `environment '${environment.name}' has no split with a task`);
    const sid = sessionIdOf(await requests.send('POST', '/create_session', { json: {} }));
    assume(sid, 'no session id could be had');
    budget.spend('sessions');
    const { secrets } = options;
    const json = { env_name: environment.name, split: environment.split.name, index: 0, ...(secrets && { secrets }) };
    (await retryWhileFull(() => requests.send('POST', '/create', { sid, json }), sleep)).requireSuccess('/create');
    pings = pingEvery((options.times?.idleMs ?? STANDARD_TIMES.idleMs) / 4, connection, sid);
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

  return {
    callable,
    ensureNamed,
    sample: memoizeAsync(async () => firstSample(await callable(), options, inputs)),
    call: memoizeAsync(async () => {
      const samples = await samplesOf(await callable(), options, inputs, MAX_SHARED_CALLS);
      return await firstTaken(samples, attempt, budget);
    }),
    episode: async () => ({ sid: await open(), exchanges: [...requests.exchanges] }),
    async [Symbol.asyncDispose]() {
      clearInterval(pings);
      if (requests.exchanges.length === 0) return;
      const sid = await open().catch(() => undefined);
      if (sid !== undefined) await requests.send('POST', '/delete', { sid, timeoutMs: 10_000 });
    },
  };
}

/** Keeps a session alive: between two checks that use it others may wait for longer than a session lives. */
const pingEvery = (ms: number, connection: ProbeConnection, sid: string) =>
  setInterval(() => void new ProbeRequests(connection).send('POST', '/ping', { sid }), ms).unref();

/** Calls until a tool takes its input; an answer that shows the most where none does. */
async function firstTaken(
  [sample, ...others]: [SampleCall, ...SampleCall[]],
  attempt: (sample: SampleCall) => Promise<ProbeResponse>,
  budget: RunBudget,
): Promise<ProbeResponse> {
  let best = await attempt(sample);
  for (const other of others) {
    if (!isRefusal(best) || !budget.has('calls')) break;
    const response = await attempt(other);
    // A tool that says why it failed shows more than a server that does.
    if (!isRefusal(response) || (best.streamError !== undefined && response.streamError === undefined)) best = response;
  }
  return best;
}

/** The tool does not take this input, or cannot do anything with it; another one may. */
function isRefusal(response: ProbeResponse): boolean {
  const { status, streamError, resultText, failure } = response;
  if (response.exchange.failure !== undefined || status >= 500) return false;
  return failure !== undefined && (streamError === undefined || resultText === undefined);
}

/** The first of the tools for which there is an input. Throws Untestable where there is none. */
export async function firstSample(
  tools: readonly DiscoveredTool[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: InputGenerator,
): Promise<SampleCall> {
  return (await samplesOf(tools, options, inputs, 1))[0];
}

function samplesOf(
  tools: readonly DiscoveredTool[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: InputGenerator,
  max: number,
): Promise<[SampleCall, ...SampleCall[]]> {
  return chooseSamples(tools, max, async ({ name, inputSchema }) => {
    const named = options.inputs?.[name];
    return named ? [named] : (await inputs.generate(inputSchema)).valid.map(({ value }) => value);
  });
}

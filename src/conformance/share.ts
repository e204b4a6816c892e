import { sleep } from '../core/index.ts';
import type { Inputs } from './inputs/inputs.ts';
import { toolsOf } from './named-tools.ts';
import { type ConformanceOptions, STANDARD_TIMES } from './options.ts';
import {
  type Answer,
  type Budget,
  type Connection,
  chooseSamples,
  once,
  Requests,
  type Sample,
  type Shared,
  sidOf,
  withRoom,
} from './probe/index.ts';
import { type Target, type ToolFacts, toolFacts } from './target.ts';
import { given } from './verdict.ts';

/** The most calls that the shared one may take: made inputs are valid, and may still be of no use to a tool. */
export const MOST_SHARED_CALLS = 4;

export interface SharedParts {
  readonly connection: Connection;
  readonly target: Target;
  readonly inputs: Inputs;
  readonly budget: Budget;
  readonly options: ConformanceOptions;
}

interface SharedByRun extends Shared, AsyncDisposable {
  /** Rejects with UnknownTool where the options name a tool that there is not, as far as that can be seen. */
  ensureNamed(): Promise<void>;
}

/** The episode, the call and the sample input that the checks of a run have in common. */
export function share({ connection, target, inputs, budget, options }: SharedParts): SharedByRun {
  const { environment } = target;
  const requests = new Requests(connection);
  const path = (action: string) => `/${encodeURIComponent(environment.name)}/${action}`;
  let pings: NodeJS.Timeout | undefined;

  const open = once(async () => {
    given(environment.split, `environment '${environment.name}' has no split with a task`);
    const sid = sidOf(await requests.send('POST', '/create_session', { json: {} }));
    given(sid, 'no session id could be had');
    budget.take('sessions');
    const { secrets } = options;
    const json = { env_name: environment.name, split: environment.split.name, index: 0, ...(secrets && { secrets }) };
    (await withRoom(() => requests.send('POST', '/create', { sid, json }), sleep)).successful('/create');
    pings = pingEvery((options.times?.idleMs ?? STANDARD_TIMES.idleMs) / 4, connection, sid);
    return sid;
  });

  const { callable, ensureNamed } = toolsOf(environment, options, async () =>
    toolFacts((await requests.send('GET', path('task_tools'), { sid: await open() })).json),
  );

  const attempt = async ({ tool, input }: Sample): Promise<Answer> => {
    const sid = await open();
    budget.take('calls');
    const headers = [['Accept', 'text/event-stream']] as const;
    return await requests.open('POST', path('call'), { sid, json: { name: tool.name, input }, headers }).end();
  };

  return {
    callable,
    ensureNamed,
    sample: once(async () => sampleOf(await callable(), options, inputs)),
    call: once(async () => {
      const samples = await samplesOf(await callable(), options, inputs, MOST_SHARED_CALLS);
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
const pingEvery = (ms: number, connection: Connection, sid: string) =>
  setInterval(() => void new Requests(connection).send('POST', '/ping', { sid }), ms).unref();

/** Calls until a tool takes its input; an answer that shows the most where none does. */
async function firstTaken(
  [sample, ...others]: [Sample, ...Sample[]],
  attempt: (sample: Sample) => Promise<Answer>,
  budget: Budget,
): Promise<Answer> {
  let best = await attempt(sample);
  for (const other of others) {
    if (!isRefusal(best) || !budget.has('calls')) break;
    const answer = await attempt(other);
    // A tool that says why it failed shows more than a server that does.
    if (!isRefusal(answer) || (best.streamError !== undefined && answer.streamError === undefined)) best = answer;
  }
  return best;
}

/** The tool does not take this input, or cannot do anything with it; another one may. */
function isRefusal(answer: Answer): boolean {
  const { status, streamError, resultText, failure } = answer;
  if (answer.exchange.failure !== undefined || status >= 500) return false;
  return failure !== undefined && (streamError === undefined || resultText === undefined);
}

/** The first of the tools for which there is an input. Throws Untestable where there is none. */
export async function sampleOf(
  tools: readonly ToolFacts[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: Inputs,
): Promise<Sample> {
  return (await samplesOf(tools, options, inputs, 1))[0];
}

function samplesOf(
  tools: readonly ToolFacts[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: Inputs,
  most: number,
): Promise<[Sample, ...Sample[]]> {
  return chooseSamples(tools, most, async ({ name, inputSchema }) => {
    const named = options.inputs?.[name];
    return named ? [named] : (await inputs.of(inputSchema)).valid.map(({ value }) => value);
  });
}

import { FIXTURE, type FixtureTool } from './fixture.ts';
import type { Inputs } from './inputs/inputs.ts';
import { type ConformanceOptions, STANDARD_TIMES } from './options.ts';
import {
  type Answer,
  allowedTools,
  type Budget,
  type Connection,
  chooseSample,
  once,
  Requests,
  type Sample,
  type Shared,
  sidOf,
} from './probe/index.ts';
import { type Target, type ToolFacts, toolFacts } from './target.ts';
import { given } from './verdict.ts';

const PLAIN_TOOL: FixtureTool = 'echo';

export interface SharedParts {
  readonly connection: Connection;
  readonly target: Target;
  readonly inputs: Inputs;
  readonly budget: Budget;
  readonly options: ConformanceOptions;
}

/** The episode, the call and the sample input that the checks of a run have in common. */
export function share({ connection, target, inputs, budget, options }: SharedParts): Shared & AsyncDisposable {
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
    (await requests.send('POST', '/create', { sid, json })).successful('/create');
    pings = pingEvery((options.times?.idleMs ?? STANDARD_TIMES.idleMs) / 4, connection, sid);
    return sid;
  });

  const callable = once(async () => {
    given(!options.noToolCalls, 'tool calls are not allowed');
    const listed = environment.tools.length > 0 ? environment.tools : await taskTools();
    return plainFirst(environment.name, allowedTools({ tools: listed }, options));
  });

  const sample = once(async () => sampleOf(await callable(), options, inputs));

  const taskTools = async (): Promise<ToolFacts[]> =>
    toolFacts((await requests.send('GET', path('task_tools'), { sid: await open() })).json);

  const call = once(async (): Promise<Answer> => {
    const [{ tool, input }, sid] = [await sample(), await open()];
    budget.take('calls');
    const headers = [['Accept', 'text/event-stream']] as const;
    return await requests.open('POST', path('call'), { sid, json: { name: tool.name, input }, headers }).whole();
  });

  return {
    sample,
    callable,
    call,
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

/** The first of the tools for which there is an input. Throws Untestable where there is none. */
export function sampleOf(
  tools: readonly ToolFacts[],
  options: Pick<ConformanceOptions, 'inputs'>,
  inputs: Inputs,
): Promise<Sample> {
  return chooseSample(
    tools,
    async ({ name, inputSchema }) => options.inputs?.[name] ?? (await inputs.of(inputSchema)).valid[0]?.value,
  );
}

/** Other tools of the fixture may give what no server may pass on. */
function plainFirst(environment: string, tools: readonly ToolFacts[]): readonly ToolFacts[] {
  if (environment.toLowerCase() !== FIXTURE) return tools;
  return [...tools].sort((a, b) => Number(b.name === PLAIN_TOOL) - Number(a.name === PLAIN_TOOL));
}

import type { RunStats, Trace } from '../../../generated/trace.ts';
import { listPages, type TraceApiRequester } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import { parseTraceId } from './trace-ids.ts';

/** Traces that are there, and how many. */
export interface ChosenTraces {
  readonly all: number;
  readonly traces: AsyncIterable<Trace>;
}

/** Those with these ids, in their order, or those of a run, oldest first. @throws Failure or TraceError where there are none. */
export async function chooseTraces(
  api: TraceApiRequester,
  ids: readonly string[],
  run: string | undefined,
): Promise<ChosenTraces> {
  if (run !== undefined && ids.length > 0) throw new CliError('give either ids of traces or --run, not both');
  if (run !== undefined) {
    // The answer to runStats is of a run.
    const stats = (await api.json('runStats', { run, query: { bins: 1 } })) as RunStats;
    return { all: stats.run.trace_count, traces: tracesOf(api, run) };
  }
  if (ids.length === 0) throw new CliError('which traces? give their ids, or --run <name> for all of a run');
  const traces: Trace[] = [];
  for (const id of ids.map(parseTraceId)) traces.push((await api.json('getTrace', { traceId: id })) as Trace);
  return { all: traces.length, traces: inOrder(traces) };
}

async function* tracesOf(api: TraceApiRequester, run: string): AsyncGenerator<Trace> {
  for await (const { traces } of listPages(api, 'listTraces', { run, sort: 'created', order: 'asc' })) yield* traces;
}

async function* inOrder(traces: readonly Trace[]): AsyncGenerator<Trace> {
  yield* traces;
}

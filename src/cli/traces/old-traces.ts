import type { Trace } from '../../../generated/trace.ts';
import { listPages, type TraceApiRequester } from '../../trace/client/index.ts';

export type OldTraces = AsyncIterable<Trace>;

interface OldTracesOptions {
  /** A timestamp. */
  readonly before: string;
  readonly run: string | undefined;
}

/** Those that have not changed since, oldest first; a trace that changed before was created before. */
export async function* listOldTraces(api: TraceApiRequester, { before, run }: OldTracesOptions): AsyncGenerator<Trace> {
  const query = { created_before: before, sort: 'created', order: 'asc', ...(run !== undefined && { run }) };
  for await (const { traces } of listPages(api, 'listTraces', query)) {
    for (const trace of traces) if (trace.updated_at < before) yield trace;
  }
}

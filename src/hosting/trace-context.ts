import { openTelemetry } from '../telemetry/index.ts';

/** The trace that something belongs to, as the headers that would tell it to another process. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** What the code that asks belongs to; undefined where nobody traces. */
export function traceHeaders(): TraceHeaders | undefined {
  const api = openTelemetry();
  if (!api) return undefined;
  const headers = {};
  api.propagation.inject(api.context.active(), headers);
  return Object.keys(headers).length > 0 ? headers : undefined;
}

/** Runs work so that the spans that it makes belong to a trace. */
export function runInTrace<T>(headers: TraceHeaders | undefined, work: () => T): T {
  const api = headers && openTelemetry();
  if (!api) return work();
  const { context, propagation, ROOT_CONTEXT } = api;
  return context.with(propagation.extract(ROOT_CONTEXT, headers), work);
}

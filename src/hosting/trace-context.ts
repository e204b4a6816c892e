import { openTelemetry } from '../telemetry/index.ts';

/** The trace that something belongs to, as the headers that would tell it to another process. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** What the code that asks belongs to; undefined where nobody traces. */
export function traceHeaders(): TraceHeaders | undefined {
  if (!openTelemetry) return undefined;
  const headers = {};
  openTelemetry.propagation.inject(openTelemetry.context.active(), headers);
  return Object.keys(headers).length > 0 ? headers : undefined;
}

/** Runs work so that the spans that it makes belong to a trace. */
export function inTrace<T>(headers: TraceHeaders | undefined, work: () => T): T {
  if (!openTelemetry || !headers) return work();
  const { context, propagation, ROOT_CONTEXT } = openTelemetry;
  return context.with(propagation.extract(ROOT_CONTEXT, headers), work);
}

import { createRequire } from 'node:module';
import { isMissingPackage } from '../core/index.ts';

export type OpenTelemetryApi = typeof import('@opentelemetry/api');

const require = createRequire(import.meta.url);

/** Global key under which all copies of version 1 of the API keep the registered providers. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

let loaded: { readonly api: OpenTelemetryApi | undefined } | undefined;

/** Returns `@opentelemetry/api` if a provider is registered. It is loaded no earlier, since without one it does nothing. */
export function openTelemetry(): OpenTelemetryApi | undefined {
  if (!loaded && REGISTERED in globalThis) loaded = { api: load() };
  return loaded?.api;
}

function load(): OpenTelemetryApi | undefined {
  try {
    return require('@opentelemetry/api') as OpenTelemetryApi;
  } catch (error) {
    if (isMissingPackage(error, '@opentelemetry/api')) return undefined;
    throw error;
  }
}

/** A trace context as HTTP headers, to pass it to another thread. */
type TraceHeaders = Readonly<Record<string, string>>;

/** Returns the active trace context, or undefined if there is none. */
export function traceHeaders(): TraceHeaders | undefined {
  const api = openTelemetry();
  if (!api) return undefined;
  const headers = {};
  api.propagation.inject(api.context.active(), headers);
  return Object.keys(headers).length > 0 ? headers : undefined;
}

/** Runs work in the trace context of the headers, which becomes the parent of its spans. */
export function runInTrace<T>(headers: TraceHeaders | undefined, work: () => T): T {
  const api = headers && openTelemetry();
  if (!api) return work();
  const { context, propagation, ROOT_CONTEXT } = api;
  return context.with(propagation.extract(ROOT_CONTEXT, headers), work);
}

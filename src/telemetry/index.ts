import { createRequire } from 'node:module';
import { isMissingPackage } from '../core/index.ts';

export type OpenTelemetryApi = typeof import('@opentelemetry/api');

const require = createRequire(import.meta.url);

/** Where every copy of version 1 of the API keeps what programs register with it. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

let loaded: { readonly api: OpenTelemetryApi | undefined } | undefined;

/** `@opentelemetry/api` where it is installed and something is registered with it: before that it does nothing, and is not loaded. */
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

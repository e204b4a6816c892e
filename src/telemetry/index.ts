import { createRequire } from 'node:module';

type Api = typeof import('@opentelemetry/api');

const require = createRequire(import.meta.url);

/** `@opentelemetry/api` where it is installed. It does nothing before a program registers a tracer with it. */
export const openTelemetry: Api | undefined = load();

function load(): Api | undefined {
  try {
    return require('@opentelemetry/api') as Api;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

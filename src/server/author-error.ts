import { isOrsError, OrsError } from '../protocol/index.ts';
import type { ErrorDetail } from './settings.ts';

/**
 * What a client learns of an error that an author's code threw. Never empty, and free of the episode's secrets, which
 * error messages of API clients like to quote.
 */
export function describeAuthorError(error: unknown, level: ErrorDetail, secrets: readonly string[] = []): string {
  return redact(describe(error, level), secrets);
}

function describe(error: unknown, level: ErrorDetail): string {
  if (level === 'none') return 'the environment failed';
  if (!(error instanceof Error)) return `the environment threw ${typeof error === 'string' ? error : typeof error}`;
  if (level === 'stack') return error.stack ?? String(error);
  const name = error.name === 'OutputError' ? 'invalid output' : error.name;
  return error.message ? `${name}: ${error.message}` : name;
}

/** Takes secret values out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '[secret]')), text);
}

/** Runs an author's code outside of a tool: what it throws becomes 500 `{"detail"}`; an OrsError passes. */
export async function runAuthorCode<T>(run: () => Promise<T> | T, level: ErrorDetail, secrets?: readonly string[]): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isOrsError(error)) throw error;
    throw new OrsError('author_error', describeAuthorError(error, level, secrets), { cause: error });
  }
}

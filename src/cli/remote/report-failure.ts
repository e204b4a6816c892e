import {
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  SessionLostError,
  ToolCrashedError,
} from '../../client/index.ts';
import { createRedactor, errorMessage, errorName, hasCode, headerSecrets, oneLine } from '../../core/index.ts';
import { CliError, EXIT } from '../failure.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { ConnectionFlags } from './connection-options.ts';

/** Options of a command whose values nobody may read. */
interface SecretFlags extends Pick<ConnectionFlags, 'apiKey' | 'header'> {
  readonly secret?: Readonly<Record<string, string>>;
}

/**
 * Runs a command to its end: a failure becomes one line on standard error, or with `json` one JSON document
 * `{"error": {...}}`, and the exit code.
 *
 * @param flags have secrets, which servers may repeat in their errors; they are masked.
 */
export async function reportFailure(
  json: boolean,
  work: () => Promise<void>,
  { secret = {}, apiKey, header = {} }: SecretFlags = {},
): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isUnread(error)) throw error;
    });
  }
  try {
    await work();
  } catch (error) {
    // Whoever reads what is written has enough.
    if (isUnread(error)) return;
    const line = json ? safeJson({ error: describe(error) }) : `ors: ${describeError(error)}`;
    const headers = Object.entries(header).flatMap(([name, value]) => headerSecrets(name, value));
    const redactor = createRedactor([...Object.values(secret), ...headers, ...(apiKey === undefined ? [] : [apiKey])]);
    process.stderr.write(`${redactor.text(line)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : EXIT.failed;
  }
}

/** `ors ... | head` closes the pipe when it has enough; a terminal that is closed reads nothing either. */
const isUnread = (error: unknown): boolean => hasCode(error, 'EPIPE', 'EIO');

function describe(error: unknown) {
  const { status = null, sid = null, retryable = false } = error instanceof OrsClientError ? error : {};
  return { name: errorName(error) || 'Error', message: describeError(error), status, sid, retryable };
}

/** What went wrong, and what to do next, on one line. */
export function describeError(error: unknown): string {
  const message = oneLine(errorMessage(error)).replace(/[.;]$/, '');
  const advice = adviceFor(error);
  return advice === undefined ? message : `${message}; ${advice}`;
}

function adviceFor(error: unknown): string | undefined {
  if (error instanceof OrsConnectionError) return 'check the address, and that the server runs';
  if (error instanceof SessionLostError) return 'open a new one with --split and --index, or --task';
  if (error instanceof ToolCrashedError) return "the environment's author can see more in the server's log";
  if (error instanceof OrsHttpError && (error.status === 401 || error.status === 403)) {
    return 'give a key with --api-key or ORS_API_KEY';
  }
  return undefined;
}

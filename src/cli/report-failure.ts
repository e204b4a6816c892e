import {
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  SessionLostError,
  ToolCrashedError,
} from '../client/index.ts';
import {
  codeFrameOf,
  createRedactor,
  errorMessage,
  errorName,
  hasCode,
  headerSecrets,
  networkErrorKind,
  oneLine,
  propertyOf,
  UnknownNameError,
} from '../core/index.ts';
import { CliError, type FailureReporter } from './failure.ts';
import { reportUnexpectedExit } from './process.ts';
import { safeJson } from './terminal/terminal.ts';

/** Flags that decide how a failure is reported. Secrets are masked, because servers may repeat them in their errors. */
interface ReportFlags {
  readonly json?: boolean;
  readonly apiKey?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly secret?: Readonly<Record<string, string>>;
}

/**
 * Runs a command. A failure becomes one line on standard error, or with `--json` one JSON document
 * `{"error": {...}}`, and an exit code.
 *
 * @param exitCode exit code of failures without their own.
 */
export async function reportFailure(
  { json, secret = {}, apiKey, header = {} }: ReportFlags,
  work: () => Promise<void>,
  exitCode: number,
): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
  try {
    await work();
  } catch (error) {
    // The reader of the output has stopped reading.
    if (isClosedPipe(error)) return;
    const line = json ? safeJson({ error: describe(error) }) : `ors: ${describeError(error)}`;
    const frame = json ? undefined : codeFrameOf(error);
    const headers = Object.entries(header).flatMap(([name, value]) => headerSecrets(name, value));
    const redactor = createRedactor([...Object.values(secret), ...headers, apiKey ?? '']);
    process.stderr.write(`${redactor.text(line)}\n${frame === undefined ? '' : `\n${redactor.text(frame)}`}`);
    process.exitCode = error instanceof CliError ? (error.exitCode ?? exitCode) : exitCode;
  }
}

/**
 * Creates a reporter for commands that run an environment's code in this process: reports if that code ends the process,
 * and ends the process although that code may have left timers or sockets open.
 *
 * @param describe describes an exit that the environment's code caused; it becomes an exit with the code of failures.
 */
export const guardedReporter =
  (describe: (code: number) => string): FailureReporter =>
  async (flags, work, exitCode) => {
    const release = reportUnexpectedExit(describe, exitCode);
    await reportFailure(flags, work, exitCode);
    release();
    const code = process.exitCode;
    process.stdout.write('', () => process.exit(code));
  };

/** `ors ... | head` closes the pipe (EPIPE); a closed terminal gives EIO. */
const isClosedPipe = (error: unknown): boolean => hasCode(error, 'EPIPE', 'EIO');

function describe(error: unknown) {
  const { status = null, sid = null, retryable = false } = error instanceof OrsClientError ? error : {};
  return { name: errorName(error) || 'Error', message: describeError(error), status, sid, retryable };
}

/** Flags that select something by name, by the kind of an UnknownNameError. */
const NAME_FLAGS: Readonly<Record<string, string>> = {
  environment: '--env',
  split: '--split',
  rule: '--ignore',
  attack: '--attack',
};

/** Advice of the client that names an option of the library; the advice of the command names the flag. */
const LIBRARY_ADVICE = /; pass the certificate of its authority as ca$/;

/** Formats an error and its remedy on one line. */
export function describeError(error: unknown): string {
  const message = oneLine(errorMessage(error)).replace(LIBRARY_ADVICE, '').replace(/[.;]$/, '');
  const flag = error instanceof UnknownNameError ? NAME_FLAGS[error.kind] : undefined;
  const advice = adviceFor(error);
  return `${flag === undefined ? '' : `${flag}: `}${message}${advice === undefined ? '' : `; ${advice}`}`;
}

function adviceFor(error: unknown): string | undefined {
  // Advice that was found where the error was thrown.
  const advice = propertyOf(error, 'advice');
  if (typeof advice === 'string') return advice;
  if (error instanceof OrsConnectionError) return connectionAdvice(error);
  if (error instanceof SessionLostError) return 'open a new one with --split and --index, or --task';
  if (error instanceof ToolCrashedError) return "the environment's author can see more in the server's log";
  if (error instanceof OrsHttpError && (error.status === 401 || error.status === 403)) {
    return 'pass a valid key with --api-key or ORS_API_KEY';
  }
  return undefined;
}

/** Returns what to do about a connection that cannot be opened. */
export function connectionAdvice(error: unknown): string {
  const isCertificate = networkErrorKind(error) === 'certificate';
  return isCertificate
    ? 'pass the certificate of its authority with --ca <file>'
    : 'check the address, and that the server runs';
}

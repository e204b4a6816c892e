import { OrsClient, OrsHttpError, type RemoteEnvironment } from '../../client/index.ts';
import {
  abortable,
  deadlineSignal,
  parseHttpUrl,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../../core/index.ts';
import { CliError } from '../failure.ts';
import type { ConnectionFlags } from './connection-options.ts';
import { unknownName } from './names.ts';

/** A server that does not answer at all is given up soon. */
const PROBE_MS = 5_000;
/** One that has answered is waited for longer: setup may take its time. */
const RETRY_TIMEOUT_MS = 120_000;

/** A server that has answered. */
export interface ServerConnection extends AsyncDisposable {
  readonly url: string;
  readonly client: OrsClient;
  /** The names of its environments, in its order. */
  readonly names: readonly string[];
  /** An environment by its name, case aside. @throws Failure saying which there are. */
  environment(name: string): RemoteEnvironment;
  /**
   * Asks the server something, with a signal that aborts at an interrupt and, if --timeout is given, after that time.
   *
   * @throws the interrupt's reason; Failure after the time.
   */
  request<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Connects, which takes one request. @throws Failure if there is no ORS server at the address. */
export async function connectToServer(
  address: string,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<ServerConnection> {
  const url = parseServerUrl(address);
  const { apiKey, header, ca, timeout } = flags;
  const options = { headers: header ?? {}, ...(apiKey !== undefined && { apiKey }), ...(ca !== undefined && { ca }) };
  const ask = <T>(work: (signal: AbortSignal) => Promise<T>) => withDeadline(timeout, interrupt, work);

  const waitMs = (timeout ?? 0) * 1000;
  const probeMs = Math.max(PROBE_MS, waitMs);
  await using probe = new OrsClient(url, { ...options, responseTimeoutMs: probeMs, retry: { budgetMs: probeMs } });
  const names = await ask((signal) => probe.environments({ signal })).catch((error: unknown) => {
    throw notThere(error, url);
  });
  const client = new OrsClient(url, { ...options, retry: { budgetMs: Math.max(RETRY_TIMEOUT_MS, waitMs) } });
  return {
    url,
    client,
    names,
    request: ask,
    environment(name) {
      const found = names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase());
      if (found === undefined) throw new CliError(`at ${url} ${unknownName('environment', name, names)}`);
      return client.environment(found);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/**
 * Parses the address of a server. @returns origin and path.
 *
 * @param fail makes the error for other texts.
 */
export function parseServerUrl(address: string, fail = (message: string): Error => new CliError(message)): string {
  const url = parseHttpUrl(address);
  if (!url) {
    const shown = withoutCredentials(address);
    const meant = `http://${shown.replace(/^.*:\/\//, '')}`;
    const advice = URL.canParse(meant) ? meant : 'http://127.0.0.1:8080';
    throw fail(`'${shown}' is not the address of a server; write it like ${advice}`);
  }
  if (url.username || url.password) {
    throw fail(`the address of ${url.host} has a name or password in it; send them with --header instead`);
  }
  return withoutTrailingSlashes(url.origin + url.pathname);
}

function notThere(error: unknown, url: string): unknown {
  if (!(error instanceof OrsHttpError) || (error.status !== 404 && error.status !== 405)) return error;
  const advice = 'give the address under which /list_environments is found';
  return new CliError(`there is no ORS server at ${url}: it answered ${error.status} ${error.detail}; ${advice}`, {
    cause: error,
  });
}

async function withDeadline<T>(
  seconds: number | undefined,
  interrupt: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(interrupt);
  const tooLate = () => new CliError(`no answer within ${seconds} s; give it more with --timeout <seconds>`);
  const { signal, release } = deadlineSignal(seconds * 1_000, tooLate, interrupt);
  try {
    return await abortable(signal, () => work(signal));
  } finally {
    release();
  }
}

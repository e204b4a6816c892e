import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import {
  type OpenSessionOptions,
  OrsClient,
  OrsConnectionError,
  OrsHttpError,
  type RemoteEnvironment,
  type Session,
  type TaskSelector,
} from '../../client/index.ts';
import { abortable, deadlineSignal, networkErrorKind, unknownName } from '../../core/index.ts';
import { parseServerUrl } from '../command.ts';
import { CliError, noResponse } from '../failure.ts';
import type { ConnectionFlags } from './flags.ts';

/** Longest wait for the first response. */
const PROBE_TIMEOUT_MS = 5_000;
/** Retry budget after the first response: setup may take long. */
const RETRY_TIMEOUT_MS = 120_000;

/** A server that has responded. */
export interface ServerConnection extends AsyncDisposable {
  readonly url: string;
  readonly client: OrsClient;
  /** Names of its environments, in the order of the server. */
  readonly names: readonly string[];
  /**
   * Returns an environment by its name, ignoring case.
   *
   * @param flag flag that names it, for messages. @default none: an argument
   * @throws CliError that lists the environments.
   */
  environment(name: string, flag?: string): RemoteEnvironment;
  /**
   * Runs requests with a signal that aborts on an interrupt and, with --timeout, after that time.
   *
   * @throws the interrupt's reason; CliError after the timeout.
   */
  request<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Connects with one request. @throws CliError if the address is not that of an ORS server. */
export async function connectToServer(
  address: string,
  flags: ConnectionFlags,
  interrupt: AbortSignal,
): Promise<ServerConnection> {
  const url = parseServerUrl(address);
  const { apiKey, header, ca, timeout } = flags;
  const options = { headers: header ?? {}, ...(apiKey !== undefined && { apiKey }), ...(ca !== undefined && { ca }) };
  const request = async <T>(work: (signal: AbortSignal) => Promise<T>) => {
    if (timeout === undefined) return work(interrupt);
    const { signal, release } = deadlineSignal(timeout * 1_000, () => noResponse(timeout), interrupt);
    return await abortable(signal, () => work(signal)).finally(release);
  };

  const waitMs = (timeout ?? 0) * 1000;
  const probeMs = Math.max(PROBE_TIMEOUT_MS, waitMs);
  await using probe = new OrsClient(url, { ...options, responseTimeoutMs: probeMs, retry: { budgetMs: probeMs } });
  const names = await request((signal) => probe.environments({ signal })).catch(async (error: unknown) => {
    throw await describeConnectError(error, url);
  });
  const client = new OrsClient(url, { ...options, retry: { budgetMs: Math.max(RETRY_TIMEOUT_MS, waitMs) } });
  return {
    url,
    client,
    names,
    request,
    environment(name, flag) {
      const found = names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase());
      if (found !== undefined) return client.environment(found);
      const where = flag === undefined ? 'at' : `${flag}: at`;
      throw new CliError(`${where} ${url} ${unknownName('environment', name, names)}`);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function describeConnectError(error: unknown, url: string): Promise<unknown> {
  if (!(error instanceof OrsConnectionError || error instanceof OrsHttpError)) return error;
  const { status, detail } = error;
  // A server of https may respond to http with 400.
  if (status === null || status === 400) {
    const advice = await schemeAdvice(url, error);
    return advice === undefined ? error : Object.assign(error, { advice });
  }
  if (status !== 404 && status !== 405) return error;
  const advice = 'pass the URL below which /list_environments is served';
  return new CliError(`there is no ORS server at ${url}: it responded ${status} ${detail}; ${advice}`, {
    cause: error,
  });
}

/** Opens a session. @throws CliError that lists the splits if the split does not exist; errors of the client. */
export function openSessionWithHints(
  environment: RemoteEnvironment,
  task: TaskSelector,
  options: OpenSessionOptions,
  request: ServerConnection['request'],
): Promise<Session> {
  const open = (signal: AbortSignal) => environment.session(task, { ...options, signal });
  return 'task' in task ? request(open) : withKnownSplit(environment, task.split, request, open);
}

/** Runs a request about a split; explains its failure if the split does not exist. */
export async function withKnownSplit<T>(
  environment: RemoteEnvironment,
  split: string,
  request: ServerConnection['request'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await request(work);
  } catch (error) {
    if (!(error instanceof OrsHttpError)) throw error;
    const splits = await request((signal) => environment.splits({ signal })).catch(() => []);
    const names = splits.map(({ name }) => name);
    if (names.length === 0 || names.includes(split)) throw error;
    throw new CliError(`in '${environment.name}' ${unknownName('split', split, names)}`, { cause: error });
  }
}

/** Requests a URL over a separate connection. @returns the response, whose body must be read or destroyed. */
export function requestOnce(target: string, options: RequestOptions): Promise<IncomingMessage> {
  const send = /^https:/i.test(target) ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(target, { ...options, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

const SCHEME_TIMEOUT_MS = 2_000;

/**
 * Returns what to do about a URL with the wrong scheme, http instead of https or the reverse; undefined if the scheme is
 * right, or nothing listens there.
 *
 * @param error error of the request that failed.
 */
export async function schemeAdvice(url: string, error: unknown): Promise<string | undefined> {
  const kind = networkErrorKind(error);
  if (kind === 'not_sent' || kind === 'certificate') return undefined;
  const isHttps = /^https:/i.test(url);
  const other = url.replace(/^https?:/i, isHttps ? 'http:' : 'https:');
  try {
    // Nothing is sent but the request line: any response shows the scheme.
    const signal = AbortSignal.timeout(SCHEME_TIMEOUT_MS);
    const response = await requestOnce(`${new URL(other).origin}/`, { signal, rejectUnauthorized: false });
    response.destroy();
  } catch {
    return undefined;
  }
  return `the server there speaks ${isHttps ? 'http' : 'https'}; pass ${other}`;
}

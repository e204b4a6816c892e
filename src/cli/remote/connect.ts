import {
  type OpenSessionOptions,
  OrsClient,
  OrsHttpError,
  type RemoteEnvironment,
  type Session,
  type TaskSelector,
} from '../../client/index.ts';
import { abortable, deadlineSignal } from '../../core/index.ts';
import { parseServerUrl } from '../command.ts';
import { CliError, noResponse, unknownName } from '../failure.ts';
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
  /** Returns an environment by its name, ignoring case. @throws CliError that lists the environments. */
  environment(name: string): RemoteEnvironment;
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
  const names = await request((signal) => probe.environments({ signal })).catch((error: unknown) => {
    throw describeConnectError(error, url);
  });
  const client = new OrsClient(url, { ...options, retry: { budgetMs: Math.max(RETRY_TIMEOUT_MS, waitMs) } });
  return {
    url,
    client,
    names,
    request,
    environment(name) {
      const found = names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase());
      if (found === undefined) throw new CliError(`at ${url} ${unknownName('environment', name, names)}`);
      return client.environment(found);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function describeConnectError(error: unknown, url: string): unknown {
  if (!(error instanceof OrsHttpError) || (error.status !== 404 && error.status !== 405)) return error;
  const advice = 'pass the URL below which /list_environments is served';
  return new CliError(`there is no ORS server at ${url}: it responded ${error.status} ${error.detail}; ${advice}`, {
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

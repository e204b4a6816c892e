import { aborted, errorMessage } from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import type { TraceApiRequester } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import type { StoreAccessFlags } from './access-options.ts';
import { type OpenStoreOptions, openStore } from './open-store.ts';
import { resolveStoreLocation } from './place.ts';
import { followRemoteTrace } from './remote-events.ts';
import { withRetries } from './retrying.ts';

/** The traces of one organization, in a file or behind a server. */
export interface TraceAccess extends AsyncDisposable {
  /** Asks for an operation; the same in either place. */
  readonly api: TraceApiRequester;
  /** The events of a trace that is there, after a place, until the signal. Source: trace.openapi.yaml, streamTrace. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<ServerSentEvent>;
}

const ORGANIZATION = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/;

/** @throws Failure for a name that no path of the API can have. */
export function assertOrganization(org: string): void {
  if (ORGANIZATION.test(org)) return;
  throw new CliError(`--org '${org}' is no name of an organization; it has letters, digits, and . _ - after the first`);
}

/** @throws Failure where it is not clear or not possible. */
export async function openTraceAccess(
  flags: StoreAccessFlags,
  options: Partial<OpenStoreOptions> & { readonly signal?: AbortSignal } = {},
): Promise<TraceAccess> {
  const { org } = flags;
  assertOrganization(org);
  const { file, url } = resolveStoreLocation(flags);
  return url === undefined
    ? await openFile(file, org, { mayCreate: false, ...options })
    : await openRemote(url, flags, options.signal);
}

async function openFile(file: string, org: string, options: OpenStoreOptions): Promise<TraceAccess> {
  const store = await openStore(file, options);
  const { createStoreCall, follow } = await import('../../trace/api/index.ts');
  const { createLocalTraceApi } = await import('../../trace/recorder/index.ts');
  return {
    api: createLocalTraceApi(createStoreCall(store, tell), org),
    async *follow(id, after, signal) {
      // Neither a file nor a signal that is listened for keeps the process.
      const awake = setInterval(() => {}, 60_000);
      const stopped = aborted(signal).then(() => undefined);
      try {
        yield* follow(store, { org, id, after }, stopped);
      } finally {
        clearInterval(awake);
      }
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

async function openRemote(
  url: string,
  { apiKey, org }: StoreAccessFlags,
  signal: AbortSignal | undefined,
): Promise<TraceAccess> {
  if (apiKey !== undefined) checkKey(apiKey);
  const { createTraceApiRequester } = await import('../../trace/client/index.ts');
  const server = { url, apiKey, organization: org, fetch: globalThis.fetch };
  return {
    api: withRetries(createTraceApiRequester(server), signal),
    follow: (id, after, signal) => followRemoteTrace(server, { id, after }, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What fetch says of such a key repeats it. */
function checkKey(key: string): void {
  try {
    new Headers({ 'x-api-key': key });
  } catch {
    throw new CliError('the API key has characters that no header can have; look at --api-key and ORS_TRACES_API_KEY');
  }
}

function tell(error: unknown): void {
  process.stderr.write(`ors: the store failed: ${errorMessage(error)}\n`);
}

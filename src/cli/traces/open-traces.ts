import { aborted, errorMessage } from '../../core/index.ts';
import type { ServerSentEvent } from '../../sse/index.ts';
import type { Api } from '../../trace/client/index.ts';
import { Failure } from '../failure.ts';
import type { AccessFlags } from './access-options.ts';
import { type OpenOptions, openStore } from './open-store.ts';
import { placeOf } from './place.ts';
import { remoteEvents } from './remote-events.ts';
import { persistent } from './retrying.ts';

/** The traces of one organization, in a file or behind a server. */
export interface Traces extends AsyncDisposable {
  /** Asks for an operation; the same in either place. */
  readonly api: Api;
  /** The events of a trace that is there, after a place, until the signal. Source: trace.openapi.yaml, streamTrace. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<ServerSentEvent>;
}

const ORGANIZATION = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/;

/** @throws Failure for a name that no path of the API can have. */
export function checkOrganization(org: string): void {
  if (ORGANIZATION.test(org)) return;
  throw new Failure(`--org '${org}' is no name of an organization; it has letters, digits, and . _ - after the first`);
}

/** @throws Failure where it is not clear or not possible. */
export async function openTraces(
  flags: AccessFlags,
  options: Partial<OpenOptions> & { readonly signal?: AbortSignal } = {},
): Promise<Traces> {
  const { org } = flags;
  checkOrganization(org);
  const { file, url } = placeOf(flags);
  return url === undefined
    ? await openFile(file, org, { mayCreate: false, ...options })
    : await openRemote(url, flags, options.signal);
}

async function openFile(file: string, org: string, options: OpenOptions): Promise<Traces> {
  const store = await openStore(file, options);
  const { callStore, follow } = await import('../../trace/api/index.ts');
  const { createLocalApi } = await import('../../trace/recorder/index.ts');
  return {
    api: createLocalApi(callStore(store, tell), org),
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

async function openRemote(url: string, { apiKey, org }: AccessFlags, signal: AbortSignal | undefined): Promise<Traces> {
  if (apiKey !== undefined) checkKey(apiKey);
  const { createApi } = await import('../../trace/client/index.ts');
  const server = { url, apiKey, organization: org, fetch: globalThis.fetch };
  return {
    api: persistent(createApi(server), signal),
    follow: (id, after, signal) => remoteEvents(server, { id, after }, signal),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What fetch says of such a key repeats it. */
function checkKey(key: string): void {
  try {
    new Headers({ 'x-api-key': key });
  } catch {
    throw new Failure('the API key has characters that no header can have; look at --api-key and ORS_TRACES_API_KEY');
  }
}

function tell(error: unknown): void {
  process.stderr.write(`ors: the store failed: ${errorMessage(error)}\n`);
}

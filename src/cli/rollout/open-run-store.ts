import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isHttpUrl, maskableSecrets, settlesWithin } from '../../core/index.ts';
import { openRunTraces, type RunTraces } from '../../rollout/index.ts';
import { createClientForApi, createTraceApiRequester, type TraceApiRequester } from '../../trace/client/index.ts';
import { parseServerUrl } from '../remote/connect.ts';
import { redactLocation } from '../traces/open-store.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { type StoreWatchOptions, watchStore } from './watch-store.ts';

/** The store that a run records into, while it is open. */
export interface RunStore extends AsyncDisposable {
  /** Undefined where nothing is recorded. */
  readonly traces: RunTraces | undefined;
  /** What people look at it with; undefined where nothing is recorded. */
  readonly place: readonly string[] | undefined;
}

export interface RunStoreOptions extends Pick<StoreWatchOptions, 'signal' | 'onWait'> {
  /** The folder of the run. */
  readonly folder: string;
  /** The name of the run. */
  readonly run: string;
  /** Masked in all that is recorded. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** After an interrupt, what is left to be stored is not waited for any longer. */
const FLUSH_TIMEOUT_MS = 2_500;

/**
 * Opens the store of a run: the one that is named, or a SQLite file in its folder.
 *
 * @param target false for none, true for the file in the folder.
 * @throws Error for what cannot be opened.
 */
export async function openRunStore(target: string | boolean, options: RunStoreOptions): Promise<RunStore> {
  const { folder, run, signal, onWait } = options;
  if (target === false) return { traces: undefined, place: undefined, [Symbol.asyncDispose]: async () => {} };
  const place = target === true ? join(folder, 'traces.db') : target;
  const isUrl = isHttpUrl(place);
  const shown = redactLocation(place);
  const opened = await openApi(place, isUrl, signal).catch((cause: Error) => {
    const known = existsSync(folder) ? `; when that is mended, go on with: ors rollout --resume ${folder}` : '';
    throw new Error(`the store of the traces, ${shown}, cannot be opened: ${cause.message}${known}`, { cause });
  });
  const watch = watchStore(opened.api, { place: shown, signal, onWait });
  // What fails to be recorded makes its episode fail.
  const client = createClientForApi(watch.api, { onError: () => {}, secrets: maskableSecrets(options.secrets) });
  return {
    traces: openRunTraces(watch.api, client, run),
    place: [isUrl ? '--url' : '--db', shown],
    async [Symbol.asyncDispose]() {
      const closed = client.close();
      await (signal.aborted ? settlesWithin(FLUSH_TIMEOUT_MS, closed) : closed);
      watch[Symbol.dispose]();
      await opened.close();
    },
  };
}

async function openApi(place: string, isUrl: boolean, signal: AbortSignal) {
  const organization = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const apiKey = process.env.ORS_TRACES_API_KEY;
  const where = isUrl ? { url: place, ...(apiKey !== undefined && { apiKey }) } : { db: place };
  const { api, [Symbol.asyncDispose]: close } = await openTraceAccess(
    { org: organization, ...where },
    { mayCreate: true, signal },
  );
  if (!isUrl) return { api, close };
  const once = createTraceApiRequester({ url: parseServerUrl(place), apiKey, organization, fetch: globalThis.fetch });
  return { api: mixed(api, once), close };
}

/** What the client of traces sends it tries again by itself; the rest is tried again here. */
const mixed = (persistent: TraceApiRequester, once: TraceApiRequester): TraceApiRequester => ({
  json: (operation, request) => (operation === 'listTraces' ? persistent : once).json(operation, request),
  bytes: persistent.bytes,
});

import type { Logger } from 'pino';
import {
  definedFields,
  errorMessage,
  isHttpUrl,
  propertyOf,
  settlesWithin,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../../core/index.ts';
import type { Journal, Recorder, ServerOptions } from '../../server/index.ts';
import type { OnTraceError, TraceClient, TraceClientOptions } from '../../trace/client/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { openDatabase, openStore, redactLocation } from '../traces/open-store.ts';

export const journalFlags = defineFlags(
  {
    '--journal <database>': {
      help: 'keep the episodes of environments with durability in a SQLite file or a PostgreSQL database (postgres://...), so that they continue after this process',
      env: 'ORS_JOURNAL',
    },
    '--journal-mode <mode>': {
      help: 'with --journal: whether a client receives a result once it is stored (sync), or at once (async) (default: sync)',
      choices: ['sync', 'async'],
    },
  },
  'Journal:',
);

/**
 * Opens the journal that the flags name. Its modules are loaded on demand.
 *
 * @throws Error if it cannot be opened; TypeError for flags that need it.
 */
export async function openServerJournal({
  journal,
  journalMode: mode,
  evictAfter,
}: FlagValues<typeof journalFlags> & { readonly evictAfter?: number }): Promise<Journal | undefined> {
  if (journal === undefined) {
    if (mode !== undefined) throw new TypeError('--journal-mode needs --journal <database>');
    if (evictAfter !== undefined) throw new TypeError('--evict-after needs --journal <database>');
    return undefined;
  }
  const { openJournal } = await import('../../journal/index.ts');
  return openDatabase(journal, '--journal', () => openJournal(journal, definedFields({ mode })));
}

export const recordingFlags = defineFlags(
  {
    '--traces <store>': {
      help: 'record every episode as a trace: in a SQLite file, a PostgreSQL database (postgres://...), or a trace store by its URL (its key: ORS_TRACES_API_KEY)',
      env: 'ORS_TRACES',
    },
    '--traces-spool <file>':
      'keep traces that a store at a URL has not confirmed yet in this file, and deliver them after a restart',
  },
  'Traces:',
);

/** Time for the last traces to be confirmed when the server stops. */
const FLUSH_TIMEOUT_MS = 20_000;

export interface ServerRecording {
  readonly recorder: Recorder;
  /** Routes that read the traces, if this process stores them. */
  readonly mounts: NonNullable<ServerOptions['mounts']>;
  /** Waits for receipts, and logs if some are missing. */
  close(): Promise<void>;
}

/**
 * Opens the store that the flags name, or returns undefined. The trace modules are loaded on demand: most servers record
 * nothing.
 *
 * @param node node tag of this process if it is one of several workers.
 * @throws Error if the file cannot be opened; TypeError for an invalid URL.
 */
export async function openRecording(
  { traces: target, tracesSpool: spool }: FlagValues<typeof recordingFlags>,
  log: Logger,
  node?: string,
): Promise<ServerRecording | undefined> {
  if (target === undefined) {
    if (spool !== undefined) throw new TypeError('--traces-spool needs --traces <url>');
    return undefined;
  }
  const isRemote = isHttpUrl(target);
  if (spool !== undefined && !isRemote) {
    throw new TypeError(`--traces-spool is for a store at a URL; ${redactLocation(target)} needs no spool`);
  }
  // Each worker has its own spool.
  const ownSpool = spool !== undefined && node !== undefined ? `${spool}.${node}` : spool;
  const { createRecorder } = await import('../../trace/recorder/index.ts');
  const opened = isRemote ? await openRemote(target, ownSpool, log) : await openFile(target, log);
  const { traces, mounts, check, close } = opened;
  return {
    recorder: createRecorder(traces, check),
    mounts,
    async close() {
      if (!(await settlesWithin(FLUSH_TIMEOUT_MS, traces.close()))) {
        const rest = spool ? 'the rest is in the spool' : 'the rest is lost';
        log.error({ spool }, `traces: not everything was confirmed within ${FLUSH_TIMEOUT_MS} ms; ${rest}`);
      }
      await close();
    },
  };
}

interface OpenedRecording {
  readonly traces: TraceClient;
  readonly mounts: ServerRecording['mounts'];
  /** Rejects while the store cannot be written. Undefined for a store at a URL, whose writes are retried. */
  readonly check?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const logFailure =
  (log: Logger): OnTraceError =>
  ({ code, message }, { id }) =>
    log.error({ code, id }, `traces: not recorded: ${message}`);

/** Logs each time the store becomes unavailable or available. */
const logStoreState =
  (log: Logger, waitsIn: string): NonNullable<TraceClientOptions['onStoreState']> =>
  (error) =>
    error
      ? log.error({ code: error.code }, `traces: the store is unavailable, traces wait in ${waitsIn}: ${error.message}`)
      : log.info({}, 'traces: the store is available again');

async function openRemote(url: string, spool: string | undefined, log: Logger): Promise<OpenedRecording> {
  const { createTraceApiRequester, createTraceClient } = await import('../../trace/client/index.ts');
  const waitsIn = spool === undefined ? 'memory' : 'the spool';
  const onStoreState = logStoreState(log, waitsIn);
  const traces = createTraceClient({ url, onError: logFailure(log), onStoreState, ...definedFields({ spool }) });
  const store = { url: withoutTrailingSlashes(url), apiKey: process.env.ORS_TRACES_API_KEY, fetch: globalThis.fetch };
  const organization = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  // Before the first episode: a wrong URL or key would otherwise be reported only then. The server starts meanwhile.
  createTraceApiRequester({ ...store, organization })
    .json('listTraces', { query: { limit: 1 } })
    .catch((error: unknown) => {
      const advice = propertyOf(error, 'status') === 401 ? 'set ORS_TRACES_API_KEY to its key' : 'check the URL';
      log.error(
        { url: withoutCredentials(url) },
        `traces: --traces does not work yet, traces wait in ${waitsIn}: ${errorMessage(error)}; ${advice}`,
      );
    });
  return { traces, mounts: {}, close: async () => {} };
}

async function openFile(path: string, log: Logger): Promise<OpenedRecording> {
  const { createTraceApi } = await import('../../trace/api/index.ts');
  const { createClientForApi } = await import('../../trace/client/index.ts');
  const { createLocalTraceApi } = await import('../../trace/recorder/index.ts');
  const store = await openStore(path, { mayCreate: true, flag: '--traces' });
  const onError = (error: unknown) => log.error({ error: errorMessage(error) }, 'traces: the store failed');
  const api = createTraceApi(store, { metrics: false, viewer: false, onError });
  const organization = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const traces = createClientForApi(createLocalTraceApi(api, organization), {
    onError: logFailure(log),
    onStoreState: logStoreState(log, 'memory'),
    limits: api.limits,
  });
  const close = async () => {
    await api.close();
    await store.close();
  };
  return { traces, mounts: { '/v1': api.handler }, check: () => store.checkWritable(), close };
}

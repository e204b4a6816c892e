import { type Command, Option } from 'commander';
import type { Logger } from 'pino';
import { errorMessage, isHttpUrl, settlesWithin } from '../../core/index.ts';
import type { Recorder, ServerOptions } from '../../server/index.ts';
import type { TraceClient, TraceClientOptions } from '../../trace/client/index.ts';
import { openStore, redactLocation } from '../traces/open-store.ts';

/** Where episodes are recorded to. */
export interface RecordingFlags {
  readonly traces?: string;
  readonly tracesSpool?: string;
}

/** How long what was recorded last may take to arrive when the server ends. */
const FLUSH_TIMEOUT_MS = 20_000;

export const addRecordingOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--traces <store>',
        'record every episode as a trace: into a SQLite file, a PostgreSQL database (postgres://...), or a trace store by its URL (its key: ORS_TRACES_API_KEY)',
      )
        .env('ORS_TRACES')
        .helpGroup('Traces:'),
    )
    .addOption(
      new Option(
        '--traces-spool <file>',
        'keep what a store at a URL has not taken yet in this file, and deliver it at the next start',
      ).helpGroup('Traces:'),
    );

export interface ServerRecording {
  readonly recorder: Recorder;
  /** What reads the traces again, where they are kept by this process. */
  readonly mounts: NonNullable<ServerOptions['mounts']>;
  /** Waits for the receipts of what was recorded, and says what has none. */
  close(): Promise<void>;
}

/**
 * Opens what the flags name; undefined where they name nothing. Loaded only then: most servers record nothing.
 *
 * @param node the tag of this process, where it is one of several.
 * @throws Error for a file that cannot be opened, TypeError for a URL that is none.
 */
export async function openRecording(
  { traces: target, tracesSpool: spool }: RecordingFlags,
  log: Logger,
  node?: string,
): Promise<ServerRecording | undefined> {
  if (target === undefined) {
    if (spool !== undefined) throw new TypeError('--traces-spool needs --traces <url>');
    return undefined;
  }
  const isRemote = isHttpUrl(target);
  if (spool !== undefined && !isRemote) {
    throw new TypeError(`--traces-spool is for a store at a URL; ${redactLocation(target)} is written to at once`);
  }
  // Each process of several keeps a spool of its own.
  const ownSpool = spool !== undefined && node !== undefined ? `${spool}.${node}` : spool;
  const { createRecorder } = await import('../../trace/recorder/index.ts');
  const opened = isRemote ? await openRemote(target, ownSpool, log) : await openFile(target, log);
  const { traces, mounts, check, close } = opened;
  return {
    recorder: createRecorder(traces, check),
    mounts,
    async close() {
      if (!(await settlesWithin(FLUSH_TIMEOUT_MS, traces.close())))
        log.error(
          { spool },
          `traces: not all was taken in ${FLUSH_TIMEOUT_MS} ms; ${spool ? 'the rest is in the spool' : 'the rest is lost'}`,
        );
      await close();
    },
  };
}

interface OpenedRecording {
  readonly traces: TraceClient;
  readonly mounts: ServerRecording['mounts'];
  /** Rejects while the store cannot be written. A store at a URL has none: what it does not take is sent again later. */
  readonly check?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const told =
  (log: Logger) =>
  ({ code, message }: { readonly code: string; readonly message: string }, { id }: { readonly id: string }): void =>
    log.error({ code, id }, `traces: not recorded: ${message}`);

/** Logs once for each change of whether the store takes recordings. */
const stateTold =
  (log: Logger, waitsIn: string): NonNullable<TraceClientOptions['onStoreState']> =>
  (error) =>
    error
      ? log.error(
          { code: error.code },
          `traces: the store takes nothing, recordings wait in ${waitsIn}: ${error.message}`,
        )
      : log.info({}, 'traces: the store takes recordings again');

async function openRemote(url: string, spool: string | undefined, log: Logger): Promise<OpenedRecording> {
  const { createTraceClient } = await import('../../trace/client/index.ts');
  const onStoreState = stateTold(log, spool === undefined ? 'memory' : 'the spool');
  const traces = createTraceClient({ url, onError: told(log), onStoreState, ...(spool !== undefined && { spool }) });
  return { traces, mounts: {}, close: async () => {} };
}

async function openFile(path: string, log: Logger): Promise<OpenedRecording> {
  const { createTraceApi } = await import('../../trace/api/index.ts');
  const { createClientForApi } = await import('../../trace/client/index.ts');
  const { createLocalTraceApi } = await import('../../trace/recorder/index.ts');
  const store = await openStore(path, { mayCreate: true });
  const onError = (error: unknown) => log.error({ error: errorMessage(error) }, 'traces: the store failed');
  const api = createTraceApi(store, { metrics: false, viewer: false, onError });
  const organization = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const traces = createClientForApi(createLocalTraceApi(api, organization), {
    onError: told(log),
    onStoreState: stateTold(log, 'memory'),
    limits: api.limits,
  });
  const close = async () => {
    await api.close();
    await store.close();
  };
  return { traces, mounts: { '/v1': api.handler }, check: () => store.checkWritable(), close };
}

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type RecordedTrace, readRecordedTraces } from '../../bridges/replay/index.ts';
import { errorMessage, hasScheme, isHttpUrl } from '../../core/index.ts';
import { createClientForApi, listPages } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import { chooseTraces } from '../traces/choose-traces.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { parseTraceId } from '../traces/trace-ids.ts';

export interface LoadTracesFlags {
  /** Ids of traces; none for all. */
  readonly trace?: readonly string[];
  readonly run?: string;
  readonly org: string;
  readonly apiKey?: string;
}

/** Reads traces out of a place: a store's file or address, or an export. @throws Failure where there are none. */
export async function loadTraces(
  place: string,
  flags: LoadTracesFlags,
  onRead: (count: number) => void,
): Promise<RecordedTrace[]> {
  const traces: RecordedTrace[] = [];
  const source = (await isStore(place)) ? ofStore(place, flags) : ofExport(place, flags);
  for await (const trace of source) {
    traces.push(trace);
    onRead(traces.length);
  }
  if (traces.length > 0) return traces;
  const which = flags.run === undefined ? 'traces' : `traces of the run '${flags.run}'`;
  throw new CliError(`in '${place}' there are no ${which} to replay`);
}

/** What SQLite files begin with. */
const SQLITE = 'SQLite format 3\0';

async function isStore(place: string): Promise<boolean> {
  if (hasScheme(place)) return true;
  try {
    await using file = await open(place, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === SQLITE;
  } catch (cause) {
    throw new CliError(`'${place}' cannot be read: ${errorMessage(cause)}`, { cause });
  }
}

async function* ofExport(file: string, { trace: ids = [], run }: LoadTracesFlags): AsyncGenerator<RecordedTrace> {
  if (run !== undefined) throw new CliError('--run is for stores; of an export choose by --trace');
  const requested = new Set(ids.map(parseTraceId));
  try {
    for await (const trace of readRecordedTraces(createReadStream(file))) {
      if (requested.size > 0 && !requested.delete(trace.trace.id) && ids.length > 0) continue;
      yield trace;
      if (ids.length > 0 && requested.size === 0) return;
    }
  } catch (cause) {
    throw new CliError(`'${file}' cannot be replayed: ${errorMessage(cause)}`, { cause });
  }
  if (requested.size > 0) throw new CliError(`'${file}' has no trace ${[...requested].join(', ')}`);
}

async function* ofStore(
  place: string,
  { trace: ids = [], run, org, apiKey }: LoadTracesFlags,
): AsyncGenerator<RecordedTrace> {
  const where = isHttpUrl(place) ? { url: place } : { db: place };
  await using store = await openTraceAccess({ ...where, org, ...(apiKey !== undefined && { apiKey }) });
  const client = createClientForApi(store.api);
  if (ids.length > 0 || run !== undefined) {
    for await (const { id } of (await chooseTraces(store.api, ids, run)).traces) yield await client.readTrace(id);
    return;
  }
  for await (const { traces } of listPages(store.api, 'listTraces', { sort: 'created', order: 'asc' })) {
    for (const { id } of traces) yield await client.readTrace(id);
  }
}

import { join } from 'node:path';
import { openRunTraces, type RunTraces } from '../../rollout/index.ts';
import { createClientOver } from '../../trace/client/index.ts';
import { shownPlace } from '../traces/open-store.ts';
import { openTraces } from '../traces/open-traces.ts';

/** The store that a run records into, while it is open. */
export interface RunStore extends AsyncDisposable {
  /** Undefined where nothing is recorded. */
  readonly traces: RunTraces | undefined;
  /** What people look at it with; undefined where nothing is recorded. */
  readonly place: readonly string[] | undefined;
}

/**
 * Opens the store of a run: the one that is named, or a SQLite file in its folder.
 *
 * @param target false for none, true for the file in the folder.
 * @throws Error for what cannot be opened.
 */
export async function openRunStore(target: string | boolean, folder: string, run: string): Promise<RunStore> {
  if (target === false) return { traces: undefined, place: undefined, [Symbol.asyncDispose]: async () => {} };
  const place = target === true ? join(folder, 'traces.db') : target;
  const isUrl = /^https?:/i.test(place);
  const org = process.env.ORS_TRACES_ORGANIZATION ?? 'default';
  const apiKey = process.env.ORS_TRACES_API_KEY;
  const flags = { org, ...(isUrl ? { url: place } : { db: place }), ...(isUrl && apiKey !== undefined && { apiKey }) };
  const { api, [Symbol.asyncDispose]: close } = await openTraces(flags, { mayCreate: true });
  // What fails to be recorded makes its episode fail.
  const client = createClientOver(api, { onError: () => {} });
  return {
    traces: openRunTraces(api, client, run),
    place: [isUrl ? '--url' : '--db', shownPlace(place)],
    async [Symbol.asyncDispose]() {
      await client.close();
      await close();
    },
  };
}

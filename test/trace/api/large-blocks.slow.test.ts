import { afterAll, afterEach, expect } from '@jest/globals';
import { exportFormats } from '../../../src/trace/formats/index.ts';
import { createMemoryStore, type TraceStore } from '../../../src/trace/store/index.ts';
import type { SqlDriver } from '../../../src/trace/store/sql/driver.ts';
import { openPostgres } from '../../../src/trace/store/sql/postgres/postgres-driver.ts';
import { createSqlStore } from '../../../src/trace/store/sql/sql-store.ts';
import { openSqlite } from '../../../src/trace/store/sql/sqlite/sqlite-driver.ts';
import { testUnless } from '../../support/optional.ts';
import { message, result, TRACE } from '../model/store.ts';
import { postgresMissing, startPostgres } from '../store/postgres-server.ts';
import { sqliteMissing } from '../store/stores.ts';
import { closeServers, startConversation } from './server.ts';

afterEach(closeServers);

const postgres = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => postgres?.[Symbol.asyncDispose]());

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const COUNT = 60;
const LARGE = 200 * KILOBYTE;

/** Paths to read, with the maximum megabytes of blocks that may be read before anything is sent. */
const READINGS = [
  ...Object.keys(exportFormats).map((format) => [`export?format=${format}`, 2] as const),
  ['stream', 2],
  ['blocks?limit=1000', 9],
  ['blocks.stitched', 9],
] as const;

/** Returns the total size of the texts in a value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 0);
}

/** Records the size of the largest result. */
function createScales() {
  let max = 0;
  return {
    async weigh<T>(response: Promise<T>): Promise<T> {
      const value = await response;
      max = Math.max(max, sizeOf(value));
      return value;
    },
    /** Returns the size of the largest result since the last call. */
    take() {
      const taken = max;
      max = 0;
      return taken;
    },
  };
}

type Scales = ReturnType<typeof createScales>;

const weighBlocks = (store: TraceStore, { weigh }: Scales): TraceStore => ({
  ...store,
  blocks: (...args) => weigh(store.blocks(...args)),
  texts: (...args) => weigh(store.texts(...args)),
  textsAt: (...args) => weigh(store.textsAt(...args)),
});

const overWeighed = (driver: SqlDriver, { weigh }: Scales): TraceStore =>
  createSqlStore({ ...driver, query: (...args) => weigh(driver.query<never>(...args)) }, Date.now);

const STORES: readonly [string, string | undefined, (rows: Scales) => Promise<TraceStore>][] = [
  ['memory', undefined, async () => createMemoryStore()],
  ['SQLite', sqliteMissing, async (rows) => overWeighed(await openSqlite({ path: ':memory:' }), rows)],
  [
    'PostgreSQL',
    postgresMissing,
    async (rows) => overWeighed(await openPostgres({ url: (await postgres?.newUrl()) ?? '' }), rows),
  ],
];

/** Reads a response to its end, or a stream to the last block. */
async function drain(url: string): Promise<number> {
  const { status, body } = await fetch(url);
  const isStream = url.endsWith('/stream');
  let text = '';
  for await (const chunk of body ?? []) {
    if (!isStream) continue;
    text = text.slice(-1000) + Buffer.from(chunk).toString();
    if (text.includes(`id: ${COUNT + 2}\n`)) break;
  }
  return status;
}

for (const [name, missing, open] of STORES) {
  testUnless(missing)(
    `loads only a few of 12 MB in ${name} into memory at a time, for every way to read them`,
    async () => {
      const [rows, blocks] = [createScales(), createScales()];
      await using store = weighBlocks(await open(rows), blocks);
      const { url, write, close } = await startConversation({ store });
      const large = Array.from({ length: COUNT }, (_, place) =>
        (place % 2 === 0 ? message : result)({ raw: 'x'.repeat(LARGE) }),
      );
      expect((await write({ blocks: large })).status).toBe(201);

      const found = [];
      for (const [path, megabytes] of READINGS) {
        rows.take();
        blocks.take();
        const status = await drain(`${url}/v1/organizations/default/traces/${TRACE}/${path}`);
        found.push({ path, status, blocks: blocks.take(), rows: rows.take(), megabytes });
      }
      await close();

      for (const reading of found) {
        expect(reading).toMatchObject({ status: 200 });
        expect(reading.blocks).toBeGreaterThan(LARGE);
      }
      const tooLarge = found.filter((each) => each.blocks > each.megabytes * MEGABYTE || each.rows > 2 * MEGABYTE);
      expect(tooLarge).toEqual([]);
    },
  );
}

import { chromiumMissing } from '../../test/support/chromium.ts';
import { postgresMissing } from '../../test/trace/store/postgres-server.ts';
import type { Engine } from './engine.ts';
import { exportRun, formats } from './export.ts';
import { growth } from './growth.ts';
import { batches, singles, size } from './ingest.ts';
import { logging, tail } from './live.ts';
import { otlpStoresMissing } from './otlp-stores.ts';
import { page } from './page.ts';
import { peer } from './peer.ts';
import { openPostgres } from './postgres.ts';
import { reads, runPage } from './reads.ts';
import { restart } from './restart.ts';
import { sqlite } from './sqlite.ts';
import type { StoreMeasure } from './store-measure.ts';

/** One measure of the trace store. */
export interface StorePart {
  readonly name: string;
  readonly about: string;
  readonly measure: StoreMeasure;
  /** Number of blocks that it writes, if that can be chosen. */
  readonly blocks?: number;
  /** Takes minutes, and is measured in a single round. */
  readonly isLong?: boolean;
  /** The only engine on which it runs; without one, it runs on all. */
  readonly engine?: EngineName;
  /** Runs only on request. */
  readonly isExtra?: boolean;
  /** Reason why it cannot run here. */
  readonly missing?: string | undefined;
}

/** All parts, in the order in which they run. */
export const storeParts: readonly StorePart[] = [
  { name: 'batches', about: 'blocks in batches, relative to bare inserts (T1)', measure: batches },
  {
    name: 'singles',
    about: 'single blocks, relative to disk syncs and bare inserts (T2)',
    measure: singles,
    blocks: 4_000,
  },
  { name: 'size', about: 'size of the database, relative to its blocks', measure: size, isLong: true },
  { name: 'reads', about: 'reads of a long trace, relative to its rows (T3, T4)', measure: reads, blocks: 10_000 },
  { name: 'tail', about: 'live events (T5)', measure: tail },
  { name: 'logging', about: 'the SDK (T9)', measure: logging },
  { name: 'runPage', about: 'a run of 100,000 traces (T10)', measure: runPage, isLong: true },
  {
    name: 'restart',
    about: 'start after a kill, with a gigabyte of blocks (T6)',
    measure: restart,
    blocks: 100_000,
    isLong: true,
  },
  {
    name: 'export',
    about: 'an export with concurrent writes (T8)',
    measure: exportRun,
    blocks: 1_000_000,
    isLong: true,
  },
  {
    name: 'formats',
    about: 'memory growth through the export of a long trace in each format (T8)',
    measure: formats,
    blocks: 200_000,
    isLong: true,
  },
  {
    name: 'peer',
    about: 'comparison with Arize Phoenix and MLflow',
    measure: peer,
    isLong: true,
    missing: otlpStoresMissing,
  },
  {
    name: 'page',
    about: 'the page of a long trace in Chromium, compared with those of Arize Phoenix and MLflow; only on SQLite',
    measure: page,
    blocks: 10_000,
    isLong: true,
    engine: 'sqlite',
    missing: otlpStoresMissing ?? chromiumMissing,
  },
  {
    name: 'growth',
    about: 'writes and reads while a database grows; runs only on request',
    measure: growth,
    blocks: 10_000_000,
    isLong: true,
    isExtra: true,
  },
];

export interface EngineChoice {
  readonly about: string;
  /** Reason why it cannot run here. */
  readonly missing?: string | undefined;
  readonly open: () => Promise<Engine>;
}

export const engineNames = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

export const engines: Readonly<Record<EngineName, EngineChoice>> = {
  sqlite: { about: 'SQLite of Node in a new file', open: async () => sqlite },
  postgres: { about: 'a new PostgreSQL server on a Unix socket', missing: postgresMissing, open: openPostgres },
};

/** Subject of the saved sections of an engine. */
export const storeSubject = (engine: EngineName): string => `traces-${engine}`;

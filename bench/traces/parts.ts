import { postgresMissing } from '../../test/trace/store/postgres-server.ts';
import type { Engine } from './engine.ts';
import { exportRun, formats } from './export.ts';
import { growth } from './growth.ts';
import { batches, singles, size } from './ingest.ts';
import { logging, tail } from './live.ts';
import { peer } from './peer.ts';
import { phoenixMissing } from './phoenix.ts';
import { postgres } from './postgres.ts';
import { reads, runPage } from './reads.ts';
import { restart } from './restart.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';
import { sqlite } from './sqlite.ts';

/** A part of a run: a measure of the store on one engine. */
export interface StorePart {
  readonly name: string;
  readonly about: string;
  /** One round of it. */
  readonly measure: (engine: Engine, round: Round) => Promise<Row[]>;
  /** How many blocks it writes, where that can be chosen. */
  readonly blocks?: number;
  /** Whether it takes minutes, and is measured once. */
  readonly isLong?: boolean;
  /** Whether it runs only if it is asked for. */
  readonly isExtra?: boolean;
  /** Why it cannot be measured here, if it cannot. */
  readonly missing?: string | undefined;
}

/** In the order in which they run. */
export const storeParts: readonly StorePart[] = [
  { name: 'batches', about: 'blocks in batches, beside a bare loop (T1)', measure: batches },
  { name: 'singles', about: 'single blocks, beside syncs and bare loops (T2)', measure: singles, blocks: 4_000 },
  { name: 'size', about: 'the database, beside the bytes of its blocks', measure: size, isLong: true },
  { name: 'reads', about: 'a long trace, beside its rows (T3, T4)', measure: reads, blocks: 10_000 },
  { name: 'tail', about: 'live events (T5)', measure: tail },
  { name: 'logging', about: 'the SDK (T9)', measure: logging },
  { name: 'runPage', about: 'a run of 100,000 traces (T10)', measure: runPage, isLong: true },
  {
    name: 'restart',
    about: 'the start after a kill, with a gigabyte there (T6)',
    measure: restart,
    blocks: 100_000,
    isLong: true,
  },
  {
    name: 'export',
    about: 'an export, and writes during it (T8)',
    measure: exportRun,
    blocks: 1_000_000,
    isLong: true,
  },
  {
    name: 'formats',
    about: 'what the export of a long trace takes in each format (T8)',
    measure: formats,
    blocks: 200_000,
    isLong: true,
  },
  { name: 'peer', about: 'beside Arize Phoenix', measure: peer, isLong: true, missing: phoenixMissing },
  {
    name: 'growth',
    about: 'writes and reads while a database grows; runs only if it is asked for',
    measure: growth,
    blocks: 10_000_000,
    isLong: true,
    isExtra: true,
  },
];

export interface EngineChoice {
  readonly about: string;
  /** Why it cannot be measured here, if it cannot. */
  readonly missing?: string | undefined;
  readonly open: () => Promise<Engine>;
}

export const engineNames = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

export const engines: Readonly<Record<EngineName, EngineChoice>> = {
  sqlite: { about: 'SQLite of Node in a new file', open: async () => sqlite },
  postgres: { about: 'a PostgreSQL of its own, by a socket', missing: postgresMissing, open: postgres },
};

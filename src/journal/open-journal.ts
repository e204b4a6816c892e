import { errorMessage, isPostgresUrl, PendingPromises, randomId, sleep } from '../core/index.ts';
import { identityFromText, identityToText, processIdentity, processState } from '../core/node/index.ts';
import {
  EpisodeElsewhereError,
  EpisodeExistsError,
  type EpisodeJournal,
  type EpisodeKey,
  type Journal,
  type JournaledEpisode,
  type ResumedEpisode,
} from '../server/index.ts';
import {
  missingVersions,
  newestVersion,
  openPostgres,
  openSqlite,
  type SqlDriver,
  type SqlReader,
} from '../trace/store/index.ts';
import {
  fromColumn,
  ROW_BYTES,
  readEpisode,
  type ServerJournal,
  SqlEpisodeJournal,
  toColumn,
} from './episode-journal.ts';

/**
 * Options for {@link openJournal}.
 *
 * @example
 * const options: JournalOptions = { mode: 'async' };
 */
export interface JournalOptions {
  /**
   * `sync`: a client receives a result once it is stored. `async`: at once, and what is to be stored gathers for 20 ms,
   * which costs much less; the end of the process or the machine loses it, and a lost call can run again. @default 'sync'
   */
  readonly mode?: 'sync' | 'async';
  /**
   * Time without a sign of life after which others may continue the episodes of a server on another machine, in
   * milliseconds. @default 10000
   */
  readonly leaseMs?: number;
}

/**
 * Opens a journal of episodes, and creates it if it does not exist. Servers that share one continue the episodes of each
 * other: those of one machine a SQLite file, others a PostgreSQL database.
 *
 * @param location path of a SQLite file, or URL of a PostgreSQL database; it may also be that of a trace store.
 * @throws Error if the database cannot be opened, or a package for it is missing.
 * @example
 * await using journal = await openJournal('episodes.db');
 * await using server = await serve([environment], { journal });
 */
export async function openJournal(location: string, options: JournalOptions = {}): Promise<Journal> {
  const isPostgres = isPostgresUrl(location);
  const driver = isPostgres
    ? await openPostgres({ url: location, content: 'journal' })
    : await openSqlite({ path: location, content: 'journal' });
  try {
    const databaseNow = isPostgres ? POSTGRES_NOW : SQLITE_NOW;
    const nextWrites = () => sleep(GATHER_MS);
    return await openSqlJournal(driver, { databaseNow, now: () => performance.now(), sleep, nextWrites }, options);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** Time of a journal. Tests replace it. */
export interface JournalTime {
  /** SQL expression for the time of the database in milliseconds since 1970, because clocks of machines differ. */
  readonly databaseNow: string;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Waits while asynchronous writes gather. */
  readonly nextWrites: () => Promise<void>;
}

/** Opens a journal in a database that is open already. `close` closes it. */
export const openSqlJournal = (driver: SqlDriver, time: JournalTime, options: JournalOptions): Promise<Journal> =>
  SqlJournal.open(driver, time, options);

const POSTGRES_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const SQLITE_NOW = "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";

/** Tables of the first version. Databases from before versions were numbered may have them. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS journal_servers (
    name TEXT PRIMARY KEY, process TEXT NOT NULL, until_ms BIGINT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS journal_episodes (
    owner TEXT NOT NULL, sid TEXT NOT NULL, server TEXT, fence BIGINT NOT NULL, changed_ms BIGINT NOT NULL,
    ended BIGINT NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY (owner, sid))`,
  `CREATE TABLE IF NOT EXISTS journal_calls (
    owner TEXT NOT NULL, sid TEXT NOT NULL, number BIGINT NOT NULL, call TEXT NOT NULL, outcome TEXT,
    ended BIGINT, snapshot TEXT,
    PRIMARY KEY (owner, sid, number), FOREIGN KEY (owner, sid) REFERENCES journal_episodes ON DELETE CASCADE)`,
  // A snapshot belongs to a call, and to the copies of the call in forks.
  'CREATE TABLE IF NOT EXISTS journal_snapshots (id TEXT PRIMARY KEY, state TEXT NOT NULL)',
  // Episodes that another server needs, of the server that has them.
  `CREATE TABLE IF NOT EXISTS journal_requests (
    server TEXT NOT NULL, owner TEXT NOT NULL, sid TEXT NOT NULL,
    PRIMARY KEY (server, owner, sid))`,
];

/** Statements that create each version of the tables from the previous one. A published version never changes. */
export const journalVersions: readonly (readonly string[])[] = [
  [
    ...TABLES,
    'CREATE INDEX IF NOT EXISTS journal_calls_snapshot ON journal_calls (snapshot) WHERE snapshot IS NOT NULL',
  ],
];
const FIRST_VERSION = 1;

/** The database may also have traces, whose tables have separate versions. */
const VERSION_TABLE = `CREATE TABLE IF NOT EXISTS journal_version (
  one BIGINT PRIMARY KEY CHECK (one = 1), version BIGINT NOT NULL)`;

/** Columns of the first version. */
const COLUMNS = [
  'SELECT name, process, until_ms FROM journal_servers',
  'SELECT owner, sid, server, fence, changed_ms, ended, created FROM journal_episodes',
  'SELECT owner, sid, number, call, outcome, ended, snapshot FROM journal_calls',
  'SELECT id, state FROM journal_snapshots',
  'SELECT server, owner, sid FROM journal_requests',
];

/**
 * Migrates the tables to the newest version.
 *
 * @throws Error if the database has an unknown version, or tables that were never released.
 */
export async function migrateJournal(transaction: SqlReader, versions = journalVersions): Promise<void> {
  await transaction.query(VERSION_TABLE);
  const [row] = await transaction.query<{ version: number }>('SELECT version FROM journal_version');
  const missing = missingVersions('the database', row?.version ?? 0, versions, 'journal', FIRST_VERSION);
  if (missing.length === 0) return;
  if (!row) await adoptTables(transaction);
  for (const sql of missing.flat()) await transaction.query(sql);
  await transaction.query(
    'INSERT INTO journal_version (one, version) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET version = excluded.version',
    [newestVersion(versions, FIRST_VERSION)],
  );
}

/** Creates the tables of the first version, or accepts existing ones with its columns. */
async function adoptTables(transaction: SqlReader): Promise<void> {
  for (const table of TABLES) await transaction.query(table);
  try {
    for (const sql of COLUMNS) await transaction.query(`${sql} LIMIT 0`);
  } catch (cause) {
    const problem = errorMessage(cause);
    throw new Error(`the database has journal tables that were never released: ${problem}; use a new one`, { cause });
  }
}

/** PostgreSQL rejects tables that two servers create at the same time. The number is arbitrary. */
const LOCK_TABLES = 'SELECT pg_advisory_xact_lock(7236511)::text';

interface EpisodeRow {
  readonly server: string | null;
  readonly fence: number;
}

/** Time for which asynchronous writes gather, in milliseconds: with that of the transaction, at most 50. */
const GATHER_MS = 20;

/** Servers renew their leases three times before they end. */
const RENEWALS = 3;
const POLL_MS = 100;
/** Interval at which a server looks for its episodes that others need. */
const REQUESTS_MS = 400;
/** Time for which episodes are kept that no client continues, in milliseconds: a week. */
const KEPT_MS = 7 * 86_400_000;

/** A journal in the tables of a database. */
class SqlJournal implements Journal, ServerJournal {
  readonly server = randomId('');
  readonly #driver: SqlDriver;
  readonly isAsync: boolean;
  readonly now: string;
  readonly #time: JournalTime;
  readonly #leaseMs: number;
  #renewal: NodeJS.Timeout | undefined;
  /** Time of the monotonic clock until which the lease lasts; in the database, it may last longer. */
  #leaseEnd = Number.NEGATIVE_INFINITY;
  lapses = 0;
  #requests: NodeJS.Timeout | undefined;
  readonly pending = new PendingPromises();
  #nextWrites: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #isClosed = false;

  private constructor(driver: SqlDriver, time: JournalTime, { mode = 'sync', leaseMs = 10_000 }: JournalOptions) {
    this.#driver = driver;
    this.isAsync = mode === 'async';
    this.now = time.databaseNow;
    this.#time = time;
    this.#leaseMs = leaseMs;
  }

  static async open(driver: SqlDriver, time: JournalTime, options: JournalOptions): Promise<SqlJournal> {
    const journal = new SqlJournal(driver, time, options);
    await journal.write(ROW_BYTES, async (transaction) => {
      if (time.databaseNow === POSTGRES_NOW) await transaction.query(LOCK_TABLES);
      await migrateJournal(transaction);
    });
    await journal.#removeForgotten();
    await journal.#renewLease();
    const renew = () => void journal.#renewLease().catch(() => undefined);
    journal.#renewal = setInterval(renew, journal.#leaseMs / RENEWALS).unref();
    return journal;
  }

  async create(episode: JournaledEpisode): Promise<EpisodeJournal> {
    const { sid, owner, ...created } = episode;
    const text = JSON.stringify(created);
    const values = [toColumn(owner), sid, this.server, text];
    const journal = new SqlEpisodeJournal(this, episode, 1);
    const rows = await this.write(ROW_BYTES + text.length, (transaction) =>
      transaction.query(
        `INSERT INTO journal_episodes (owner, sid, server, fence, changed_ms, ended, created)
         VALUES (?, ?, ?, 1, ${this.now}, 0, ?) ON CONFLICT (owner, sid) DO NOTHING RETURNING sid`,
        values,
      ),
    );
    if (rows.length === 0) throw new EpisodeExistsError(`the journal has an episode ${sid}`);
    return journal;
  }

  async resume(key: EpisodeKey): Promise<ResumedEpisode | undefined> {
    const giveUpAt = this.#time.now() + this.#leaseMs + POLL_MS;
    // Many sessions may be waiting for the same server.
    for (let pollMs = POLL_MS; ; pollMs = Math.min(2 * pollMs, REQUESTS_MS)) {
      const taken = await this.#takeOver(key);
      if (taken !== 'elsewhere') return taken;
      // Its server may end, or release it.
      if (this.#time.now() > giveUpAt) throw new EpisodeElsewhereError('another server has this session');
      await this.#time.sleep(pollMs);
    }
  }

  onRequest(mayRelease: (key: EpisodeKey) => boolean): void {
    // After a failure of the database, the requests are still there at the next interval.
    const look = () => void this.#answerRequests(mayRelease).catch(() => {});
    this.#requests ??= setInterval(look, REQUESTS_MS).unref();
  }

  /** Releases the episodes that other servers need, and that this one does not use. */
  async #answerRequests(mayRelease: (key: EpisodeKey) => boolean): Promise<void> {
    const requested = await this.#driver.query<{ owner: string; sid: string; fence: number }>(
      `SELECT owner, sid, fence FROM journal_requests JOIN journal_episodes USING (server, owner, sid) WHERE server = ?`,
      [this.server],
    );
    if (requested.length === 0) return;
    const released = requested.filter(({ owner, sid }) => mayRelease({ owner: fromColumn(owner), sid }));
    await this.write(ROW_BYTES, async (transaction) => {
      for (const { owner, sid, fence } of released) {
        // A request may have brought it back to this server meanwhile, which changes the fence.
        await transaction.query(
          'UPDATE journal_episodes SET server = NULL WHERE owner = ? AND sid = ? AND server = ? AND fence = ?',
          [owner, sid, this.server, fence],
        );
      }
      await transaction.query('DELETE FROM journal_requests WHERE server = ?', [this.server]);
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    clearInterval(this.#renewal);
    clearInterval(this.#requests);
    await this.pending.settled();
    this.#isClosed = true;
    await this.#driver.write(ROW_BYTES, async (transaction) => {
      await transaction.query('UPDATE journal_episodes SET server = NULL WHERE server = ?', [this.server]);
      await transaction.query('DELETE FROM journal_servers WHERE name = ?', [this.server]);
    });
    await this.#driver.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async write<T>(bytes: number, work: (transaction: SqlReader) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('the journal is closed');
    return this.pending.add(this.#driver.write(bytes, work));
  }

  get hasLease(): boolean {
    return this.#time.now() < this.#leaseEnd;
  }

  nextWrites(): Promise<void> {
    this.#nextWrites ??= this.#time.nextWrites().finally(() => {
      this.#nextWrites = undefined;
    });
    return this.#nextWrites;
  }

  async ensureLease(): Promise<void> {
    if (!this.hasLease) await this.#renewLease();
  }

  async #renewLease(): Promise<void> {
    const leaseEnd = this.#time.now() + this.#leaseMs;
    await this.write(ROW_BYTES, (transaction) =>
      transaction.query(
        `INSERT INTO journal_servers (name, process, until_ms) VALUES (?, ?, ${this.now} + ?)
         ON CONFLICT (name) DO UPDATE SET until_ms = excluded.until_ms`,
        [this.server, identityToText(processIdentity()), this.#leaseMs],
      ),
    );
    if (!this.hasLease) this.lapses++;
    this.#leaseEnd = Math.max(this.#leaseEnd, leaseEnd);
  }

  /** Removes servers that have ended, and episodes that no client has continued since their server ended. */
  async #removeForgotten(): Promise<void> {
    await this.write(ROW_BYTES, async (transaction) => {
      await transaction.query(`DELETE FROM journal_servers WHERE until_ms < ${this.now} - ?`, [KEPT_MS]);
      await transaction.query(
        `DELETE FROM journal_requests
         WHERE server NOT IN (SELECT name FROM journal_servers WHERE until_ms > ${this.now})`,
      );
      await transaction.query(
        `DELETE FROM journal_episodes WHERE changed_ms < ${this.now} - ?
         AND (server IS NULL OR server NOT IN (SELECT name FROM journal_servers WHERE until_ms > ${this.now}))`,
        [KEPT_MS],
      );
      await transaction.query(
        `DELETE FROM journal_snapshots
         WHERE NOT EXISTS (SELECT 1 FROM journal_calls WHERE journal_calls.snapshot = journal_snapshots.id)`,
      );
    });
  }

  /** Takes an episode over, or asks the server that has it to release it. */
  #takeOver(key: EpisodeKey): Promise<ResumedEpisode | 'elsewhere' | undefined> {
    const where = [toColumn(key.owner), key.sid];
    return this.write(ROW_BYTES, async (transaction) => {
      const [row] = await transaction.query<EpisodeRow>(
        `SELECT server, fence FROM journal_episodes WHERE owner = ? AND sid = ?${transaction.forUpdate}`,
        where,
      );
      if (!row) return undefined;
      if (row.server !== null && row.server !== this.server && (await this.#isAlive(transaction, row.server))) {
        await transaction.query(
          'INSERT INTO journal_requests (server, owner, sid) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
          [row.server, ...where],
        );
        return 'elsewhere';
      }
      const fence = row.fence + 1;
      await transaction.query(
        `UPDATE journal_episodes SET server = ?, fence = ?, changed_ms = ${this.now} WHERE owner = ? AND sid = ?`,
        [this.server, fence, ...where],
      );
      return readEpisode(this, transaction, key, fence);
    });
  }

  /** Returns false for a server whose lease has ended, or whose process on this machine has. */
  async #isAlive(transaction: SqlReader, name: string): Promise<boolean> {
    const [server] = await transaction.query<{ process: string; until_ms: number; now_ms: number }>(
      `SELECT process, until_ms, ${this.now} AS now_ms FROM journal_servers WHERE name = ?`,
      [name],
    );
    if (!server || server.until_ms <= server.now_ms) return false;
    const identity = identityFromText(server.process);
    return identity === undefined || processState(identity) !== 'gone';
  }
}

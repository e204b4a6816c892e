import { type Awaitable, randomId } from '../core/index.ts';
import {
  EpisodeElsewhereError,
  EpisodeExistsError,
  type EpisodeJournal,
  type EpisodeKey,
  type ForkRecord,
  type JournaledCall,
  type JournaledEpisode,
  type JournaledPrompts,
  type ResumedEpisode,
} from '../server/index.ts';
import type { SqlReader } from '../trace/store/index.ts';

/** The journal of a server, as its episodes use it. */
export interface ServerJournal {
  /** Name of the server, which no other has. */
  readonly server: string;
  /** SQL expression for the time of the database in milliseconds since 1970. */
  readonly now: string;
  readonly isAsync: boolean;
  readonly hasLease: boolean;
  /** How often the lease may have ended before it was renewed. */
  readonly lapses: number;
  /** Renews the lease if it may have ended. */
  ensureLease(): Promise<void>;
  /** Runs statements in a transaction. @throws Error after `close`. */
  write<T>(bytes: number, work: (transaction: SqlReader) => Promise<T>): Promise<T>;
}

/** Size of a write without the texts of a call. */
export const ROW_BYTES = 256;

interface CallRow {
  readonly number: number;
  readonly call: string;
  readonly outcome: string | null;
  /** Position among the calls of the episode that have ended, from 1 up. */
  readonly ended: number | null;
}

/** The journal of an episode. Another server that takes it over increases the fence, after which nothing can be written here. */
export class SqlEpisodeJournal implements EpisodeJournal {
  readonly #journal: ServerJournal;
  readonly #owner: string | undefined;
  readonly #key: readonly [owner: string, sid: string];
  readonly #fence: number;
  /** Error of an asynchronous write. */
  #failure: unknown;
  /** Lapses of the lease when this server certainly had the episode. */
  #lapses: number;
  #asserting: Promise<void> | undefined;
  /** Settles with the newest asynchronous write; undefined before the first one. Never rejects. */
  #pending: Promise<void> | undefined;

  constructor(journal: ServerJournal, { owner, sid }: EpisodeKey, fence: number) {
    this.#journal = journal;
    this.#owner = owner;
    this.#key = [toColumn(owner), sid];
    this.#fence = fence;
    this.#lapses = journal.lapses;
  }

  assertOwned(): Awaitable<void> {
    if (this.#journal.hasLease && this.#journal.lapses === this.#lapses) return;
    this.#asserting ??= this.#askOwned().finally(() => {
      this.#asserting = undefined;
    });
    return this.#asserting;
  }

  async #askOwned(): Promise<void> {
    await this.#journal.ensureLease();
    const { lapses } = this.#journal;
    await this.#journal.write(ROW_BYTES, (transaction) => this.#assertOwned(transaction));
    this.#lapses = lapses;
  }

  addPrompts(prompts: JournaledPrompts): Promise<void> {
    return this.#write(JSON.stringify(prompts).length, async (transaction) => {
      const created = await readCreated(transaction, this.#key);
      const text = JSON.stringify({ ...created, prompts: { ...created.prompts, ...prompts } });
      await transaction.query('UPDATE journal_episodes SET created = ? WHERE owner = ? AND sid = ?', [
        text,
        ...this.#key,
      ]);
    });
  }

  begin({ number, ...call }: JournaledCall): Promise<void> {
    const text = JSON.stringify(call);
    return this.#write(text.length, async (transaction) => {
      const sql = 'INSERT INTO journal_calls (owner, sid, number, call) VALUES (?, ?, ?, ?)';
      await transaction.query(sql, [...this.#key, number, text]);
    });
  }

  end(number: number, outcome: Outcome, snapshot: string | undefined): Promise<void> {
    const text = toOutcomeText(outcome);
    const snapshotId = snapshot === undefined ? null : randomId('');
    return this.#write(text.length + (snapshot?.length ?? 0), async (transaction) => {
      const [row] = await transaction.query<{ ended: number }>(
        `UPDATE journal_episodes SET changed_ms = ${this.#journal.now}, ended = ended + 1
         WHERE owner = ? AND sid = ? RETURNING ended`,
        this.#key,
      );
      await transaction.query(
        `UPDATE journal_calls SET outcome = ?, ended = ?, snapshot = ? WHERE owner = ? AND sid = ? AND number = ?`,
        [text, row?.ended ?? null, snapshotId, ...this.#key, number],
      );
      if (snapshot === undefined) return;
      await transaction.query('INSERT INTO journal_snapshots (id, state) VALUES (?, ?)', [snapshotId, snapshot]);
    });
  }

  async flush(): Promise<void> {
    await this.#pending;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async fork(sid: string, at: string | undefined, recordOf: ForkRecord): Promise<ResumedEpisode | undefined> {
    await this.flush();
    const { server, now } = this.#journal;
    return this.#journal.write(ROW_BYTES, async (transaction) => {
      await this.#assertOwned(transaction);
      const calls = await readCalls(transaction, this.#key);
      const last = at === undefined ? calls : calls.filter((call) => toCall(call).taskId === at);
      const until = Math.max(...last.map(({ ended }) => ended ?? 0), 0);
      if (at !== undefined && until === 0) return undefined;
      const { record, ...created } = await readCreated(transaction, this.#key);
      const copied = calls.filter(({ ended }) => ended !== null && ended <= until).length;
      const inserted = await transaction.query(
        `INSERT INTO journal_episodes (owner, sid, server, fence, changed_ms, ended, created)
         SELECT owner, ?, ?, 1, ${now}, ended, ? FROM journal_episodes WHERE owner = ? AND sid = ?
         ON CONFLICT (owner, sid) DO NOTHING RETURNING sid`,
        [
          sid,
          server,
          JSON.stringify({ ...created, record: recordOf(record, copied), forkedAt: at ?? null }),
          ...this.#key,
        ],
      );
      if (inserted.length === 0) throw new EpisodeExistsError(`the journal has an episode ${sid}`);
      await transaction.query(
        `INSERT INTO journal_calls (owner, sid, number, call, outcome, ended, snapshot)
         SELECT owner, ?, number, call, outcome, ended, snapshot FROM journal_calls
         WHERE owner = ? AND sid = ? AND ended <= ?`,
        [sid, ...this.#key, until],
      );
      return readEpisode(this.#journal, transaction, { sid, owner: this.#owner }, 1);
    });
  }

  forkedAt(sid: string): Promise<string | null | undefined> {
    const [owner] = this.#key;
    return this.#journal.write(
      ROW_BYTES,
      async (transaction) => (await readCreated(transaction, [owner, sid])).forkedAt,
    );
  }

  async release(): Promise<void> {
    await this.#pending;
    await this.#journal.write(ROW_BYTES, async (transaction) => {
      if (!(await this.#isOwned(transaction))) return;
      await transaction.query('UPDATE journal_episodes SET server = NULL WHERE owner = ? AND sid = ?', this.#key);
    });
  }

  async remove(): Promise<void> {
    await this.#journal.write(ROW_BYTES, async (transaction) => {
      if (!(await this.#isOwned(transaction))) {
        const sql = 'SELECT 1 AS found FROM journal_episodes WHERE owner = ? AND sid = ?';
        const others = await transaction.query(sql, this.#key);
        if (others.length > 0) throw new EpisodeElsewhereError('another server continues this session');
        return;
      }
      await transaction.query(
        `DELETE FROM journal_snapshots
         WHERE id IN (SELECT snapshot FROM journal_calls WHERE owner = ? AND sid = ? AND snapshot IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM journal_calls WHERE snapshot = id AND NOT (owner = ? AND sid = ?))`,
        [...this.#key, ...this.#key],
      );
      await transaction.query('DELETE FROM journal_episodes WHERE owner = ? AND sid = ?', this.#key);
    });
  }

  async #write(bytes: number, work: (transaction: SqlReader) => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const write = () =>
      this.#journal.write(ROW_BYTES + bytes, async (transaction) => {
        await this.#assertOwned(transaction);
        await work(transaction);
      });
    if (!this.#journal.isAsync) return write();
    // One after the other: PostgreSQL runs simultaneous transactions in any order. After one that failed, later calls would
    // continue another state than the journal has.
    const unlessFailed = () => (this.#failure === undefined ? write() : undefined);
    this.#pending = (this.#pending ?? Promise.resolve()).then(unlessFailed).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  async #assertOwned(transaction: SqlReader): Promise<void> {
    if (await this.#isOwned(transaction)) return;
    throw new EpisodeElsewhereError('another server continues this session, or it has been deleted');
  }

  /** Returns false if another server has the episode, else locks it until the end of the transaction. */
  async #isOwned(transaction: SqlReader): Promise<boolean> {
    const { server } = this.#journal;
    const owned = await transaction.query(
      `SELECT 1 AS owned FROM journal_episodes WHERE owner = ? AND sid = ? AND server = ? AND fence = ?${transaction.forUpdate}`,
      [...this.#key, server, this.#fence],
    );
    return owned.length > 0;
  }
}

/** Reads an episode that this server has. */
export async function readEpisode(
  journal: ServerJournal,
  transaction: SqlReader,
  key: EpisodeKey,
  fence: number,
): Promise<ResumedEpisode> {
  const where = [toColumn(key.owner), key.sid];
  const created = await readCreated(transaction, where);
  const calls = await readCalls(transaction, where);
  const [newest] = await transaction.query<{ state: string }>(
    `SELECT state FROM journal_calls JOIN journal_snapshots ON id = snapshot WHERE owner = ? AND sid = ?
     ORDER BY ended DESC LIMIT 1`,
    where,
  );
  return {
    episode: { ...key, ...created },
    calls: calls.map(({ outcome, ...call }) => ({
      ...toCall(call),
      outcome: outcome === null ? undefined : fromOutcomeText(outcome),
    })),
    snapshot: newest?.state,
    journal: new SqlEpisodeJournal(journal, key, fence),
  };
}

async function readCreated(
  transaction: SqlReader,
  key: readonly string[],
): Promise<Omit<JournaledEpisode, keyof EpisodeKey>> {
  const sql = 'SELECT created FROM journal_episodes WHERE owner = ? AND sid = ?';
  const [episode] = await transaction.query<{ created: string }>(sql, key);
  return JSON.parse(episode?.created ?? '{}') as Omit<JournaledEpisode, keyof EpisodeKey>;
}

const readCalls = (transaction: SqlReader, key: readonly string[]): Promise<readonly CallRow[]> =>
  transaction.query<CallRow>(
    'SELECT number, call, outcome, ended FROM journal_calls WHERE owner = ? AND sid = ? ORDER BY number',
    key,
  );

const toCall = ({ number, call }: Pick<CallRow, 'number' | 'call'>): JournaledCall => ({
  ...(JSON.parse(call) as Omit<JournaledCall, 'number'>),
  number,
});

/** No owner is an empty text. */
export const toColumn = (owner: string | undefined): string => (owner === undefined ? '' : JSON.stringify(owner));

export const fromColumn = (owner: string): string | undefined => (owner === '' ? undefined : JSON.parse(owner));

type Outcome = NonNullable<ResumedEpisode['calls'][number]['outcome']>;

/** A letter for the event, then JSON. */
const toOutcomeText = (outcome: Outcome): string =>
  outcome.event === 'end' ? `r${outcome.json}` : `e${JSON.stringify(outcome.message)}`;

function fromOutcomeText(text: string): Outcome {
  const json = text.slice(1);
  if (text.startsWith('r')) return { event: 'end', json };
  return { event: 'error', message: String(JSON.parse(json)) };
}

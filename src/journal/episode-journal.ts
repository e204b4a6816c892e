import { type Awaitable, type PendingPromises, randomId } from '../core/index.ts';
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
  /** Writes that wait or run, for which `close` waits. */
  readonly pending: PendingPromises;
  /** Waits until the next asynchronous writes of all episodes, which then share transactions. */
  nextWrites(): Promise<void>;
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

/** A write of a call: of its beginning, its end, or both. */
interface CallWrite {
  readonly number: number;
  /** JSON of the call; undefined if its beginning is stored. */
  readonly call?: string;
  end?: {
    /** Position among the ends that are written together, from 1 up. */
    readonly order: number;
    readonly outcome: string;
    readonly snapshot: string | undefined;
  };
}

interface PromptsWrite {
  readonly prompts: JournaledPrompts;
}

const isCall = (write: CallWrite | PromptsWrite): write is CallWrite => 'number' in write;

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
  /** Writes of the next asynchronous transaction. */
  #waiting: (CallWrite | PromptsWrite)[] = [];
  /** Settles when nothing is waiting any more. Never rejects. */
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
    return this.#write({ prompts });
  }

  begin({ number, ...call }: JournaledCall): Promise<void> {
    return this.#write({ number, call: JSON.stringify(call) });
  }

  async repeat({ number, ...call }: JournaledCall): Promise<void> {
    const text = JSON.stringify({ ...call, isRepeated: true });
    await this.#journal.write(ROW_BYTES + text.length, async (transaction) => {
      await this.#assertOwned(transaction);
      const sql = 'UPDATE journal_calls SET call = ? WHERE owner = ? AND sid = ? AND number = ?';
      await transaction.query(sql, [text, ...this.#key, number]);
    });
  }

  end(number: number, outcome: Outcome, snapshot: string | undefined): Promise<void> {
    const order = this.#waiting.filter((write) => isCall(write) && write.end).length + 1;
    return this.#write({ number, end: { order, outcome: toOutcomeText(outcome), snapshot } });
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
      const until = last.reduce((newest, { ended }) => Math.max(newest, ended ?? 0), 0);
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
      // Another session with the same snapshots may be removed at the same time: the second one then removes them.
      await transaction.query(
        `SELECT id FROM journal_snapshots
         WHERE id IN (SELECT snapshot FROM journal_calls WHERE owner = ? AND sid = ? AND snapshot IS NOT NULL)
         ORDER BY id${transaction.forUpdate}`,
        this.#key,
      );
      await transaction.query(
        `DELETE FROM journal_snapshots
         WHERE id IN (SELECT snapshot FROM journal_calls WHERE owner = ? AND sid = ? AND snapshot IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM journal_calls WHERE snapshot = id AND NOT (owner = ? AND sid = ?))`,
        [...this.#key, ...this.#key],
      );
      await transaction.query('DELETE FROM journal_episodes WHERE owner = ? AND sid = ?', this.#key);
    });
  }

  async #write(write: CallWrite | PromptsWrite): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#journal.isAsync) return this.#store([write]);
    const begun = this.#waiting.filter(isCall).find(({ number }) => isCall(write) && number === write.number);
    if (begun && isCall(write) && write.end) begun.end = write.end;
    else this.#waiting.push(write);
    this.#pending ??= this.#journal.pending.add(this.#storeWaiting());
  }

  /**
   * Stores what is waiting, one transaction after the other: PostgreSQL runs simultaneous ones in any order. After one that
   * failed, nothing more is stored, since later calls would continue another state than the journal has.
   */
  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0 && this.#failure === undefined) {
      try {
        await this.#journal.nextWrites();
        const writes = this.#waiting;
        this.#waiting = [];
        await this.#store(writes);
      } catch (error) {
        this.#failure = error;
      }
    }
    this.#pending = undefined;
  }

  #store(writes: readonly (CallWrite | PromptsWrite)[]): Promise<void> {
    const calls = writes.filter(isCall);
    const ends = calls.filter(({ end }) => end !== undefined).length;
    return this.#journal.write(ROW_BYTES + JSON.stringify(writes).length, async (transaction) => {
      const endedBefore = ends === 0 ? 0 : await this.#countEnds(transaction, ends);
      for (const write of writes) {
        if (isCall(write)) await this.#storeCall(transaction, write, endedBefore);
        else await this.#storePrompts(transaction, write);
      }
    });
  }

  /** Adds to the number of calls that have ended, and returns the number before. */
  async #countEnds(transaction: SqlReader, ends: number): Promise<number> {
    const [row] = await transaction.query<{ ended: number }>(
      `UPDATE journal_episodes SET changed_ms = ${this.#journal.now}, ended = ended + ?
       WHERE owner = ? AND sid = ? AND server = ? AND fence = ? RETURNING ended`,
      [ends, ...this.#key, this.#journal.server, this.#fence],
    );
    if (!row) throw elsewhere();
    return row.ended - ends;
  }

  async #storeCall(transaction: SqlReader, { number, call, end }: CallWrite, endedBefore: number): Promise<void> {
    const snapshotId = end?.snapshot === undefined ? null : randomId('');
    const ended = end ? [end.outcome, endedBefore + end.order, snapshotId] : [null, null, null];
    if (call === undefined) {
      const sql =
        'UPDATE journal_calls SET outcome = ?, ended = ?, snapshot = ? WHERE owner = ? AND sid = ? AND number = ?';
      await transaction.query(sql, [...ended, ...this.#key, number]);
    } else {
      // One statement also asserts that this server has the episode, since each statement is a round trip.
      const stored = await transaction.query(
        `INSERT INTO journal_calls (owner, sid, number, call, outcome, ended, snapshot)
         SELECT owner, sid, CAST(? AS BIGINT), ?, ?, CAST(? AS BIGINT), ? FROM journal_episodes
         WHERE owner = ? AND sid = ? AND server = ? AND fence = ?${transaction.forUpdate} RETURNING number`,
        [number, call, ...ended, ...this.#key, this.#journal.server, this.#fence],
      );
      if (stored.length === 0) throw elsewhere();
    }
    if (end?.snapshot === undefined) return;
    const sql = 'INSERT INTO journal_snapshots (id, state) VALUES (?, ?)';
    await transaction.query(sql, [snapshotId, end.snapshot]);
  }

  async #storePrompts(transaction: SqlReader, { prompts }: PromptsWrite): Promise<void> {
    await this.#assertOwned(transaction);
    const created = await readCreated(transaction, this.#key);
    const text = JSON.stringify({ ...created, prompts: { ...created.prompts, ...prompts } });
    const sql = 'UPDATE journal_episodes SET created = ? WHERE owner = ? AND sid = ?';
    await transaction.query(sql, [text, ...this.#key]);
  }

  async #assertOwned(transaction: SqlReader): Promise<void> {
    if (!(await this.#isOwned(transaction))) throw elsewhere();
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

const elsewhere = (): EpisodeElsewhereError =>
  new EpisodeElsewhereError('another server continues this session, or it has been deleted');

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

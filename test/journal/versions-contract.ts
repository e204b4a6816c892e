import { expect, it } from '@jest/globals';
import { openJournal } from 'ors-kit/journal';
import { isPostgresUrl } from '../../src/core/index.ts';
import { journalVersions, migrateJournal } from '../../src/journal/open-journal.ts';
import { openPostgres, openSqlite } from '../../src/trace/store/index.ts';
import type { JournalDatabase } from './servers.ts';

const EPISODE = { environment: 'lab', task: {}, toolset: undefined, seed: 1, now: 0, secrets: [] };
const KEY = { sid: 'a', owner: undefined };

/** An invented version. */
const NEXT = ['ALTER TABLE journal_calls ADD COLUMN note BIGINT NOT NULL DEFAULT 7'];

/** Tests which tables a journal accepts. */
export function testVersions(database: JournalDatabase): void {
  /** Creates a database with an episode that has a call. */
  async function newJournal(): Promise<string> {
    const location = await database.newLocation();
    await using journal = await openJournal(location);
    const created = await journal.create({ ...KEY, ...EPISODE });
    await created.begin({ number: 1, taskId: 'call-1', name: 'count', input: {}, now: 0 });
    return location;
  }
  const read = async (location: string, sql: string) => JSON.stringify(await database.run(location, sql));

  it('adopts tables that have no version yet', async () => {
    const location = await newJournal();
    await database.run(location, 'DROP TABLE journal_version');

    await using journal = await openJournal(location);

    expect((await journal.resume(KEY))?.calls).toHaveLength(1);
    expect(await read(location, 'SELECT version FROM journal_version')).toContain('1');
  });

  it.each(['outcome', 'snapshot'])('rejects tables without a version that lack the column %s', async (column) => {
    const location = await newJournal();
    await database.run(location, 'DROP TABLE journal_version');
    await database.run(location, 'DROP INDEX journal_calls_snapshot');
    await database.run(location, `ALTER TABLE journal_calls DROP COLUMN ${column}`);

    await expect(openJournal(location)).rejects.toThrow(
      new RegExp(`^the database has journal tables that were never released: .*${column}.*; use a new one$`),
    );
  });

  it('rejects a newer version than it knows', async () => {
    const location = await newJournal();
    await database.run(location, 'UPDATE journal_version SET version = 99');

    await expect(openJournal(location)).rejects.toThrow(
      `the database has version 99 of the journal tables, and this ors-kit knows ${journalVersions.length}; use the newer one`,
    );
  });

  it('adds a newer version once, and keeps the contents', async () => {
    const location = await newJournal();
    const driver = isPostgresUrl(location)
      ? await openPostgres({ url: location })
      : await openSqlite({ path: location });
    const migrate = () => driver.write(1, (transaction) => migrateJournal(transaction, [...journalVersions, NEXT]));

    await migrate();
    await migrate();
    await driver.close();

    expect(await read(location, 'SELECT note FROM journal_calls')).toContain('7');
    await expect(openJournal(location)).rejects.toThrow(
      `has version ${journalVersions.length + 1} of the journal tables`,
    );
  });
}

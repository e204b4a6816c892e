import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/load-engine.ts';
import { describeUnless } from '../../support/optional.ts';
import { newFolder, sqliteMissing } from '../../trace/store/stores.ts';
import { fillSample } from '../../viewer/sample.ts';
import { describeInBrowser } from '../in-browser.ts';
import { openViewer } from './reader.ts';
import { serveFilled } from './served.ts';

/** What a trace was rewarded with, from its blocks alone. */
const SUMS = `SELECT t.id, t.step, t.task_index, t.status, sum(json_extract(b.extra, '$.reward')) AS reward,
  count(*) AS blocks, max(b.is_error) AS failed FROM traces t JOIN blocks b ON b.trace_id = t.id
  WHERE t.run = 'countdown-grpo' GROUP BY t.id`;
const SUMMARY = `count(*) AS n, avg(reward) AS mean,
  sqrt(max(0, avg(reward * reward) - avg(reward) * avg(reward))) AS std, min(reward) AS least, max(reward) AS most`;

interface Row {
  readonly step: number;
  readonly task_index: number;
  readonly n: number;
  readonly mean: number;
  readonly std: number;
  readonly least: number;
  readonly most: number;
  readonly blocks: number;
  readonly failed: number;
}

/** Three digits are shown: half of the last one, and what the order of a sum may make of it. */
const near = (value: number) => expect.closeTo(value, 2.95);
const numberIn = (shown: string | undefined) => Number(shown?.replace('−', '-').replace(',', ''));

describeUnless(sqliteMissing)('with SQLite', () => {
  describeInBrowser('the numbers')('every number of the runs, of a run and of a group', () => {
    test('is what SQL says of the same database', async () => {
      await using folder = await newFolder();
      const path = join(folder.path, 'traces.db');
      await using served = await serveFilled(() => {}, await openSqliteStore({ path }));
      await fillSample(served.url, { steps: 2, longBlocks: 0 });
      const database = loadEngine().open(path);
      const rows = (sql: string) =>
        database.prepare(`WITH sums AS (${SUMS}) ${sql}`).all() as unknown as readonly Row[];
      const [all] = rows(`SELECT ${SUMMARY}, sum(blocks) AS blocks, sum(failed) AS failed FROM sums`);
      const steps = rows(`SELECT step, ${SUMMARY} FROM sums GROUP BY step ORDER BY step`);
      const groups = rows(
        `SELECT step, task_index, ${SUMMARY} FROM sums GROUP BY step, task_index ORDER BY task_index, step`,
      );
      database.close();
      if (!all) throw new Error('SQL found nothing');
      await using reader = await openViewer(served.url, '?view=runs');
      await reader.until(`document.querySelector('table.runs')`);

      const run = (await reader.texts('table.runs tr')).find((row) => row.includes('countdown-grpo'));
      await reader.go('?view=run&run=countdown-grpo');
      await reader.until(`document.querySelectorAll('table.groups tbody tr').length === 8`);
      await reader.click('.run-chart summary');
      const numbers = await reader.texts('.run-numbers strong');
      const byStep = await cells(reader, '.run-steps tbody tr');
      const byGroup = await cells(reader, 'table.groups tbody tr');

      expect(run?.split('\t').map(numberIn)).toContainEqual(near(all.mean));
      expect(numbers.slice(0, 5).map(numberIn)).toEqual([near(all.mean), near(all.std), all.n, all.failed, all.blocks]);
      expect(byStep.map((row) => [0, 1, 2, 4, 5, 6].map((at) => numberIn(row[at])))).toEqual(
        steps.map(({ step, n, ...of }) => [step, n, ...[of.mean, of.std, of.least, of.most].map(near)]),
      );
      expect(byGroup.map(([task, ...row]) => [task, ...row.slice(0, 4).map(numberIn)]).toSorted(byPlace)).toEqual(
        groups.map(({ task_index, step, n, mean, std }) => [
          `countdown train[${task_index}]`,
          step,
          n,
          near(mean),
          near(std),
        ]),
      );
    });
  });
});

type Place = readonly unknown[];
const byPlace = ([task, step]: Place, [other, otherStep]: Place) =>
  String(task).localeCompare(String(other)) || Number(step) - Number(otherStep);

const cells = (reader: { evaluate<T>(expression: string): Promise<T> }, row: string) =>
  reader.evaluate<string[][]>(
    `[...document.querySelectorAll('${row}')].map((it) => [...it.cells].map((cell) => cell.innerText.trim()))`,
  );

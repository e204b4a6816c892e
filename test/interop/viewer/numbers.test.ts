import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { describeUnless } from '../../support/optional.ts';
import { newFolder, sqliteMissing } from '../../trace/store/stores.ts';
import { playRollouts, TRAINING } from '../../viewer/rollouts.ts';
import { describeInBrowser } from '../in-browser.ts';
import {
  amountIn,
  amountOf,
  askSql,
  named,
  near,
  numbersIn,
  SUMMARY,
  type SummaryRow,
  type TraceRow,
  table,
} from './figures.ts';
import { openViewer, type Reader } from './reader.ts';
import { type Served, serveFilled } from './served.ts';

const STEPS = 2;
const GROUPS = 4 * STEPS;

const timesIn = (reader: Reader, selector: string) =>
  reader.evaluate<string[]>(`[...document.querySelectorAll('${selector} time')].map((it) => it.dateTime)`);

/** Converts `85 ms`, `4.2 s`, `3 min 12 s` to milliseconds. */
function millisecondsIn(text: string): number {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };
  return [...text.matchAll(/([\d.]+) (ms|s|min|h)/g)].reduce(
    (sum, [, value, unit = '']) => sum + Number(value) * (units[unit] ?? 0),
    0,
  );
}

/** Matches a duration within the last unit shown: a millisecond, a tenth of a second, a second. */
function nearDuration({ created_at, finished_at }: TraceRow) {
  const ms = Date.parse(finished_at) - Date.parse(created_at);
  return ms < 1_000 ? ms : near(ms, ms < 60_000 ? -2 : -3.3);
}

const rewardShown = (reward: number | null) => (reward === null ? [] : [expect.closeTo(reward, 3)]);

describeUnless(sqliteMissing)('with SQLite', () => {
  describeInBrowser('the numbers')('every number of the runs, of a run and of a group', () => {
    let served: Served;
    let folder: Awaited<ReturnType<typeof newFolder>>;
    let path = '';

    beforeAll(async () => {
      folder = await newFolder();
      path = join(folder.path, 'traces.db');
      served = await serveFilled(() => {}, await openSqliteStore({ path }));
      await playRollouts(served.url, { steps: STEPS });
    });
    afterAll(async () => {
      await served?.[Symbol.asyncDispose]();
      await folder?.[Symbol.asyncDispose]();
    });

    async function openRun(): Promise<Reader> {
      const reader = await openViewer(served.url, `?view=run&run=${TRAINING}`);
      await reader.until(`document.querySelectorAll('table.groups tbody tr').length === ${GROUPS}`);
      await reader.until(`document.querySelectorAll('table.traces tbody tr').length === ${32 * STEPS}`);
      return reader;
    }

    test('equals SQL in the list of runs', async () => {
      const runs = askSql<SummaryRow & { readonly run: string }>(
        path,
        `SELECT run, ${SUMMARY} FROM sums GROUP BY run ORDER BY max(updated_at) DESC, run`,
      );
      await using reader = await openViewer(served.url, '?view=runs');
      await reader.until(`document.querySelectorAll('table.runs tbody tr').length === ${runs.length}`);

      const shown = await table(reader, 'table.runs');
      const changed = await timesIn(reader, 'table.runs');

      expect(runs.length).toBeGreaterThan(4);
      expect(shown.map(({ Run, Traces, Size }) => [Run, Traces, amountIn(Size)])).toEqual(
        runs.map(({ run, n, bytes }) => [run, String(n), amountOf(bytes)]),
      );
      expect(shown.map((row) => ['Mean reward', '± std', 'Range'].flatMap((name) => numbersIn(row[name])))).toEqual(
        runs.map(({ mean, std, least, most }) => [near(mean), near(std), near(least, 2), near(most, 2)]),
      );
      expect(shown.map((row) => ['Status', 'With errors', 'Blocks'].map((name) => numbersIn(row[name])))).toEqual(
        runs.map(({ n, finished, broken, failed, blocks }) => [
          [finished, broken].filter((count) => count > 0),
          failed === 0 ? [] : [failed, near((100 * failed) / n, 0)],
          [blocks],
        ]),
      );
      expect(changed).toEqual(runs.map((run) => run.changed));
    });

    test('equals SQL in the summary of a run', async () => {
      const [all] = askSql<SummaryRow>(path, `SELECT ${SUMMARY} FROM sums WHERE run = '${TRAINING}'`);
      if (!all) throw new Error('SQL found nothing');
      const { n, rewarded, mean, std, least, most, failed, blocks } = all;
      await using reader = await openRun();

      const shown = await named(reader, '.run-numbers');
      const numbers = (name: string) => numbersIn(shown[name]);
      const bars = await reader.evaluate<string[]>(
        `[...document.querySelectorAll('.run-bars title')].map((it) => it.textContent)`,
      );

      expect(numbers('Mean reward')).toEqual([near(mean), near(std / Math.sqrt(rewarded - 1))]);
      expect(numbers('Deviation')).toEqual([near(std), near(least), near(most)]);
      expect(numbers('Traces')).toEqual([n, all.finished, all.broken, n - rewarded]);
      expect(numbers('With failed calls')).toEqual([failed, near((100 * failed) / n, 1)]);
      expect(numbers('Blocks').slice(0, 2)).toEqual([blocks, near(blocks / n, 1)]);
      expect(amountIn(shown.Blocks)).toEqual(amountOf(all.bytes));
      expect(await timesIn(reader, '.run-numbers')).toEqual([all.changed, all.begun]);
      const inBars = askSql<{ bar: number; n: number }>(
        path,
        `SELECT min(23, CAST(24 * (reward - ${least}) / (${most} - ${least}) AS INTEGER)) AS bar, count(*) AS n
          FROM sums WHERE run = '${TRAINING}' AND reward IS NOT NULL GROUP BY 1`,
      );
      expect(bars.map((title) => numbersIn(title).at(-1))).toEqual(
        Array.from({ length: 24 }, (_, index) => inBars.find(({ bar }) => bar === index)?.n ?? 0),
      );
    });

    test('equals SQL in the steps and groups of a run', async () => {
      type Grouped = SummaryRow & Pick<TraceRow, 'step' | 'task_index'>;
      const of = (columns: string) =>
        askSql<Grouped>(path, `SELECT ${columns}, ${SUMMARY} FROM sums WHERE run = '${TRAINING}' GROUP BY ${columns}`);
      const [steps, groups] = [of('step'), of('task_index, step')];
      await using reader = await openRun();
      await reader.click('.run-chart summary');

      const byStep = await table(reader, '.run-steps table');
      const byGroup = await table(reader, 'table.groups');

      expect(byStep.map((row) => Object.values(row).flatMap(numbersIn))).toEqual(
        steps.map(({ step, n, rewarded, mean, std, least, most }) => [
          ...[step, n],
          ...[mean, std / Math.sqrt(rewarded - 1), std, least, most].map((value) => near(value)),
        ]),
      );
      const names = ['Rollouts', 'Mean', 'Std', 'Range'];
      const rows = byGroup.map((row) => [row.Task, Number(row.Step), ...names.flatMap((name) => numbersIn(row[name]))]);
      expect(rows.toSorted(byTask)).toEqual(
        groups.map(({ task_index, step, n, mean, std, least, most }) => [
          ...[`countdown train[${task_index}]`, step, n],
          ...[near(mean), near(std), near(least, 2), near(most, 2)],
        ]),
      );
    });

    test('equals SQL in the traces of a run', async () => {
      const traces = askSql<TraceRow>(path, `SELECT * FROM sums WHERE run = '${TRAINING}' ORDER BY id`);
      await using reader = await openRun();

      const ids = await reader.evaluate<string[]>(
        `[...document.querySelectorAll('table.traces td.name a')].map((it) => it.title)`,
      );
      const shown = await table(reader, 'table.traces');
      const rows = shown
        .map((row, index) => ({ id: ids[index] ?? '', row }))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));

      expect(rows.map(({ id }) => id)).toEqual(traces.map(({ id }) => id));
      expect(rows.map(({ row }) => [row.Task, row.Model, row.Status, amountIn(row.Size)])).toEqual(
        traces.map((it) => [`countdown train[${it.task_index}]`, it.model, it.status, amountOf(it.bytes)]),
      );
      expect(rows.map(({ row }) => [row.Reward, row.Blocks, row.Errors].map(numbersIn))).toEqual(
        traces.map((it) => [rewardShown(it.reward), [it.blocks], it.errors === 0 ? [] : [it.errors]]),
      );
      expect(rows.map(({ row }) => millisecondsIn(row.Duration ?? ''))).toEqual(traces.map(nearDuration));
    });

    test.each([
      ['that differs', TRAINING, 1, 1],
      ['with an episode that failed', TRAINING, 2, 1],
      ['that is solved always', TRAINING, 0, 0],
      ['that is never solved', TRAINING, 3, 0],
      ['without a step, one of whose rollouts has no call', 'gsm8k-guesses', 1, null],
      ['whose tool crashes', 'broken', 0, null],
      ['of parts of rewards', 'maze-random', 0, null],
    ])('equals SQL in a group %s', async (_, run, task, step) => {
      const where = `run = '${run}' AND task_index = ${task} AND step IS ${step}`;
      const traces = askSql<TraceRow>(path, `SELECT * FROM sums WHERE ${where} ORDER BY id`);
      const [all] = askSql<SummaryRow>(path, `SELECT ${SUMMARY} FROM sums WHERE ${where}`);
      if (!all || !traces[0]) throw new Error('SQL found nothing');
      const { environment, split, task_key } = traces[0];
      const name = { run, environment, split, task_key, ...(step !== null && { step: String(step) }), prefix: 'open' };
      await using reader = await openViewer(served.url, `?view=group&${new URLSearchParams(name)}`, WIDE);
      await reader.until(`/rows? of steps/.test(document.querySelector('.group-line')?.textContent ?? '')`);

      const summary = await named(reader, '.group-summary');
      const columns = (await columnsOf(reader)).toSorted((one, other) => (one.id < other.id ? -1 : 1));

      expect(['Rollouts', 'Mean reward', 'Std', 'Min', 'Max'].flatMap((each) => numbersIn(summary[each]))).toEqual([
        ...[all.n, near(all.mean), near(all.std), near(all.least), near(all.most)],
      ]);
      expect(summary['Learning signal']).toMatch(
        all.least === all.most ? /^zero-variance: all [01],/ : /^rewards differ$/,
      );
      expect(columns.map(({ id, stop }) => [id, stop])).toEqual(
        traces.map(({ id, stop, status }) => [id, status === 'error' ? 'error' : stop]),
      );
      expect(columns.map(({ reward, advantage }) => [reward, advantage].map(numbersIn))).toEqual(
        traces.map(({ reward }) => [rewardShown(reward), reward === null ? [] : [near(advantageOf(reward, all))]]),
      );
      expect(columns.map(({ length, blocks, took }) => [length, blocks, took])).toEqual(
        traces.map((it) => [it.calls || it.answers, it.blocks, nearDuration(it)]),
      );
      await expectCells(reader, path, where);
    });
  });
});

/** Size at which all rows and columns of the groups are visible. */
const WIDE = { width: 2_200, height: 2_400 };

const advantageOf = (reward: number, { mean, std }: SummaryRow) => (std === 0 ? 0 : (reward - mean) / std);

async function columnsOf(reader: Reader) {
  const heads = await reader.evaluate<readonly Readonly<Record<string, string>>[]>(
    `[...document.querySelectorAll('.group-head')].map((head) => ({ id: head.querySelector('a').title, blocks: head.querySelector('dd[title]').title, ...Object.fromEntries([...head.querySelectorAll('dt')].map((it) => [it.innerText, it.nextElementSibling.innerText])) }))`,
  );
  return heads.map(({ id = '', stop, status, reward, advantage, length, blocks, took = '' }) => ({
    ...{ id, stop: stop ?? status, reward, advantage },
    ...{ length: numbersIn(length)[0], blocks: numbersIn(blocks)[0], took: millisecondsIn(took) },
  }));
}

/** Expects each step in one cell, calls with their rewards, and no empty row. */
async function expectCells(reader: Reader, path: string, where: string): Promise<void> {
  const steps = askSql<{ id: string; reward: number | null }>(
    path,
    `SELECT b.id, (SELECT sum(json_extract(r.extra, '$.reward')) FROM blocks r WHERE r.parent_block_id = b.id) AS reward
      FROM sums JOIN blocks b ON b.trace_id = sums.id WHERE ${where} AND
      CASE calls WHEN 0 THEN json_extract(b.payload, '$.role') = 'assistant' ELSE b.sub_type = 'TOOL_CALL' END`,
  );
  const rows = await reader.evaluate<readonly (readonly { id: string; reward: string }[])[]>(
    `[...document.querySelectorAll('.group-grid tbody tr')].map((row) => [...row.querySelectorAll('a.group-step')].map((it) => ({ id: it.hash.slice(1), reward: it.querySelector('.reward')?.innerText ?? '' })))`,
  );
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  const cells = rows.flat().map(({ id, reward }) => ({ id, reward: numbersIn(reward) }));
  expect(numbersIn(await reader.text('.group-line'))[0]).toBe(rows.filter((row) => row.length > 0).length);
  expect(cells.toSorted(byId)).toEqual(
    steps.map(({ id, reward }) => ({ id, reward: rewardShown(reward) })).toSorted(byId),
  );
}

type Row = readonly unknown[];
const byTask = ([task, step]: Row, [other, otherStep]: Row) =>
  String(task).localeCompare(String(other)) || Number(step) - Number(otherStep);

import { expect } from '@jest/globals';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/engine.ts';
import type { Reader } from './reader.ts';

/** Statistics of a trace, computed from its blocks, without the counters of the store. */
const SUMS = `SELECT t.id, t.run, t.environment, t.split, t.task_index, t.task_key, t.step, t.model, t.status,
  t.created_at, t.finished_at, t.updated_at,
  (SELECT substr(value, 6) FROM json_each(t.tags) WHERE value LIKE 'stop:%') AS stop,
  sum(json_extract(b.extra, '$.reward')) AS reward, count(b.id) AS blocks,
  coalesce(sum(b.sub_type = 'TOOL_CALL'), 0) AS calls,
  coalesce(sum(json_extract(b.payload, '$.role') = 'assistant'), 0) AS answers,
  coalesce(sum(b.sub_type = 'TOOL_RESULT' AND json_extract(b.extra, '$.tool_error') IS 1), 0) AS errors,
  coalesce(sum(length(CAST(b.payload AS BLOB)) + coalesce(length(CAST(b.raw AS BLOB)), 0)
    + coalesce(length(CAST(b.extra AS BLOB)), 0)), 0) AS bytes
  FROM traces t LEFT JOIN blocks b ON b.trace_id = t.id GROUP BY t.id`;

/** SELECT list for the statistics of rewards. */
export const SUMMARY = `count(*) AS n, count(reward) AS rewarded, avg(reward) AS mean,
  sqrt(max(0, avg(reward * reward) - avg(reward) * avg(reward))) AS std, min(reward) AS least, max(reward) AS most,
  sum(errors > 0) AS failed, sum(blocks) AS blocks, sum(bytes) AS bytes, min(created_at) AS begun,
  max(updated_at) AS changed, sum(status = 'finished') AS finished, sum(status = 'error') AS broken`;

export interface TraceRow {
  readonly id: string;
  readonly environment: string;
  readonly split: string;
  readonly task_index: number;
  readonly task_key: string;
  readonly step: number | null;
  readonly model: string;
  readonly status: string;
  readonly created_at: string;
  readonly finished_at: string;
  readonly stop: string | null;
  readonly reward: number | null;
  readonly blocks: number;
  readonly calls: number;
  /** Number of messages of the assistant. */
  readonly answers: number;
  readonly errors: number;
  readonly bytes: number;
}

export interface SummaryRow {
  readonly n: number;
  readonly rewarded: number;
  readonly mean: number;
  readonly std: number;
  readonly least: number;
  readonly most: number;
  readonly failed: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly begun: string;
  readonly changed: string;
  readonly finished: number;
  readonly broken: number;
}

/** Queries the file that a store has open. `sums` has one row per trace. */
export function askSql<Row>(path: string, sql: string): readonly Row[] {
  const database = loadEngine().open(path);
  try {
    // The row type is stated next to each statement.
    return database.prepare(`WITH sums AS (${SUMS}) ${sql}`).all() as unknown as readonly Row[];
  } finally {
    database.close();
  }
}

/** Matches a number within half of the last digit shown, and the rounding error of a sum. */
export const near = (value: number, digits = 3) => expect.closeTo(value, digits - 0.05);

/** Returns the numbers of a text in order: `3 of 8`, `−0.25 … 1.00`. */
export const numbersIn = (text = ''): number[] =>
  [...text.matchAll(/[−-]?\d[\d,]*(?:\.\d+)?/g)].map(([shown]) => Number(shown.replace('−', '-').replaceAll(',', '')));

const UNITS: readonly string[] = ['B', 'KiB', 'MiB'];

/** Returns the amount and unit that a size is shown as, with three digits: `12.3 KiB`. */
export function amountOf(bytes: number): readonly [ReturnType<typeof near>, string] {
  const power = bytes < 1_024 ? 0 : bytes < 1_024 ** 2 ? 1 : 2;
  const amount = bytes / 1_024 ** power;
  return [near(amount, amount >= 100 ? 0 : 1), UNITS[power] ?? ''];
}

/** Reads the amount and unit of a text such as `12.3 KiB`. */
export const amountIn = (text = ''): readonly [number, string] => [
  numbersIn(text).at(-1) ?? Number.NaN,
  text.match(/\b((?:[KM]i)?B)\b/)?.[1] ?? '',
];

/** Returns the cells of a table by column. */
export const table = (reader: Reader, selector: string) =>
  reader.evaluate<readonly Readonly<Record<string, string>>[]>(
    `(() => { const it = document.querySelector('${selector}'); const names = [...it.tHead.rows[0].cells].map((cell) => cell.innerText.replace(/[↑↓]/g, '').trim()); return [...it.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, at) => [names[at], (cell.querySelector('svg')?.getAttribute('aria-label') ?? cell.innerText).trim()]))); })()`,
  );

/** Returns the values of the first definition list that matches a selector, by name. */
export const named = (reader: Reader, selector: string) =>
  reader.evaluate<Readonly<Record<string, string>>>(
    `Object.fromEntries([...document.querySelector('${selector}').querySelectorAll('dt')].map((it) => [it.innerText, it.nextElementSibling.innerText]))`,
  );

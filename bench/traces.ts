/** Measures the trace store on SQLite: T1 to T5, T9 and T10, each beside something measured in the same run. */

import { parseArgs } from 'node:util';
import { chosen } from './flags.ts';
import { machineText } from './report.ts';
import { fail, showProgress } from './say.ts';
import { batches, singles } from './traces/ingest.ts';
import { logging, tail } from './traces/live.ts';
import { reads, runPage } from './traces/reads.ts';
import type { Row } from './traces/row.ts';

const PARTS: Readonly<Record<string, () => Promise<Row[]>>> = { batches, singles, reads, tail, logging, runPage };

const help = `Usage: node --import tsx bench/traces.ts [--only <parts>] [--rounds <number>]

Measures the trace store on a new SQLite file through HTTP, the server in a process of its own. Needs Node 22.13 or newer. A
figure is the median of the rounds (3 by default), with the least and the most; the ratio is that of the medians.

Parts: ${Object.keys(PARTS).join(', ')}.

Example: node --import tsx bench/traces.ts --only batches,singles`;

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, rounds: { type: 'string', default: '3' }, help: { type: 'boolean' } },
  });
  if (values.help) console.log(help);
  else await measure(chosen('--only', values.only, Object.keys(PARTS)), Number(values.rounds));
} catch (error) {
  fail(2, `${error instanceof Error ? error.message : error}\nSee --help.`);
}

async function measure(names: readonly string[], rounds: number): Promise<void> {
  console.log(`${machineText()}.\n`);
  for (const name of names) {
    const found = new Map<string, Row[]>();
    for (let round = 0; round < rounds; round++) {
      showProgress(`${name}, round ${round + 1} of ${rounds}`);
      for (const row of (await PARTS[name]?.()) ?? []) found.set(row.what, [...(found.get(row.what) ?? []), row]);
    }
    showProgress('');
    for (const rows of found.values()) print(rows);
  }
}

function print(rows: readonly Row[]): void {
  const [{ id, what, target } = { id: '', what: '', target: '' }] = rows;
  const values = rows.map(({ value }) => value).sort((one, other) => one - other);
  const middle = (numbers: readonly number[]) => numbers[Math.floor(numbers.length / 2)] ?? Number.NaN;
  const beside = middle(rows.map((row) => row.beside).sort((one, other) => one - other));
  const shown = (value: number | undefined) => Number((value ?? Number.NaN).toPrecision(3)).toLocaleString('en');
  const range = `${shown(middle(values))} (${shown(values[0])}-${shown(values.at(-1))})`;
  console.log(
    `${id.padEnd(4)} ${what.padEnd(46)} ${range.padEnd(28)} / ${shown(beside).padEnd(8)} = ${(middle(values) / beside).toFixed(2).padEnd(6)} ${target}`,
  );
}

/** Measures the trace store: T1 to T5 and T8 to T10, and beside another store; each beside something of the same run. */

import { parseArgs } from 'node:util';
import { chosen } from './flags.ts';
import { machineText } from './report.ts';
import { fail, showProgress } from './say.ts';
import type { Engine } from './traces/engine.ts';
import { exportRun } from './traces/export.ts';
import { growth } from './traces/growth.ts';
import { batches, singles, size } from './traces/ingest.ts';
import { logging, tail } from './traces/live.ts';
import { peer } from './traces/peer.ts';
import { postgres } from './traces/postgres.ts';
import { reads, runPage } from './traces/reads.ts';
import type { Row } from './traces/row.ts';
import { sqlite } from './traces/sqlite.ts';

interface Part {
  readonly measure: (engine: Engine, blocks: number) => Promise<Row[]>;
  /** Whether it takes minutes, and is measured once. */
  readonly isLong?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  batches: { measure: batches },
  singles: { measure: singles },
  size: { measure: size, isLong: true },
  reads: { measure: reads },
  tail: { measure: tail },
  logging: { measure: logging },
  runPage: { measure: runPage, isLong: true },
  export: { measure: exportRun, isLong: true },
  growth: { measure: growth, isLong: true },
  peer: { measure: peer, isLong: true },
};

const ENGINES = { sqlite: async () => sqlite, postgres } as const;

const help = `Usage: node --import tsx bench/traces.ts [options]

Measures the trace store of the built package through HTTP, the server in a process of its own, warmed up. Needs Node 22.13
or newer. A figure is the median of the rounds, with the least and the most; the ratio is that of the medians.

Options:
  --only <parts>    of ${Object.keys(PARTS).join(', ')}
  --engine <name>   sqlite (a new file) or postgres (a server of its own; needs PostgreSQL and pg) (sqlite)
  --rounds <n>      of each part that does not take minutes (3)
  --blocks <n>      that the part export writes before, and that growth writes (200000)
  --json            a line of JSON for each round of each figure
  --help            this text

The part peer needs Arize Phoenix: sh bench/traces/phoenix.sh

Example: node --import tsx bench/traces.ts --only batches,singles --engine postgres`;

interface Options {
  readonly names: readonly string[];
  readonly engine: keyof typeof ENGINES;
  readonly rounds: number;
  readonly blocks: number;
  readonly json: boolean;
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

try {
  const options = readOptions();
  if (options) await measure(options);
} catch (error) {
  fail(2, `${error instanceof Error ? error.message : error}\nSee --help.`);
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
      rounds: { type: 'string', default: '3' },
      blocks: { type: 'string', default: '200000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return undefined;
  }
  const [engine, ...others] = chosen('--engine', values.engine, Object.keys(ENGINES) as (keyof typeof ENGINES)[]);
  if (!engine || others.length > 0) throw new Error('--engine takes one name.');
  return {
    names: chosen('--only', values.only, Object.keys(PARTS)),
    engine,
    rounds: count('--rounds', values.rounds, 1),
    blocks: count('--blocks', values.blocks, 500),
    json: values.json,
  };
}

/** A multiple of `unit`. */
function count(option: string, text: string, unit: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0 && value % unit === 0) return value;
  throw new Error(`${option}: '${text}' is no whole number from ${unit}${unit > 1 ? ` in steps of ${unit}` : ''}.`);
}

async function measure({ names, engine: engineName, rounds, blocks, json }: Options): Promise<void> {
  await using engine = await ENGINES[engineName]();
  if (!json) console.log(`${engineName}. ${machineText()}.\n`);
  for (const name of names) {
    const part = PARTS[name];
    if (!part) continue;
    const found = new Map<string, Row[]>();
    const times = part.isLong ? 1 : rounds;
    for (let round = 0; round < times; round++) {
      showProgress(`${name}, round ${round + 1} of ${times}`);
      for (const row of await part.measure(engine, blocks)) found.set(row.what, [...(found.get(row.what) ?? []), row]);
    }
    showProgress('');
    for (const rows of found.values()) {
      if (!json) print(rows);
      else for (const row of rows) console.log(JSON.stringify({ engine: engineName, part: name, ...row }));
    }
  }
}

function print(rows: readonly Row[]): void {
  const [{ id, what, target } = { id: '', what: '', target: '' }] = rows;
  const values = rows.map(({ value }) => value).sort((one, other) => one - other);
  const middle = (numbers: readonly number[]) => numbers[Math.floor(numbers.length / 2)] ?? Number.NaN;
  const beside = middle(rows.map((row) => row.beside).sort((one, other) => one - other));
  const shown = (value: number | undefined) => Number((value ?? Number.NaN).toPrecision(3)).toLocaleString('en');
  const range = rows.length > 1 ? ` (${shown(values[0])}-${shown(values.at(-1))})` : '';
  const ratio = (middle(values) / beside).toFixed(2);
  const figure = `${shown(middle(values))}${range}`;
  console.log(
    `${id.padEnd(4)} ${what.padEnd(46)} ${figure.padEnd(28)} / ${shown(beside).padEnd(8)} = ${ratio.padEnd(6)} ${target}`,
  );
}

/** Measures the trace store; prints tables, keeps the figures, and writes docs/performance.md with those of the servers. */

import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';
import { chosen } from './flags.ts';
import { planText } from './plan.ts';
import { aligned, faultText, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';
import { keepSection, type Section, sectionOf } from './sections.ts';
import type { Engine } from './traces/engine.ts';
import { subjectOf } from './traces/figures.ts';
import { type EngineName, engineNames, engines, type StorePart, storeParts } from './traces/parts.ts';
import type { StoreMetric } from './traces/row.ts';
import { storeTable } from './traces/table.ts';
import { writeDocument } from './write-document.ts';

const ROUNDS = 3;
const partNames = storeParts.map(({ name }) => name);
const standing = storeParts.filter(({ isExtra }) => !isExtra).map(({ name }) => name);
const listed = (entries: readonly { name: string; about: string }[]) =>
  entries.map(({ name, about }) => `                      ${name.padEnd(10)} ${about}`).join('\n');

const numbers = storeParts.flatMap(({ name, blocks }) =>
  blocks === undefined ? [] : [{ name, about: blocks.toLocaleString('en') }],
);

const help = `Usage: node --import tsx bench/traces.ts [options]

Measures the trace store of the built package through HTTP, the server in a process of its own, warmed up. Needs Node 22.13
or newer. A figure is the median of the rounds, with the least and the most; a ratio is the median of the rounds'. What was
measured in full is kept in .cache/bench/figures, by part and engine, with the time that it took, and once all but the
extra is there, with the figures of the servers (bench/run.ts), each such run writes docs/performance.md of what is kept.

Options:
  --quick             one round, 10,000 blocks, and only prints
  --only <parts>      some of them, separated by commas:
${listed(storeParts)}
  --engine <names>    some of those that are installed here:
${listed(engineNames.map((name) => ({ name, about: engines[name].about })))}
  --rounds <n>        of each part that does not take minutes (3); with fewer such a part is not kept
  --blocks <n>        at most so many; a part that then writes fewer than these is not kept:
${listed(numbers)}
  --json              one JSON document instead of the tables
  --help              this text

The part peer needs Arize Phoenix: sh bench/traces/phoenix.sh

Example: node --import tsx bench/traces.ts --only batches,singles --engine postgres

Exit code: 0, also where goals are not met; 1 if a part failed, 2 for a wrong option.`;

interface Options {
  readonly parts: readonly StorePart[];
  readonly engines: readonly EngineName[];
  readonly rounds: number;
  /** The most that a part may write which says how many it would write. */
  readonly blocks: number;
  readonly quick: boolean;
  readonly json: boolean;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const found = options.engines.filter((name) => isHere(name, engines[name].missing));
  const parts = options.parts.filter(({ name, missing }) => isHere(name, missing));
  for (const name of found) {
    console.error(`${name}\n${planText(parts, subjectOf(name))}`);
    const sections: Section<StoreMetric>[] = [];
    await using engine = await engines[name].open();
    for (const part of parts) {
      console.error(`${part.name}: ${part.about}`);
      const section = await measured(part, engine, options);
      sections.push(section);
      console.error(keepSection(section, shortenedBy(options, part), subjectOf(name)));
    }
    report(name, sections, options);
  }
  if (!options.quick) writeDocument();
}

/** The options that make less of a part than a whole one. */
const shortenedBy = ({ quick, rounds, blocks }: Options, part: StorePart): string[] => [
  ...(quick ? ['--quick'] : []),
  ...(!part.isLong && rounds < ROUNDS ? ['--rounds'] : []),
  ...(part.blocks !== undefined && blocks < part.blocks ? ['--blocks'] : []),
];

function isHere(name: string, missing: string | undefined): boolean {
  if (missing !== undefined) console.error(`Without ${name}: ${missing}.`);
  return missing === undefined;
}

async function measured(part: StorePart, engine: Engine, options: Options): Promise<Section<StoreMetric>> {
  const from = performance.now();
  const results = new Results<StoreMetric>();
  results.notes.add(`${engine.version}.`);
  const rounds = part.isLong ? 1 : options.rounds;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const progress = (step: string) => showProgress(`${part.name}, round ${round} of ${rounds}: ${step}`);
      progress('begins');
      const blocks = Math.min(options.blocks, part.blocks ?? 0);
      for (const { figures, ...metric } of await part.measure(engine, { blocks, progress })) {
        for (const [of, value] of Object.entries(figures)) {
          results.record({ measure: part.name, ...metric }, of, value);
        }
      }
    }
  } catch (error) {
    results.fault(part.name, 'the store', error);
  }
  showProgress('');
  return sectionOf(part, results, {
    names: [],
    pinning: 'Not pinned: all processes share the cores freely.',
    from,
  });
}

function report(engine: EngineName, sections: readonly Section<StoreMetric>[], { json, quick }: Options): void {
  if (json) console.log(JSON.stringify({ machine: machineText(), engine, quick, sections }, null, 2));
  else console.log(`${engine.toUpperCase()} (${machineText()})\n\n${tables(sections)}\n`);
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
}

/** Curves have a table of their own. */
function tables(sections: readonly Section<StoreMetric>[]): string {
  const isCurve = ({ measure }: Section) => !standing.includes(measure);
  const rows = sections.filter((section) => !isCurve(section)).flatMap((section) => section.rows);
  const curves = sections.filter(isCurve).map((section) => table(section.rows, section.contestants, []));
  return [...(rows.length > 0 ? [aligned(storeTable(rows))] : []), ...curves].join('\n\n');
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        engine: { type: 'string' },
        rounds: { type: 'string' },
        blocks: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { quick, json } = values;
    const names = values.only === undefined ? standing : chosen('--only', values.only, partNames);
    const options = {
      quick,
      json,
      parts: storeParts.filter(({ name }) => names.includes(name)),
      engines: chosen('--engine', values.engine, engineNames),
      rounds: count('--rounds', values.rounds ?? (quick ? 1 : ROUNDS), 1),
      blocks: mostBlocks(values.blocks, quick),
    };
    if (!values.help) return options;
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

const mostBlocks = (text: string | undefined, quick: boolean): number =>
  text === undefined && !quick ? Number.POSITIVE_INFINITY : count('--blocks', text ?? 10_000, 500);

/** A multiple of `unit`. */
function count(option: string, text: string | number, unit: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0 && value % unit === 0) return value;
  throw new Error(`${option}: '${text}' is no whole number from ${unit}${unit > 1 ? ` in steps of ${unit}` : ''}.`);
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));
await main();

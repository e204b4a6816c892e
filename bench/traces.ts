/** Measures the trace store; prints tables, saves the figures, and writes docs/development/performance.md. */

import { describeChoices, exitOnSignals, fail, parseNames, readCommandLine, showProgress } from './command-line.ts';
import { writeDocument } from './document.ts';
import { aligned, faultText, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { durationsText, type Section, saveSection, sectionOf } from './sections.ts';
import type { Engine } from './traces/engine.ts';
import { type EngineName, engineNames, engines, type StorePart, storeParts, storeSubject } from './traces/parts.ts';
import type { StoreMetric } from './traces/store-measure.ts';
import { storeTable } from './traces/table.ts';

const ROUNDS = 3;
const partNames = storeParts.map(({ name }) => name);
const defaultNames = storeParts.filter(({ isExtra }) => !isExtra).map(({ name }) => name);

const blockCounts = storeParts.flatMap(({ name, blocks }) =>
  blocks === undefined ? [] : [{ name, about: blocks.toLocaleString('en') }],
);

const help = `Usage: node --import tsx bench/traces.ts [options]

Measures the trace store of the built package over HTTP, with the server in a separate process, after a warm-up. Needs
Node 22.13 or newer. A figure is the median of the rounds, with the minimum and the maximum; a ratio is the median of the
ratios of the rounds. The results of a full run are saved in docs/development/performance/, by part and engine, with their
durations. Once all parts except the extra one have results, and the servers too (bench/run.ts), each full run writes
docs/development/performance.md.

Options:
  --quick             one round, 10,000 blocks; only prints
  --only <parts>      comma-separated list of:
${describeChoices(storeParts, 22)}
  --engine <names>    comma-separated list of the installed ones of:
${describeChoices(
  engineNames.map((name) => ({ name, about: engines[name].about })),
  22,
)}
  --rounds <n>        rounds of each part that does not take minutes (3); with fewer the results are not saved
  --blocks <n>        maximum number of blocks, in steps of 500; the results of parts that write fewer than these are not saved:
${describeChoices(blockCounts, 22)}
  --json              print JSON instead of tables
  --help              print this help

The parts peer and page need Arize Phoenix or MLflow (sh bench/traces/peers.sh), and page needs Chromium.

Example: node --import tsx bench/traces.ts --only batches,singles --engine postgres

Exit code: 0, also if goals are not met; 1 if a part failed; 2 for an invalid option.`;

interface Options {
  readonly parts: readonly StorePart[];
  readonly engines: readonly EngineName[];
  readonly rounds: number;
  /** Maximum number of blocks of a part. */
  readonly blocks: number;
  readonly quick: boolean;
  readonly json: boolean;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const available = options.engines.filter((name) => isAvailable(name, engines[name].missing));
  const parts = options.parts.filter(({ name, missing }) => isAvailable(name, missing));
  for (const name of available) {
    const ownParts = parts.filter(({ engine = name }) => engine === name);
    for (const part of parts)
      if (!ownParts.includes(part)) console.error(`Without ${part.name}: only on ${part.engine}.`);
    if (ownParts.length === 0) continue;
    console.error(`${name}\n${durationsText(ownParts, storeSubject(name))}`);
    const sections: Section<StoreMetric>[] = [];
    await using engine = await engines[name].open();
    for (const part of ownParts) {
      console.error(`${part.name}: ${part.about}`);
      const section = await measure(part, engine, options);
      sections.push(section);
      console.error(saveSection(section, shortenedBy(options, part), storeSubject(name)));
    }
    report(name, sections, options);
    if (!options.quick) writeDocument();
  }
}

/** Lists the options that make the run of a part shorter than a full one. */
const shortenedBy = ({ quick, rounds, blocks }: Options, part: StorePart): string[] => [
  ...(quick ? ['--quick'] : []),
  ...(!part.isLong && rounds < ROUNDS ? ['--rounds'] : []),
  ...(part.blocks !== undefined && blocks < part.blocks ? ['--blocks'] : []),
];

function isAvailable(name: string, missing: string | undefined): boolean {
  if (missing !== undefined) console.error(`Without ${name}: ${missing}.`);
  return missing === undefined;
}

async function measure(part: StorePart, engine: Engine, options: Options): Promise<Section<StoreMetric>> {
  const from = performance.now();
  const results = new Results<StoreMetric>();
  results.notes.add(`${engine.version}.`);
  const rounds = part.isLong ? 1 : options.rounds;
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const progress = (step: string) => showProgress(`${part.name}, round ${round} of ${rounds}: ${step}`);
      progress('start');
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
    pinning: 'Not pinned: all processes share all cores.',
    from,
  });
}

function report(engine: EngineName, sections: readonly Section<StoreMetric>[], { json, quick }: Options): void {
  if (json) console.log(JSON.stringify({ machine: machineText(), engine, quick, sections }, null, 2));
  else console.log(`${engine.toUpperCase()} (${machineText()})\n\n${tablesText(sections)}\n`);
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
}

/** Formats one table of all default parts, and one table of each extra part, whose columns are sizes. */
function tablesText(sections: readonly Section<StoreMetric>[]): string {
  const isExtra = ({ measure }: Section) => !defaultNames.includes(measure);
  const rows = sections.filter((section) => !isExtra(section)).flatMap((section) => section.rows);
  const extras = sections.filter(isExtra).map((section) => table(section.rows, section.contestants, []));
  return [...(rows.length > 0 ? [aligned(storeTable(rows))] : []), ...extras].join('\n\n');
}

function readOptions(): Options | undefined {
  const flags = {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    engine: { type: 'string' },
    rounds: { type: 'string' },
    blocks: { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const;
  return readCommandLine(help, flags, ({ quick, json, only, engine, rounds, blocks }) => {
    const names = only === undefined ? defaultNames : parseNames('--only', only, partNames);
    return {
      quick,
      json,
      parts: storeParts.filter(({ name }) => names.includes(name)),
      engines: parseNames('--engine', engine, engineNames),
      rounds: parseCount('--rounds', rounds ?? (quick ? 1 : ROUNDS), 1),
      blocks: parseMaxBlocks(blocks, quick),
    };
  });
}

const parseMaxBlocks = (text: string | undefined, quick: boolean): number =>
  text === undefined && !quick ? Number.POSITIVE_INFINITY : parseCount('--blocks', text ?? 10_000, 500);

/** Parses a positive multiple of `unit`. */
function parseCount(option: string, text: string | number, unit: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0 && value % unit === 0) return value;
  throw new Error(`invalid ${option} '${text}': expected a positive ${unit > 1 ? `multiple of ${unit}` : 'integer'}`);
}

exitOnSignals();
await main();

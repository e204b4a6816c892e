/** Puts one-line faults into a copy of the sources, one at a time, and checks that the tests notice each of them. */
import { parseArgs } from 'node:util';
import { countOccurrences } from '../support/checkout.ts';
import { type FaultLab, type FaultResult, openLab } from './attempt.ts';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';

const HELP = `Puts one-line faults into a copy of the sources, one at a time, and checks that the tests notice each of them.

  make faults                                        # all faults; takes hours
  make faults ARGS='--list'                          # the faults by part
  make faults ARGS='--only server,client'            # the faults of two parts
  make faults ARGS='--only queue-not-released'       # one fault
  make faults ARGS='--jobs 2'                        # two at a time, each in its own copy
  make faults ARGS='--only server --whole'           # run the whole suite if the named suites do not notice

Exits with 1 if a fault is not noticed or does not apply, with 2 for wrong arguments. The faults are in
test/faults/parts/*.ts; each names the suites that have to notice it.`;

interface RunOptions {
  readonly jobs: number;
  readonly isWhole: boolean;
}

const readOptions = () =>
  parseArgs({
    options: {
      only: { type: 'string' },
      list: { type: 'boolean' },
      jobs: { type: 'string', default: '1' },
      whole: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });

function main(): Promise<number> | number {
  let values: ReturnType<typeof readOptions>['values'];
  try {
    ({ values } = readOptions());
  } catch (error) {
    return print(`${(error as Error).message}; --help shows all options`, 2);
  }
  if (values.help) return print(HELP, 0);
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !faults.some(({ id, part }) => id === name || part === name)) ?? [];
  if (unknown.length > 0) return print(`unknown fault or part: ${unknown.join(', ')}; --list shows all`, 2);
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1)
    return print(`invalid --jobs '${values.jobs}': expected an integer from 1`, 2);
  const chosen = faults.filter(({ id, part }) => only === undefined || only.includes(id) || only.includes(part));
  if (values.list) return print(listOf(chosen), 0);
  return tryAll(chosen, { jobs, isWhole: values.whole });
}

function print(text: string, code: number): number {
  (code === 0 ? console.log : console.error)(text);
  return code;
}

async function tryAll(chosen: readonly Fault[], { jobs, isWhole }: RunOptions): Promise<number> {
  const labs: FaultLab[] = [];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void Promise.all(labs.map((lab) => lab.close())).finally(() => process.exit(130)));
  }
  const applicable = chosen.filter((fault) => countOccurrences(fault) === 1);
  const results: FaultResult[] = chosen
    .filter((fault) => !applicable.includes(fault))
    .map((fault) => ({
      fault,
      verdict: 'invalid',
      detail: `does not apply: occurs ${countOccurrences(fault)} times`,
      seconds: 0,
    }));
  for (const each of results) console.log(lineOf(each));
  const queue = [...applicable];
  const work = async () => {
    const lab = openLab();
    labs.push(lab);
    for (let fault = queue.shift(); fault; fault = queue.shift()) {
      const result = await lab.attempt(fault, isWhole);
      results.push(result);
      console.log(`[${results.length}/${chosen.length}] ${lineOf(result)}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, applicable.length) }, work));
  console.log(`\n${tableOf(results)}`);
  return results.every(({ verdict }) => verdict === 'noticed' || verdict === 'skipped') ? 0 : 1;
}

const lineOf = ({ fault, verdict, detail, seconds }: FaultResult): string =>
  `${verdict.padEnd(11)} ${String(seconds).padStart(4)} s  ${fault.part.padEnd(13)} ${fault.id}: ${detail}`;

/** Counts by part, then everything that was not noticed. */
function tableOf(results: readonly FaultResult[]): string {
  const rows = byPart(results, ({ fault }) => fault.part).map(([part, own]) => {
    const noticed = own.filter(({ verdict }) => verdict === 'noticed').length;
    const seconds = own.reduce((sum, each) => sum + each.seconds, 0);
    return `${part.padEnd(13)} ${String(noticed).padStart(3)} of ${String(own.length).padStart(3)} noticed ${String(seconds).padStart(5)} s`;
  });
  const others = results.filter(({ verdict }) => verdict !== 'noticed').map(lineOf);
  return [...rows, ...(others.length > 0 ? ['', ...others] : [])].join('\n');
}

const listOf = (chosen: readonly Fault[]): string =>
  byPart(chosen, ({ part }) => part)
    .map(([part, own]) => [`${part}:`, ...own.map(describe)].join('\n'))
    .join('\n');

const describe = ({ id, file, find, replace, tests, target = 'test' }: Fault): string =>
  `  ${id}  ${file}\n    - ${inline(find)}\n    + ${inline(replace)}\n    make ${target}: ${tests.join(' ')}`;

const inline = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ⏎ ');

function byPart<Row>(rows: readonly Row[], partOf: (row: Row) => string): [string, Row[]][] {
  const parts = new Map<string, Row[]>();
  for (const row of rows) parts.set(partOf(row), [...(parts.get(partOf(row)) ?? []), row]);
  return [...parts];
}

process.exitCode = await main();

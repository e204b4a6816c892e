/** Measures our server beside the reference and a bare one, in one run, and prints figures and ratios. */

import { parseArgs } from 'node:util';
import { chosen } from './flags.ts';
import { measures } from './measures/index.ts';
import type { Bench, Measure } from './measures/measure.ts';
import { type ContestantName, contestantNames, findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, json, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';

const help = `Usage: node --import tsx bench/run.ts [options]

Measures three servers of the same environment in one run: ours (the built package), the reference (ors-sdk for
Python), and a bare node:http server that does the same work. They take turns, round after round; a figure is the
median of the rounds with the least and the most. It takes about 15 minutes, or 2 with --quick.

Options:
  --quick              short rounds, fewer and shorter streams
  --only <measures>    some of them, separated by commas:
${measures.map(({ name, about }) => `                         ${name.padEnd(9)} ${about}`).join('\n')}
  --servers <names>    some of ${contestantNames.join(', ')}
  --json               one JSON document instead of the table
  --help               this text

Example: node --import tsx bench/run.ts --quick --only calls,episodes

Exit code: 0, or 1 if an answer was wrong or a server failed, 2 for a wrong option.`;

interface Options {
  quick: boolean;
  json: boolean;
  measures: readonly Measure[];
  servers: readonly ContestantName[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const { contestants, missing } = findContestants(options.servers);
  for (const line of missing) console.error(line);
  if (contestants.length === 0) return fail(1, 'There is no server to measure.');

  const pinning = pinLoad();
  const results = new Results();
  const finish = () => {
    showProgress('');
    report(
      results,
      options,
      contestants.map(({ name }) => name),
      pinning,
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopEarly(results, finish));

  const bench: Bench = {
    contestants,
    quick: options.quick,
    progress: showProgress,
    record: (metric, contestant, value) => results.record(metric, contestant, value),
    fault: (measure, contestant, error) => results.fault(measure, contestant, error),
    note: (text) => void results.notes.add(text),
  };
  for (const measure of options.measures) await measure.run(bench);
  finish();
}

/** Ctrl-C: shows what there is, and leaves; the servers end with this process. */
function stopEarly(results: Results, finish: () => void): never {
  results.notes.add('Stopped early: the table holds the rounds that were complete.');
  finish();
  process.exit(130);
}

function report(results: Results, options: Options, names: readonly string[], pinning: string): void {
  if (options.json) console.log(json(results, { quick: options.quick, pinning }));
  else printTable(results, names, pinning);
  for (const fault of results.faults) console.error(faultText(fault));
  if (results.faults.length > 0) process.exitCode = 1;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
        servers: { type: 'string' },
      },
    });
    if (values.help) {
      console.log(help);
      return undefined;
    }
    const names = chosen(
      '--only',
      values.only,
      measures.map(({ name }) => name),
    );
    return {
      quick: values.quick,
      json: values.json,
      measures: measures.filter(({ name }) => names.includes(name)),
      servers: chosen('--servers', values.servers, contestantNames),
    };
  } catch (error) {
    fail(2, `${error instanceof Error ? error.message : error}\nSee --help.`);
    return undefined;
  }
}

function printTable(results: Results, names: readonly string[], pinning: string): void {
  console.log(`${machineText()}. ${pinning}`);
  console.log('Median (least-most of the rounds); + more is better, - less is better.\n');
  console.log(table(results.rows, names));
  if (results.notes.size > 0) console.log(`\n${[...results.notes].join('\n')}`);
}

process.on('exit', () => killServers());
await main();

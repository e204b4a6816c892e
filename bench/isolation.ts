/** Measures an environment in the server's thread beside the same one in workers, and prints figures and ratios. */

import { parseArgs } from 'node:util';
import { chosen } from './flags.ts';
import { delays } from './isolation/delays.ts';
import { findModes, type Modes, modeNames, poolSize } from './isolation/modes.ts';
import { starts } from './isolation/starts.ts';
import { throughput } from './isolation/throughput.ts';
import { workers } from './isolation/workers.ts';
import { calls } from './measures/calls.ts';
import type { Bench, Measure } from './measures/measure.ts';
import { sessions } from './measures/sessions.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';

interface Part extends Measure {
  contestants(modes: Modes): Bench['contestants'];
}

const parts: readonly Part[] = [
  { ...delays, contestants: (modes) => modes.contestants(modeNames) },
  { ...starts, contestants: (modes) => modes.contestants(modeNames) },
  { ...throughput, contestants: (modes) => modes.contestants(['inline', 'worker']) },
  { ...calls, contestants: (modes) => modes.contestants(['inline', 'worker']) },
  { ...workers, contestants: (modes) => modes.contestants(modeNames, 1) },
  { ...sessions, contestants: (modes) => modes.contestants(['inline', 'worker']) },
];

const help = `Usage: node --import tsx bench/isolation.ts [options]

Measures one environment on our server (the built package) in three modes: inline (in the server's thread), worker (a
pool of ${poolSize} workers) and session (a worker for each session). The modes take turns, round after round; a figure is the
median of the rounds with the least and the most. Server and load are two processes, which share the cores freely. It
takes about 12 minutes, or 5 with --quick.

Options:
  --quick          short rounds, fewer of them
  --only <parts>   some of them, separated by commas:
${parts.map(({ name, about }) => `                     ${name.padEnd(10)} ${about}`).join('\n')}
  --one-core       keeps the server with all its workers on core 0, and the load on core 1
  --help           this text

Example: node --import tsx bench/isolation.ts --quick --only delays

Exit code: 0, or 1 if an answer was wrong or a server failed, 2 for a wrong option.`;

interface Options {
  isQuick: boolean;
  isOnOneCore: boolean;
  parts: readonly Part[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const pinning = options.isOnOneCore ? pinLoad() : 'Server and load share the cores freely.';
  const modes = findModes(options);
  const results = new Results();
  for (const part of options.parts) {
    await part.run({
      contestants: part.contestants(modes),
      quick: options.isQuick,
      progress: showProgress,
      record: (metric, contestant, value) => results.record(metric, contestant, value),
      fault: (measure, contestant, error) => results.fault(measure, contestant, error),
      note: (text) => void results.notes.add(text),
    });
  }
  showProgress('');

  console.log(`${machineText()}. ${pinning}`);
  console.log('Median (least-most of the rounds); + more is better, - less is better.\n');
  const pairs = [
    ['worker', 'inline'],
    ['session', 'inline'],
  ] as const;
  console.log(table(results.rows, modeNames, pairs));
  if (results.notes.size > 0) console.log(`\n${[...results.notes].join('\n')}`);
  for (const fault of results.faults) fail(1, faultText(fault));
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        'one-core': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
      },
    });
    const names = chosen(
      '--only',
      values.only,
      parts.map(({ name }) => name),
    );
    const chosenParts = parts.filter(({ name }) => names.includes(name));
    if (!values.help) return { isQuick: values.quick, isOnOneCore: values['one-core'], parts: chosenParts };
    console.log(help);
  } catch (error) {
    fail(2, `${error instanceof Error ? error.message : error}\nSee --help.`);
  }
  return undefined;
}

process.on('exit', () => killServers());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
await main();

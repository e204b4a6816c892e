/** Measures an environment in the server's thread beside the same one in workers, and prints figures and ratios. */

import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';
import { chosen } from './flags.ts';
import { isolationGoals, judge } from './goals.ts';
import { findModes, type Modes, modeNames, poolSize } from './isolation/modes.ts';
import { type IsolationPart, isolationParts, isolationSubject, modePairs } from './isolation/parts.ts';
import { planText } from './plan.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, table } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';
import { keepSection, type Section, sectionOf } from './sections.ts';
import { goalText } from './summary.ts';
import { writeDocument } from './write-document.ts';

const help = `Usage: node --import tsx bench/isolation.ts [options]

Measures one environment on our server (the built package) in three modes: inline (in the server's thread), worker (a
pool of ${poolSize} workers) and session (a worker for each session). The modes take turns, round after round; a figure is the
median of the rounds with the least and the most. Server and load are two processes, which share the cores freely, so
the load sleeps while it waits. A part that was run in full is kept in .cache/bench/figures with the time that it took,
and stands in docs/performance.md. It takes about 12 minutes, or 5 with --quick, which only prints.

Options:
  --quick          short rounds, fewer of them
  --only <parts>   some of them, separated by commas:
${isolationParts.map(({ name, about }) => `                     ${name.padEnd(10)} ${about}`).join('\n')}
  --one-core       keeps the server with all its workers on core 0, and the load on core 1; only prints
  --help           this text

Example: node --import tsx bench/isolation.ts --quick --only delays

Exit code: 0, also where goals are not met; 1 if an answer was wrong or a server failed, 2 for a wrong option.`;

interface Options {
  isQuick: boolean;
  isOnOneCore: boolean;
  parts: readonly IsolationPart[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const pinning = options.isOnOneCore ? pinLoad() : 'Server and load share the cores freely.';
  const modes = findModes(options);
  const shortened = [...(options.isQuick ? ['--quick'] : []), ...(options.isOnOneCore ? ['--one-core'] : [])];
  console.error(planText(options.parts, isolationSubject));
  const sections: Section[] = [];
  for (const part of options.parts) {
    console.error(`${part.name}: ${part.about}`);
    const section = await measured(part, modes, options, pinning);
    showProgress('');
    sections.push(section);
    console.error(keepSection(section, shortened, isolationSubject));
  }
  report(sections, pinning);
  if (shortened.length === 0) writeDocument();
}

async function measured(part: IsolationPart, modes: Modes, { isQuick }: Options, pinning: string): Promise<Section> {
  const from = performance.now();
  const results = new Results();
  await part.run({
    contestants: part.contestants(modes),
    quick: isQuick,
    progress: showProgress,
    record: (metric, contestant, value) => results.record(metric, contestant, value),
    fault: (measure, contestant, error) => results.fault(measure, contestant, error),
    note: (text) => void results.notes.add(text),
  });
  return sectionOf(part, results, { names: modeNames, pinning, from });
}

function report(sections: readonly Section[], pinning: string): void {
  const rows = sections.flatMap((section) => section.rows);
  const notes = sections.flatMap((section) => section.notes);
  console.log(`${machineText()}. ${pinning}`);
  console.log('Median (least-most of the rounds); + more is better, - less is better.\n');
  console.log(table(rows, modeNames, modePairs));
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`);
  const judged = isolationGoals.map((goal) => judge(goal, rows)).filter(({ met }) => met !== undefined);
  if (judged.length > 0) console.log(`\n${judged.map(goalText).join('\n')}`);
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
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
      isolationParts.map(({ name }) => name),
    );
    const chosenParts = isolationParts.filter(({ name }) => names.includes(name));
    if (!values.help) return { isQuick: values.quick, isOnOneCore: values['one-core'], parts: chosenParts };
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

process.on('exit', () => killServers());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
await main();

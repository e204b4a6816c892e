/** Measures an environment in the server's thread and in workers, and prints figures and ratios. */

import { describeChoices, exitOnSignals, fail, parseNames, readCommandLine, showProgress } from './command-line.ts';
import { writeDocument } from './document.ts';
import { isolationGoals, judge, verdictText } from './goals.ts';
import { createModes, type Modes, modeNames, poolSize } from './isolation/modes.ts';
import { type IsolationPart, isolationParts, isolationSubject, modePairs } from './isolation/parts.ts';
import { createContext } from './measures/measure.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, TABLE_LEGEND, table } from './report.ts';
import { Results } from './results.ts';
import { durationsText, type Section, saveSection, sectionOf } from './sections.ts';

const help = `Usage: node --import tsx bench/isolation.ts [options]

Measures one environment on our server (the built package) in three modes: inline (in the server's thread), worker (a
pool of ${poolSize} workers) and session (one worker per session). The modes take turns, round after round; a figure is the
median of the rounds, with the minimum and the maximum. The server and the load generator are two processes that share
all cores, so the load generator sleeps while it waits. The results of a full run are saved in
docs/development/performance/, with its duration, and written to docs/development/performance.md. It takes about 12
minutes; with --quick 5, and it only prints.

Options:
  --quick          shorter and fewer rounds
  --only <parts>   comma-separated list of:
${describeChoices(isolationParts, 21)}
  --one-core       pin the server with its workers to core 0 and the load to core 1; only prints
  --help           print this help

Example: node --import tsx bench/isolation.ts --quick --only delays

Exit code: 0, also if goals are not met; 1 after a wrong response or a server failure; 2 for an invalid option.`;

interface Options {
  isQuick: boolean;
  isOnOneCore: boolean;
  parts: readonly IsolationPart[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const pinning = options.isOnOneCore ? pinLoad() : 'Server and load share all cores.';
  const modes = createModes(options);
  const shortened = [...(options.isQuick ? ['--quick'] : []), ...(options.isOnOneCore ? ['--one-core'] : [])];
  console.error(durationsText(options.parts, isolationSubject));
  const sections: Section[] = [];
  for (const part of options.parts) {
    console.error(`${part.name}: ${part.about}`);
    const section = await measure(part, modes, options, pinning);
    showProgress('');
    sections.push(section);
    console.error(saveSection(section, shortened, isolationSubject));
  }
  report(sections, pinning);
  if (shortened.length === 0) writeDocument();
}

async function measure(part: IsolationPart, modes: Modes, { isQuick }: Options, pinning: string): Promise<Section> {
  const from = performance.now();
  const results = new Results();
  await part.run(createContext({ contestants: part.contestants(modes), quick: isQuick }, results, showProgress));
  return sectionOf(part, results, { names: modeNames, pinning, from });
}

function report(sections: readonly Section[], pinning: string): void {
  const rows = sections.flatMap((section) => section.rows);
  const notes = sections.flatMap((section) => section.notes);
  console.log(`${machineText()}. ${pinning}`);
  console.log(`${TABLE_LEGEND}\n`);
  console.log(table(rows, modeNames, modePairs));
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`);
  const verdicts = isolationGoals.map((goal) => judge(goal, rows)).filter(({ met }) => met !== undefined);
  if (verdicts.length > 0) console.log(`\n${verdicts.map(verdictText).join('\n')}`);
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
}

function readOptions(): Options | undefined {
  const flags = {
    quick: { type: 'boolean', default: false },
    'one-core': { type: 'boolean', default: false },
    only: { type: 'string' },
  } as const;
  return readCommandLine(help, flags, ({ quick, only, ...values }) => {
    const all = isolationParts.map(({ name }) => name);
    const names = parseNames('--only', only, all);
    const parts = isolationParts.filter(({ name }) => names.includes(name));
    return { isQuick: quick, isOnOneCore: values['one-core'], parts };
  });
}

process.on('exit', () => killServers());
exitOnSignals();
await main();

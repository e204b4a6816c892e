/** Measures our server next to others, and our client; prints tables, and writes docs/development/performance.md. */

import { killClients } from './clients/client-process.ts';
import { describeChoices, fail, parseNames, readCommandLine, showProgress } from './command-line.ts';
import { writeDocument } from './document.ts';
import { goals, judge, verdictText } from './goals.ts';
import { type Part, parts, type RunContext } from './parts.ts';
import { type ContestantName, contestantNames, contestants, findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText, TABLE_LEGEND, table } from './report.ts';
import { Results, ratio } from './results.ts';
import { durationsText, type Section, saveSection, sectionOf } from './sections.ts';

const partNames = parts.map(({ name }) => name);
const defaultNames = parts.filter(({ isExtra }) => !isExtra).map(({ name }) => name);

const help = `Usage: node --import tsx bench/run.ts [options]

Measures servers of the same environment. They take turns, round after round; a figure is the median of the rounds, with
the minimum and the maximum. The results of a full run with all servers are saved in docs/development/performance/, with
its duration. Once all measures have results, and the trace store too (bench/traces.ts), each full run writes
docs/development/performance.md. It takes an hour and three quarters; with --quick less, and it only prints.

Options:
  --quick              shorter and fewer rounds, fewer and shorter streams
  --only <measures>    comma-separated list of:
${describeChoices(parts, 25)}
  --servers <names>    comma-separated list of:
${describeChoices(
  contestantNames.map((name) => ({ name, about: contestants[name].about })),
  25,
)}
  --json               print JSON instead of tables
  --help               print this help

Example: node --import tsx bench/run.ts --quick --only calls,episodes

Exit code: 0, also if goals are not met; 1 after a wrong response or a server failure; 2 for an invalid option.`;

interface Options {
  quick: boolean;
  json: boolean;
  parts: readonly Part[];
  servers: readonly ContestantName[];
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const found = findContestants(options.servers);
  for (const line of found.missing) console.error(line);
  if (found.contestants.length === 0) return fail(1, 'no server to measure');

  const context = { contestants: found.contestants, quick: options.quick, pinning: pinLoad() };
  const shortened = [
    ...(options.quick ? ['--quick'] : []),
    ...(options.servers.length < contestantNames.length ? ['--servers'] : []),
  ];
  console.error(durationsText(options.parts));
  const sections: Section[] = [];
  for (const part of options.parts) {
    console.error(`${part.name}: ${part.about}`);
    const section = await measure(part, context, (unfinished) => stopEarly([...sections, unfinished], options));
    section.notes.push(...found.missing);
    sections.push(section);
    showProgress('');
    console.error(saveSection(section, shortened));
  }
  report(sections, options);
  if (shortened.length === 0) writeDocument();
}

/** Runs one part. Ctrl-C stops it and reports the completed rounds. */
async function measure(
  part: Part,
  { pinning, ...context }: RunContext & { pinning: string },
  stop: (unfinished: Section) => void,
): Promise<Section> {
  const from = performance.now();
  const results = new Results();
  const names = part.columns(context);
  const onSignal = () => {
    results.notes.add('Stopped early: only completed rounds are in the table.');
    stop(sectionOf(part, results, { names, pinning, from }));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, onSignal);
  await part.run(context, results).catch((error) => results.fault(part.name, 'the measure', error));
  for (const signal of signals) process.off(signal, onSignal);
  return sectionOf(part, results, { names, pinning, from });
}

function stopEarly(sections: readonly Section[], options: Options): never {
  showProgress('');
  report(sections, options);
  process.exit(130);
}

function report(sections: readonly Section[], { json, quick }: Options): void {
  if (json) console.log(JSON.stringify({ machine: machineText(), quick, sections }, null, 2));
  else console.log(summaryText(sections));
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
}

/** Formats the results for a terminal: a table for each measure, all ratios in one table, and the goals. */
function summaryText(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const others = [...new Set(sections.flatMap((section) => section.contestants))].filter((name) => name !== 'ours');
  const compared = rows.filter((row) => others.some((other) => ratio(row, other) !== undefined));
  const pairs = others.map((other) => ['ours', other] as const);
  const verdicts = goals.map((goal) => judge(goal, rows)).filter(({ met }) => met !== undefined);
  return [
    TABLE_LEGEND,
    ...sections.map(sectionText),
    ...(compared.length > 0 ? [`RATIOS\n${table(compared, [], pairs)}`] : []),
    ...(verdicts.length > 0 ? [`GOALS\n\n${verdicts.map(verdictText).join('\n')}`] : []),
  ].join('\n\n');
}

function sectionText({ measure, machine, load, pinning, contestants, rows, notes }: Section): string {
  const remarks = notes.map((note) => `\n${note}`).join('');
  return `${measure.toUpperCase()} (${machine}, ${load}; ${pinning})\n${table(rows, contestants, [])}\n${remarks}`.trimEnd();
}

function readOptions(): Options | undefined {
  const flags = {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    servers: { type: 'string' },
  } as const;
  return readCommandLine(help, flags, ({ quick, json, only, servers }) => {
    const names = only === undefined ? defaultNames : parseNames('--only', only, partNames);
    return {
      quick,
      json,
      parts: parts.filter(({ name }) => names.includes(name)),
      servers: parseNames('--servers', servers, contestantNames),
    };
  });
}

process.on('exit', () => {
  killClients();
  killServers();
});
await main();

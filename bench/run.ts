/** Measures our server beside others, and our client too; prints tables, and writes docs/performance.md. */

import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';
import { killPlayers } from './clients/player-process.ts';
import { chosen } from './flags.ts';
import { type Part, parts, type Surroundings } from './parts.ts';
import { planText } from './plan.ts';
import { type ContestantName, contestantNames, contestants, findContestants } from './process/contestants.ts';
import { pinLoad } from './process/pinning.ts';
import { killServers } from './process/server-process.ts';
import { faultText, machineText } from './report.ts';
import { Results } from './results.ts';
import { fail, showProgress } from './say.ts';
import { keepSection, type Section, sectionOf } from './sections.ts';
import { summary } from './summary.ts';
import { writeDocument } from './write-document.ts';

const partNames = parts.map(({ name }) => name);
const standing = parts.filter(({ isExtra }) => !isExtra).map(({ name }) => name);
const listed = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, about]) => `                         ${name.padEnd(10)} ${about}`).join('\n');

const help = `Usage: node --import tsx bench/run.ts [options]

Measures servers of the same environment. They take turns, round after round; a figure is the median of the rounds with
the least and the most. A measure that was run in full, with all servers, is kept in .cache/bench/figures with the time
that it took, and once all are there, with those of the trace store (bench/traces.ts), each such run writes
docs/performance.md of what is kept. It takes about an hour, less with --quick, which only prints.

Options:
  --quick              short rounds, fewer and shorter streams
  --only <measures>    some of them, separated by commas:
${listed(parts.map(({ name, about }) => [name, about]))}
  --servers <names>    some of:
${listed(contestantNames.map((name) => [name, contestants[name].about]))}
  --json               one JSON document instead of the tables
  --help               this text

Example: node --import tsx bench/run.ts --quick --only calls,episodes

Exit code: 0, also where goals are not met; 1 if an answer was wrong or a server failed, 2 for a wrong option.`;

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
  if (found.contestants.length === 0) return fail(1, 'There is no server to measure.');

  const surroundings = { contestants: found.contestants, quick: options.quick, pinning: pinLoad() };
  const shortened = [
    ...(options.quick ? ['--quick'] : []),
    ...(options.servers.length < contestantNames.length ? ['--servers'] : []),
  ];
  console.error(planText(options.parts));
  const sections: Section[] = [];
  for (const part of options.parts) {
    console.error(`${part.name}: ${part.about}`);
    const section = await measured(part, surroundings, (unfinished) => stopEarly([...sections, unfinished], options));
    section.notes.push(...found.missing);
    sections.push(section);
    showProgress('');
    console.error(keepSection(section, shortened));
  }
  report(sections, options);
  if (shortened.length === 0) writeDocument();
}

/** Runs one part. Ctrl-C leaves with the rounds that were complete. */
async function measured(
  part: Part,
  { pinning, ...surroundings }: Surroundings & { pinning: string },
  stop: (unfinished: Section) => void,
): Promise<Section> {
  const from = performance.now();
  const results = new Results();
  const names = part.columns(surroundings);
  const onSignal = () => {
    results.notes.add('Stopped early: the table holds the rounds that were complete.');
    stop(sectionOf(part, results, { names, pinning, from }));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, onSignal);
  await part.run(surroundings, results).catch((error) => results.fault(part.name, 'the measure', error));
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
  else console.log(summary(sections));
  for (const fault of sections.flatMap(({ faults }) => faults)) fail(1, faultText(fault));
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
    const names = values.only === undefined ? standing : chosen('--only', values.only, partNames);
    const options = {
      quick: values.quick,
      json: values.json,
      parts: parts.filter(({ name }) => names.includes(name)),
      servers: chosen('--servers', values.servers, contestantNames),
    };
    if (!values.help) return options;
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

process.on('exit', () => {
  killPlayers();
  killServers();
});
await main();

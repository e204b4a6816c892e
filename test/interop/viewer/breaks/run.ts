/** Breaks the viewer on purpose, one line at a time, and requires that its browser tests detect it. */
import { parseArgs } from 'node:util';
import { chromiumMissing } from '../../../support/chromium.ts';
import type { Break } from './break.ts';
import { copyCheckout, isOf } from './checkout.ts';
import { breaks } from './index.ts';
import { points } from './points.ts';
import { problemsOf } from './problems.ts';

const HELP = `Breaks the viewer's page in a copy of the checkout, one line at a time, and requires that a test in Chromium fails.

  npx tsx test/interop/viewer/breaks/run.ts              # all breaks
  npx tsx test/interop/viewer/breaks/run.ts --only 3,7   # the breaks of two points
  make viewer-breaks ARGS='--only 3,7'                   # the same
  npx tsx test/interop/viewer/breaks/run.ts --list       # the points and their breaks

The breaks are in test/interop/viewer/breaks/of-*.ts.`;

interface Caught extends Break {
  readonly isCaught: boolean;
  readonly failure: string;
}

function check(checkout: ReturnType<typeof copyCheckout>, each: Break): Caught {
  try {
    checkout.buildBroken(each);
    const failed = checkout.run([each.test]).filter((it) => isOf(it, each.test) && it.status === 'failed');
    const right = failed.find(({ failure }) => failure.includes(each.test.says));
    const failure = (right ?? failed[0])?.failure ?? 'the test passes';
    return { ...each, isCaught: right !== undefined, failure: firstLine(failure) };
  } catch (error) {
    // A page that does not build, or a test that does not run, proves nothing.
    return { ...each, isCaught: false, failure: String(error) };
  }
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 240) ?? '';

function line({ point, does, test, isCaught, failure }: Caught): string {
  return `${isCaught ? 'caught' : 'MISSED'}  ${point}  ${does}\n        by ${test.file}: ${test.name}\n        ${failure}`;
}

/** Returns one line per point: its breaks, the tests, and whether they detect them. */
function summary(results: readonly Caught[]): string {
  return byPoint(results, (own, point) => {
    const caught = own.filter(({ isCaught }) => isCaught).length;
    const files = [...new Set(own.map(({ test }) => test.file))].join(', ');
    const verdict = `${caught === own.length ? 'caught' : 'MISSED'} ${caught} of ${own.length}`;
    return `${point.padStart(2)}  ${verdict}  by ${files.padEnd(17)}  ${own.map(({ does }) => does).join('; ')}`;
  });
}

const list = (chosen: readonly Break[]): string =>
  byPoint(chosen, (own, point) =>
    [`${point}  ${points[Number(point)]}`, ...own.map(({ does, source }) => `    ${does} (${source})`)].join('\n'),
  );

function byPoint<Row extends Break>(rows: readonly Row[], line: (own: readonly Row[], point: string) => string) {
  return Object.keys(points)
    .map((point) => [rows.filter((row) => row.point === Number(point)), point] as const)
    .filter(([{ length }]) => length > 0)
    .map(([own, point]) => line(own, point))
    .join('\n');
}

function main(): number {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const only = values.only?.split(',').map(Number);
  const unknown = only?.filter((point) => points[point] === undefined) ?? [];
  const chosen = breaks.filter(({ point }) => only?.includes(point) ?? true);
  if (values.list) console.log(list(chosen));
  const problems = [...unknown.map((point) => `unknown point ${point}: see --help`), ...problemsOf(chosen)];
  if (chromiumMissing !== undefined) problems.push(chromiumMissing);
  if (problems.length > 0) console.error(problems.join('\n'));
  if (problems.length > 0 || values.list) return problems.length > 0 ? 2 : 0;
  return breakAll(chosen);
}

function breakAll(chosen: readonly Break[]): number {
  // Removes the copy if the process is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  const checkout = copyCheckout();
  checkout.build();
  const unbroken = checkout.run(chosen.map(({ test }) => test)).filter(({ status }) => status === 'failed');
  for (const { file, name, failure } of unbroken) console.error(`fails without a break: ${file}: ${name}\n${failure}`);
  if (unbroken.length > 0) return 1;
  console.log(`all tests pass without breaks; now ${chosen.length} breaks`);
  const results = chosen.map((each) => {
    const result = check(checkout, each);
    console.log(line(result));
    return result;
  });
  console.log(`\n${summary(results)}`);
  return results.every(({ isCaught }) => isCaught) ? 0 : 1;
}

process.exitCode = main();

import { createHash } from 'node:crypto';
import { oneLine, plural, sum } from '../../core/index.ts';
import { collect, defineCommand, type FlagValues } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags } from '../remote/flags.ts';
import { guardedReporter } from '../report-failure.ts';
import { headerLine, rowLine, splitsText, type TaskReader } from '../tasks/manifest.ts';
import { isManifest, openTaskReader } from '../tasks/open-source.ts';
import { countUnit, createDataProgressBar, type ProgressBar } from '../terminal/progress.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { openAtomicFile, openStandardOutput, type TextOutput } from '../terminal/text-output.ts';

const flags = {
  '--env <name>': 'environment (default: the only one)',
  '--split <name>': { help: 'include only this split (repeatable)', parse: collect },
  '--out <file>': 'file to write, replaced if it exists (default: standard output)',
  '--hashes-only': 'omit the tasks',
  '--json': 'with --out, print one JSON document; errors too, on standard error',
  ...connectionFlags,
} as const;

type SnapshotFlags = FlagValues<typeof flags>;

export const tasksSnapshotCommand = defineCommand({
  name: 'snapshot',
  arguments: [['<url or module>', 'the URL of a server, or a .ts, .js or .mjs file that exports environments']],
  flags,
  details: `An existing file is replaced when the new one is complete. For a module, the tasks are the public tasks, as its players
would see them.`,
  examples: [
    'ors tasks snapshot http://127.0.0.1:8080 --env gsm8k --out tasks.jsonl',
    'ors tasks snapshot environment.ts --split test > test.jsonl',
    'ors tasks snapshot environment.ts --hashes-only --out tasks.jsonl --json',
  ],
  report: guardedReporter(
    (code) => `the environment's code ended the process (exit code ${code}); nothing was written`,
  ),
  async run(subject, options) {
    if (isManifest(subject)) {
      const advice = 'pass the URL of a server, or a module that ends in .ts, .js or .mjs';
      throw new CliError(`'${oneLine(subject)}' is neither a URL nor a module; ${advice}`);
    }
    const { out, json } = options;
    const report = await takeSnapshot(subject, options);
    if (out === undefined) return;
    const splits = oneLine(splitsText(report.splits));
    const what = `${plural(report.tasks, 'task')} of ${oneLine(report.environment)} (${splits})`;
    const text = json ? safeJson({ out, ...report }) : `wrote ${what} to ${out}; digest ${report.digest}`;
    openTerminal().print(`${text}\n`);
  },
});

async function takeSnapshot(subject: string, options: SnapshotFlags) {
  const { out, env, split: splits } = options;
  using interrupts = listenForInterrupts();
  const standardOutput = openStandardOutput();
  using _quiet = redirectStdout();
  await using source = await openTaskReader(subject, { env, splits }, options, interrupts.signal);
  const missing = splits?.find((name) => !source.header.splits.some((split) => split.name === name));
  if (missing !== undefined) {
    const environment = oneLine(source.header.environment);
    throw new CliError(`--split: '${environment}' has no split '${oneLine(missing)}'; omit --split for all splits`);
  }
  await using output = out === undefined ? standardOutput : await openAtomicFile(out);
  using progress = createDataProgressBar(countUnit('task'), out);
  return await writeManifest(source, output, options.hashesOnly === true, progress);
}

/** Number of characters that are written at once. */
const CHUNK = 1 << 16;

/** Writes the manifest of a source, holding at most a page of tasks in memory. */
async function writeManifest(source: TaskReader, output: TextOutput, hashesOnly: boolean, progress: ProgressBar) {
  const { header } = source;
  const all = sum(header.splits.map(({ tasks }) => tasks));
  const digest = createHash('sha256');
  let done = 0;
  let text = headerLine(header, new Date().toISOString());
  progress.show(0, all);
  for await (const { task, ...row } of source.rows(new Set(header.splits.map(({ name }) => name)))) {
    text += rowLine(hashesOnly || task === undefined ? row : { ...row, task });
    digest.update(`${row.hash} ${JSON.stringify(row.split)}\n`);
    progress.show(++done, all);
    if (text.length < CHUNK) continue;
    await output.write(text);
    text = '';
  }
  await output.write(text);
  await output.finish();
  // The digest is the same for the same tasks in the same order.
  return { ...header, tasks: all, digest: digest.digest('hex') };
}

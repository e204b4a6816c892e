import { Command } from 'commander';
import { oneLine, plural } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { reportUnexpectedExit } from '../serve/guard-exit.ts';
import { splitsText } from '../tasks/manifest.ts';
import { isManifest, openTaskReader } from '../tasks/open-source.ts';
import { captureStandardOutput, createAtomicFile } from '../tasks/outputs.ts';
import { type SnapshotReport, writeSnapshot } from '../tasks/snapshot.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { redirectStdout } from '../validate/quiet-output.ts';

interface SnapshotFlags extends ConnectionFlags {
  readonly env?: string;
  readonly split?: readonly string[];
  readonly out?: string;
  readonly hashesOnly?: true;
  readonly json?: true;
}

const HELP = `
A file that is there is replaced when the new one is whole. Of a module the tasks are those that players of it would see.

Examples:
  $ ors tasks snapshot http://127.0.0.1:8080 --env gsm8k --out tasks.jsonl
  $ ors tasks snapshot environment.ts --split test > test.jsonl
  $ ors tasks snapshot environment.ts --hashes-only --out tasks.jsonl --json`;

/** `ors tasks snapshot <url or module>`. */
export function tasksSnapshotCommand(): Command {
  const command = new Command('snapshot')
    .description('Write a manifest of the tasks of an environment, each with its hash.')
    .argument('<url or module>', 'the address of a server, or a .ts, .js or .mjs file that exports environments')
    .option('--env <name>', 'which environment (default: the only one)')
    .option('--split <name>', 'only this split (repeat)', (name: string, others: readonly string[] = []) => [
      ...others,
      name,
    ])
    .option('--out <file>', 'file to write, in place of one that is there (default: standard output)')
    .option('--hashes-only', 'leave the tasks out')
    .option('--json', 'with --out print one JSON document; failures too, on standard error');
  return addConnectionOptions(command)
    .addHelpText('after', HELP)
    .action((subject: string, flags: SnapshotFlags) => run(subject, flags));
}

async function run(subject: string, flags: SnapshotFlags): Promise<void> {
  const release = reportUnexpectedExit(
    (code) => `the environment's code ended the process (exit code ${code}); nothing was written`,
  );
  await reportFailure(flags.json === true, async () => {
    if (isManifest(subject)) {
      const advice = 'name the address of a server, or a module that ends in .ts, .js or .mjs';
      throw new CliError(`'${oneLine(subject)}' is neither an address nor a module; ${advice}`);
    }
    const report = await take(subject, flags);
    const { out } = flags;
    const shown = `${plural(report.tasks, 'task')} of ${oneLine(report.environment)} (${oneLine(splitsText(report.splits))})`;
    if (out === undefined) return;
    const text = flags.json ? safeJson({ out, ...report }) : `wrote ${shown} to ${out}; digest ${report.digest}`;
    openTerminal().print(`${text}\n`);
  });
  release();
  // What a module leaves running must not keep the command from its end.
  process.stdout.write('', () => process.exit());
}

async function take(subject: string, flags: SnapshotFlags): Promise<SnapshotReport> {
  const { out, env, split: splits } = flags;
  using interrupts = listenForInterrupts();
  const standardOutput = captureStandardOutput();
  using _quiet = redirectStdout();
  await using source = await openTaskReader(subject, { env, splits }, flags, interrupts.signal);
  const missing = splits?.find((name) => !source.header.splits.some((split) => split.name === name));
  if (missing !== undefined)
    throw new CliError(
      `'${oneLine(source.header.environment)}' has no split '${oneLine(missing)}'; without --split all are written`,
    );
  await using output = out === undefined ? standardOutput : await createAtomicFile(out);
  const terminal = openTerminal(process.stderr);
  // Its line would stand among those of the manifest.
  const isShown = out !== undefined || !process.stdout.isTTY;
  using progress = createProgressBar(countUnit('task'), isShown ? terminal : { ...terminal, isInteractive: false });
  return await writeSnapshot(source, output, {
    hashesOnly: flags.hashesOnly === true,
    takenAt: new Date().toISOString(),
    onProgress: (done, all) => progress.show(done, all),
  });
}

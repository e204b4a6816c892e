import { Command } from 'commander';
import { CliError } from '../failure.ts';
import { integerOption } from '../option-parsers.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { describeError, reportFailure } from '../remote/report-failure.ts';
import { reportUnexpectedExit } from '../serve/guard-exit.ts';
import { diffTasks, type TasksDiff } from '../tasks/difference.ts';
import { isManifest, openTaskReader } from '../tasks/open-source.ts';
import { showTasksDiff } from '../tasks/show-difference.ts';
import type { TaskFilter, TaskReader } from '../tasks/task-source.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { redirectStdout } from '../validate/quiet-output.ts';

interface DiffFlags extends ConnectionFlags {
  readonly env?: string;
  readonly split?: readonly string[];
  readonly limit: number;
  readonly json?: true;
}

const EXIT_CODES = { same: 0, different: 1, trouble: 2 } as const;

const HELP = `
Changed is what is another task at the same index; moved is the same task at another index. A manifest of some splits only
says nothing of the others. A server is asked for the environment and the splits of the manifest beside it.

Exit codes: 0 the same tasks; 1 differences; 2 it could not be told; 130 interrupted.

Examples:
  $ ors tasks diff tasks.jsonl http://127.0.0.1:8080
  $ ors tasks diff before.jsonl after.jsonl --split test --json
  $ ors tasks diff tasks.jsonl environment.ts --limit 100`;

/** `ors tasks diff <before> <after>`. */
export function tasksDiffCommand(): Command {
  const command = new Command('diff')
    .description('Tell which tasks were added, removed, changed or moved.')
    .argument('<before>', 'a manifest, the address of a server, or a module')
    .argument('<after>', 'the same')
    .option(
      '--env <name>',
      'which environment of a server or a module (default: that of the manifest, or the only one)',
    )
    .option('--split <name>', 'only this split (repeat)', (name: string, others: readonly string[] = []) => [
      ...others,
      name,
    ])
    .option(
      '--limit <number>',
      'how many of each kind are listed, for each split',
      integerOption({ max: 1_000_000 }),
      20,
    )
    .option('--json', 'print one JSON document; failures too, on standard error');
  return (
    addConnectionOptions(command)
      .addHelpText('after', HELP)
      // Commander's own exit code for a wrong command line is 1, which here says that tasks differ.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT_CODES.same : EXIT_CODES.trouble))
      .action((before: string, after: string, flags: DiffFlags) => run(before, after, flags))
  );
}

async function run(before: string, after: string, flags: DiffFlags): Promise<void> {
  const release = reportUnexpectedExit(
    (code) => `an environment's code ended the process (exit code ${code}); nothing was compared`,
  );
  await reportFailure(flags.json === true, async () => {
    const found = await compareThem(before, after, flags);
    const terminal = openTerminal();
    terminal.print(flags.json ? `${safeJson(found)}\n` : showTasksDiff(found, terminal));
    if (!found.same) process.exitCode = EXIT_CODES.different;
  });
  release();
  process.stdout.write('', () => process.exit());
}

async function compareThem(before: string, after: string, flags: DiffFlags): Promise<TasksDiff> {
  using interrupts = listenForInterrupts();
  using _quiet = redirectStdout();
  try {
    await using sides = await openBoth(before, after, flags, interrupts.signal);
    using progress = createProgressBar(countUnit('task'));
    const onProgress = (done: number, all: number) => {
      interrupts.signal.throwIfAborted();
      progress.show(done, all);
    };
    return await diffTasks(sides.before, sides.after, { splits: flags.split, limit: flags.limit, onProgress });
  } catch (error) {
    const cause = interrupts.signal.aborted ? interrupts.signal.reason : error;
    if (cause instanceof CliError && cause.exitCode > EXIT_CODES.trouble) throw cause;
    throw new CliError(describeError(error), { exitCode: EXIT_CODES.trouble, cause: error });
  }
}

interface TaskReaders extends AsyncDisposable {
  readonly before: TaskReader;
  readonly after: TaskReader;
}

/** Manifests come first: they say what to ask others for. */
async function openBoth(before: string, after: string, flags: DiffFlags, interrupt: AbortSignal): Promise<TaskReaders> {
  const { env, split } = flags;
  const manifest = [before, after].find(isManifest);
  const known = manifest === undefined ? undefined : (await openTaskReader(manifest, {}, flags, interrupt)).header;
  const own = known && !known.complete ? known.splits.map(({ name }) => name) : undefined;
  const choice: TaskFilter = { env: env ?? known?.environment, splits: split ?? own };
  const first = await openTaskReader(before, choice, flags, interrupt);
  try {
    const second = await openTaskReader(after, choice, flags, interrupt);
    const close = async () => {
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    };
    return { before: first, after: second, [Symbol.asyncDispose]: close };
  } catch (error) {
    await first[Symbol.asyncDispose]();
    throw error;
  }
}

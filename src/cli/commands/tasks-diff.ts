import { oneLine, plural, sum, truncate } from '../../core/index.ts';
import { collect, defineCommand, type FlagValues, integerParser } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags } from '../remote/flags.ts';
import { describeError, guardedReporter } from '../report-failure.ts';
import { diffTasks, type SplitDiff, type TasksDiff } from '../tasks/difference.ts';
import { openManifestReader, type TaskFilter } from '../tasks/manifest.ts';
import { isManifest, openTaskReader } from '../tasks/open-source.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { figure, openTerminal, safeJson, type Terminal } from '../terminal/terminal.ts';

const EXIT_CODES = { same: 0, different: 1, failed: 2 } as const;

const flags = {
  '--env <name>': 'environment of a server or module (default: that of the manifest, or the only one)',
  '--split <name>': { help: 'compare only this split (repeatable)', parse: collect },
  '--limit <number>': {
    help: 'maximum number of tasks listed per kind and split',
    parse: integerParser({ max: 1_000_000 }),
    default: 20,
  },
  '--json': 'print one JSON document; errors too, on standard error',
  ...connectionFlags,
} as const;

type DiffFlags = FlagValues<typeof flags>;

export const tasksDiffCommand = defineCommand({
  name: 'diff',
  arguments: [
    ['<before>', 'a manifest, the URL of a server, or a module'],
    ['<after>', 'the same'],
  ],
  flags,
  details: `A changed task is another task at the same index; a moved task is the same task at another index. A manifest of some
splits says nothing about the others. A server is asked for the environment and the splits of the manifest that it is
compared with.`,
  exitCodes: { 0: 'the same tasks', 1: 'differences', 2: 'the tasks could not be compared', 130: 'interrupted' },
  examples: [
    'ors tasks diff tasks.jsonl http://127.0.0.1:8080',
    'ors tasks diff before.jsonl after.jsonl --split test --json',
    'ors tasks diff tasks.jsonl environment.ts --limit 100',
  ],
  // The default, 1, would mean that tasks differ.
  failureExitCode: EXIT_CODES.failed,
  report: guardedReporter(
    (code) => `an environment's code ended the process (exit code ${code}); nothing was compared`,
  ),
  async run(before, after, options) {
    const difference = await compare(before, after, options);
    const terminal = openTerminal();
    terminal.print(options.json ? `${safeJson(difference)}\n` : showTasksDiff(difference, terminal));
    if (!difference.same) process.exitCode = EXIT_CODES.different;
  },
});

async function compare(before: string, after: string, options: DiffFlags): Promise<TasksDiff> {
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  using _quiet = redirectStdout();
  try {
    const filter = await commonFilter([before, after].find(isManifest), options);
    await using first = await openTaskReader(before, filter, options, signal);
    await using second = await openTaskReader(after, filter, options, signal);
    using progress = createProgressBar(countUnit('task'));
    const onProgress = (done: number, all: number) => {
      signal.throwIfAborted();
      progress.show(done, all);
    };
    return await diffTasks(first, second, { splits: options.split, limit: options.limit, onProgress });
  } catch (error) {
    signal.throwIfAborted();
    throw new CliError(describeError(error), { cause: error });
  }
}

/** Selects the environment and the splits of both sides: a manifest on either side selects those of the other. */
async function commonFilter(manifest: string | undefined, { env, split }: DiffFlags): Promise<TaskFilter> {
  const known = manifest === undefined ? undefined : (await openManifestReader(manifest)).header;
  const knownSplits = known && !known.complete ? known.splits.map(({ name }) => name) : undefined;
  return { env: env ?? known?.environment, splits: split ?? knownSplits };
}

const KINDS = ['changed', 'moved', 'added', 'removed'] as const;
const STYLES = { changed: 'yellow', moved: 'cyan', added: 'green', removed: 'red' } as const;
/** Minimum length at which a line is truncated; a pipe has room for more pointers than a terminal. */
const MIN_CUT_LENGTH = 200;
const SIGNS = { changed: '~', moved: '>', added: '+', removed: '-' } as const;

/** Formats a line per split, followed by its differences. */
function showTasksDiff({ same, before, after, splits }: TasksDiff, terminal: Terminal): string {
  const names = [before.environment, after.environment].map(oneLine);
  const head = names[0] === names[1] ? names[0] : `${names[0]} and ${names[1]}, which are different environments`;
  const parts = splits.map((split) => splitText(split, terminal));
  const total = (kind: (typeof KINDS)[number]) => sum(splits.map(({ counts }) => counts[kind]));
  const counts = KINDS.map((kind) => `${figure(total(kind))} ${kind}`).join(', ');
  const verdict = same ? terminal.style('green', 'the same tasks') : `not the same: ${counts}`;
  return `${terminal.style('bold', head ?? '')}\n${parts.join('')}${verdict}\n`;
}

function splitText(split: SplitDiff, terminal: Terminal): string {
  const { before, after, type, counts } = split;
  const found = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${figure(counts[kind])} ${kind}`);
  const facts = [sizeText(before, after), ...(type ? [`${type.before} -> ${type.after}`] : []), ...found];
  const isSame = found.length === 0 && type === null && before === after;
  const head = `  ${oneLine(split.name)}  ${[...facts, ...(isSame ? ['the same'] : [])].join(', ')}`;
  const lines = [head, ...KINDS.flatMap((kind) => kindLines(split, kind, terminal))];
  return lines.map((line) => `${line}\n`).join('');
}

function sizeText(before: number | null, after: number | null): string {
  if (before === null) return 'a new split';
  if (after === null) return 'the split was removed';
  return before === after ? plural(before, 'task') : `${figure(before)} -> ${plural(after, 'task')}`;
}

function kindLines(split: SplitDiff, kind: (typeof KINDS)[number], terminal: Terminal): string[] {
  const entries = {
    changed: split.changed.map(({ index, pointers }) => `${index}${pointers ? `: ${pointers.join(' ')}` : ''}`),
    moved: split.moved.map(({ from, to, count }) => `${span(from, count)} -> ${span(to, count)}`),
    added: split.added.map(({ index, count }) => span(index, count)),
    removed: split.removed.map(({ index, count }) => span(index, count)),
  }[kind];
  const shown = kind === 'changed' ? entries.length : sum(split[kind].map(({ count }) => count));
  const hidden = split.counts[kind] - shown;
  const lines = entries.map((entry) => {
    const line = truncate(`    ${SIGNS[kind]} ${kind} ${oneLine(entry)}`, Math.max(terminal.width, MIN_CUT_LENGTH));
    return terminal.style(STYLES[kind], line);
  });
  return hidden > 0 ? [...lines, `      and ${figure(hidden)} more ${kind}`] : lines;
}

const span = (index: number, count: number): string => (count === 1 ? `${index}` : `${index}-${index + count - 1}`);

import { parseArgs } from 'node:util';
import { errorMessage } from '../src/core/index.ts';

type FlagDefinitions = Record<string, { type: 'boolean'; default: boolean } | { type: 'string'; default?: string }>;
type FlagValues<Flags extends FlagDefinitions> = ReturnType<typeof parseArgs<{ options: Flags }>>['values'];

/**
 * Parses the command line of a benchmark.
 *
 * @returns undefined if there is nothing to run: it printed the help, or an error with exit code 2.
 */
export function readCommandLine<const Flags extends FlagDefinitions, Options>(
  help: string,
  flags: Flags,
  toOptions: (values: FlagValues<Flags>) => Options,
): Options | undefined {
  try {
    const { values } = parseArgs({ options: { ...flags, help: { type: 'boolean', default: false } } });
    // `parseArgs` infers nothing from a generic type.
    if (!(values as { help: boolean }).help) return toOptions(values as unknown as FlagValues<Flags>);
    console.log(help);
  } catch (error) {
    fail(2, `${errorMessage(error)}\nSee --help.`);
  }
  return undefined;
}

/** Parses a comma-separated list into names, in the order of `all`; undefined stands for all of them. */
export function parseNames<Name extends string>(
  option: string,
  list: string | undefined,
  all: readonly Name[],
): readonly Name[] {
  if (list === undefined) return all;
  const wanted = list.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !all.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`invalid ${option} '${unknown}': expected some of ${all.join(', ')}`);
  return all.filter((name) => wanted.includes(name));
}

/** Lists the values of an option for `--help`, one a line. */
export const describeChoices = (choices: readonly { name: string; about: string }[], indent: number): string =>
  choices.map(({ name, about }) => `${' '.repeat(indent)}${name.padEnd(10)} ${about}`).join('\n');

const LOG_INTERVAL_MS = 30_000;
let loggedAt = 0;

/** Shows the current step: on a terminal in place of the previous one, in a log every 30 seconds. */
export function showProgress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${step}`);
  else if (step !== '' && performance.now() - loggedAt > LOG_INTERVAL_MS) {
    loggedAt = performance.now();
    console.error(`  ${step}`);
  }
}

/** Prints an error and sets the exit code. */
export function fail(code: number, message: string): void {
  console.error(message);
  process.exitCode = code;
}

/** Exits on Ctrl-C and SIGTERM, so that `exit` listeners stop the processes that this one started. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

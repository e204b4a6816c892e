import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import {
  formatCount,
  isHttpUrl,
  type NumberRange,
  noun,
  oneLine,
  parseInteger,
  parseNumber,
  shellQuote,
  withoutCredentials,
  withoutTrailingSlashes,
} from '../core/index.ts';
import { CliError, EXIT, type FailureReporter } from './failure.ts';

/** Options of a flag. */
interface FlagOptions {
  readonly help: string;
  /** Parses the argument; `previous` is the value so far if the flag is repeated. */
  readonly parse?: (text: string, previous?: never) => unknown;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** Text of the default value in `--help`. */
  readonly defaultText?: string;
  /** Environment variable that is read if the flag is absent. */
  readonly env?: string;
  /** Flags that exclude this one, in camel case. */
  readonly conflicts?: readonly string[];
  readonly required?: true;
  readonly hidden?: true;
  /** Heading in `--help`. */
  readonly group?: string;
}

/** Flags by their syntax, such as `--limit <number>`; a string is the help text. */
export type FlagDefinitions = Readonly<Record<string, string | FlagOptions>>;

/** Syntax, help text and allowed values of each argument, such as `['<url>', 'URL of the server']`. */
type ArgumentDefinitions = readonly (readonly [syntax: string, help: string, choices?: readonly string[]])[];

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type FlagName<Syntax extends string> = Syntax extends `${string}--no-${infer Name}`
  ? CamelCase<Name>
  : Syntax extends `${string}--${infer Name} ${string}`
    ? CamelCase<Name>
    : Syntax extends `${string}--${infer Name}`
      ? CamelCase<Name>
      : never;

type FlagValue<Syntax extends string, Definition> = Definition extends { parse: (...args: never[]) => infer Value }
  ? Value
  : Definition extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Syntax extends `${string}...>`
      ? readonly string[]
      : Syntax extends `${string}>`
        ? string
        : Syntax extends `--no-${string}`
          ? boolean
          : true;

type IsAlwaysSet<Syntax extends string, Definition> = Definition extends { default: unknown } | { required: true }
  ? true
  : Syntax extends `--no-${string}`
    ? true
    : false;

/** The parsed values of flags. */
export type FlagValues<Flags extends FlagDefinitions> = {
  readonly [Syntax in keyof Flags & string as IsAlwaysSet<Syntax, Flags[Syntax]> extends true
    ? FlagName<Syntax>
    : never]: FlagValue<Syntax, Flags[Syntax]>;
} & {
  readonly [Syntax in keyof Flags & string as IsAlwaysSet<Syntax, Flags[Syntax]> extends true
    ? never
    : FlagName<Syntax>]?: FlagValue<Syntax, Flags[Syntax]>;
};

type ArgumentValue<Syntax> = Syntax extends `${string}...${string}`
  ? readonly string[]
  : Syntax extends `<${string}`
    ? string
    : string | undefined;

type ArgumentValues<Arguments extends ArgumentDefinitions> = {
  -readonly [Index in keyof Arguments]: ArgumentValue<Arguments[Index][0]>;
};

/** Words of the command line after a name, of which one may name a subcommand; or `all`, to load all subcommands. */
type Words = readonly string[] | 'all';

/**
 * Builds a command for commander.
 *
 * @param words only the subcommand that they name is loaded.
 * @param parent full name of the parent command. @default 'ors'
 */
export type CommandBuilder = (words?: Words, parent?: string) => Promise<Command>;

interface CommandLoader {
  /** Description in `--help`, here and in the list of the parent, which loads nothing. */
  readonly summary: string;
  readonly load: () => CommandBuilder | Promise<CommandBuilder>;
}

/** Commands by name; each is loaded when it is used. */
export type CommandLoaders = Readonly<Record<string, CommandLoader>>;

interface CommandHelp {
  /** Paragraphs after the flags in `--help`. */
  readonly details?: string;
  readonly exitCodes?: Readonly<Record<number, string>>;
  readonly examples?: readonly string[];
}

interface CommandDefinition<Arguments extends ArgumentDefinitions, Flags extends FlagDefinitions> extends CommandHelp {
  readonly name: string;
  /** @default all flags, then the arguments */
  readonly usage?: string;
  readonly arguments?: Arguments;
  readonly flags?: Flags;
  readonly subcommands?: CommandLoaders;
  /** Exit code of failures without their own, including invalid arguments and flags. @default 1 */
  readonly failureExitCode?: number;
  /** @default reportFailure */
  readonly report?: FailureReporter;
  readonly run?: (...values: [...ArgumentValues<Arguments>, FlagValues<Flags>]) => void | Promise<void>;
}

/** Defines a command of `ors`: its parser, its `--help` and the report of failures follow from the definition. */
export function defineCommand<
  const Arguments extends ArgumentDefinitions = [],
  const Flags extends FlagDefinitions = Record<never, never>,
>(definition: CommandDefinition<Arguments, Flags>): CommandBuilder {
  return async (words = [], parent = 'ors') => {
    const { name, usage, flags = {}, subcommands, failureExitCode = EXIT.failed, run } = definition;
    const command = new Command(name).addHelpText('after', helpText(definition));
    if (usage !== undefined) command.usage(usage);
    for (const [syntax, help, choices] of definition.arguments ?? []) {
      const argument = new Argument(syntax, help);
      command.addArgument(choices === undefined ? argument : argument.choices(choices));
    }
    addUsageAdvice(command, `${parent} ${name}`, definition.examples);
    addFlags(command, flags);
    if (subcommands) {
      const fullName = `${parent} ${name}`;
      command.enablePositionalOptions();
      await addCommands(command, subcommands, words, fullName);
    }
    command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : failureExitCode));
    if (run) {
      command.action(async (...values: unknown[]) => {
        const report = definition.report ?? (await import('./report-failure.ts')).reportFailure;
        // Commander passes the arguments, the flags and the command. Their types follow from the definition.
        const own = values.slice(0, -1) as unknown as Parameters<typeof run>;
        await report(own.at(-1) as object, async () => run(...own), failureExitCode);
      });
    }
    return command;
  };
}

/** Adds the command to run next to the errors of commander, which begin with `error:`. */
export function addUsageAdvice(command: Command, fullName: string, examples: readonly string[] = []): Command {
  return command.configureOutput({
    outputError(text, write) {
      const [example] = examples;
      const isIncomplete = /^error: (missing required argument|required option)/.test(text);
      const shown = isIncomplete && example !== undefined ? `, or try: ${example}` : '';
      const line = text.startsWith('error: too many arguments') ? `error: ${unexpectedArgument(command)}\n` : text;
      const [, typed = ''] = /^error: unknown option '(--\w[^']*)'\n$/.exec(text) ?? [];
      const longer = typed && command.options.find(({ long }) => long?.startsWith(typed))?.long;
      const meant = longer ? `(Did you mean ${longer}?)\n` : '';
      write(text.startsWith('error:') ? `${line}${meant}(run ${fullName} --help for usage${shown})\n` : text);
    },
  });
}

/** Names the first argument that a command does not take. It may have been meant for the flag before it. */
function unexpectedArgument(command: Command): string {
  const { args, registeredArguments, options } = command;
  const unexpected = args[registeredArguments.length] ?? '';
  const words = process.argv.slice(2);
  const before = words[words.lastIndexOf(unexpected) - 1];
  const flag = options.find(({ short, long }) => before !== undefined && (before === short || before === long));
  const advice =
    flag === undefined
      ? missingFlag(unexpected, options)
      : `; ${before} takes no value (it means: ${flag.description})`;
  return `unexpected argument '${oneLine(unexpected)}'${advice}`;
}

/** Names the flag that an argument without one was meant for: a URL, a database, or an environment. */
function missingFlag(argument: string, options: readonly Option[]): string {
  const wanted = isHttpUrl(argument) ? '--url' : /\.(db|sqlite3?)$/.test(argument) ? '--db' : '--env';
  if (wanted === '--env' && !/^[\w-]+$/.test(argument)) return '';
  const isTaken = options.some(({ long }) => long === wanted);
  return isTaken ? `; write ${wanted} ${shellQuote(argument)}` : '';
}

/** Adds flags to a command. */
export function addFlags(command: Command, flags: FlagDefinitions): Command {
  for (const [syntax, flag] of Object.entries(flags)) command.addOption(toOption(syntax, flag, command));
  return command;
}

/** Loaders of the subcommands of each command, also of those that a command line does not use. */
const loadersOf = new WeakMap<Command, { readonly loaders: CommandLoaders; readonly fullName: string }>();

/** Adds the subcommands of a command, and theirs, that were not loaded for the command line. */
export async function loadAllCommands(parent: Command): Promise<void> {
  const known = loadersOf.get(parent);
  const loaded = parent.commands.map((command) => command.name());
  for (const [name, loader] of Object.entries(known?.loaders ?? {})) {
    if (!loaded.includes(name)) parent.addCommand(await loadCommand(loader, 'all', known?.fullName));
  }
}

async function loadCommand({ summary, load }: CommandLoader, words: Words, parent?: string): Promise<Command> {
  const build = await load();
  const command = await build(words, parent);
  return command.description(summary);
}

/** Loads the command that `words` name. Unless it is their first, adds the others too, for `--help` and suggestions. */
export async function addCommands(
  parent: Command,
  loaders: CommandLoaders,
  words: Words,
  fullName: string,
): Promise<void> {
  loadersOf.set(parent, { loaders, fullName });
  if (words === 'all') return loadAllCommands(parent);
  const at = words.findIndex((word) => Object.hasOwn(loaders, word));
  for (const [name, loader] of Object.entries(loaders)) {
    if (name === words[at]) parent.addCommand(await loadCommand(loader, words.slice(at + 1), fullName));
    else if (at !== 0) parent.addCommand(new Command(name).description(loader.summary));
  }
}

/** Defines flags that several commands share. @param group heading in `--help`. */
export function defineFlags<const Flags extends FlagDefinitions>(flags: Flags, group?: string): Flags {
  if (group === undefined) return flags;
  const grouped = Object.entries(flags).map(([syntax, flag]) => [syntax, { group, ...toFlagOptions(flag) }]);
  // The same keys with the same options.
  return Object.fromEntries(grouped) as Flags;
}

const toFlagOptions = (flag: string | FlagOptions): FlagOptions => (typeof flag === 'string' ? { help: flag } : flag);

function toOption(syntax: string, flag: string | FlagOptions, command: Command): Option {
  const { help, parse, choices, env, conflicts, required, hidden, group, defaultText, ...rest } = toFlagOptions(flag);
  const option = new Option(syntax, help);
  if (choices) option.choices(choices);
  if (parse) {
    option.argParser((text, previous) => {
      try {
        // The value that the same parser returned before.
        return parse(text, previous as never);
      } catch (error) {
        if (error instanceof CliError) command.error(`ors: ${error.message}`);
        throw error;
      }
    });
  }
  if ('default' in rest) option.default(rest.default, defaultText);
  if (env !== undefined) option.env(env);
  if (conflicts) option.conflicts([...conflicts]);
  if (required) option.makeOptionMandatory();
  if (hidden) option.hideHelp();
  if (group !== undefined) option.helpGroup(group);
  return option;
}

function helpText({ details, exitCodes = {}, examples = [] }: CommandHelp): string {
  const codes = Object.entries(exitCodes).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  const lines = examples.map((example) => `  $ ${example}`);
  const sections = [
    details,
    codes.length > 0 && ['Exit codes:', ...codes].join('\n'),
    lines.length > 0 && [`${noun(lines.length, 'Example')}:`, ...lines].join('\n'),
  ].filter(Boolean);
  return sections.length === 0 ? '' : `\n${sections.join('\n\n')}`;
}

// Parsers of flags throw InvalidArgumentError, which commander prints with flag and argument.

const MAX_SECONDS = 1_000_000;

/** Returns `value`. @throws InvalidArgumentError if it is undefined. */
export function orInvalid<T>(value: T | undefined, expected: string): T {
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`Expected ${expected}.`);
}

/** Creates a parser of whole numbers. */
export function integerParser({ min = 0, max = Number.POSITIVE_INFINITY }: NumberRange = {}) {
  const range = max === Number.POSITIVE_INFINITY ? `${min} up` : `${min} to ${max}`;
  return (text: string): number => orInvalid(parseInteger(text, { min, max }), `a whole number from ${range}`);
}

/** Parses a whole number from 1 up. */
export const parsePositive = integerParser({ min: 1 });

export const parsePort = integerParser({ max: 65_535 });

export const parseNumberFlag = (text: string): number => orInvalid(parseNumber(text), 'a number');

/** Parses a duration in seconds, greater than 0. */
export function parseSeconds(text: string): number {
  const seconds = parseNumber(text, { min: Number.MIN_VALUE, max: MAX_SECONDS });
  return orInvalid(seconds, `a number of seconds above 0, at most ${formatCount(MAX_SECONDS)}`);
}

/** Collects the arguments of a repeatable flag. */
export const collect = (text: string, previous: readonly string[] = []): readonly string[] => [...previous, text];

/** Collects comma-separated names of a repeatable flag. */
export function collectList(text: string, previous: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...previous, ...names.filter((name) => name !== '')];
}

/** Parses the URL of a server. @returns origin and path. @throws CliError */
export function parseServerUrl(address: string): string {
  const url = isHttpUrl(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url) {
    const shown = withoutCredentials(address);
    if (/\.[cm]?[jt]sx?$|\.py$/.test(shown)) {
      const start = shown.endsWith('.py') ? 'start its server' : `serve it with ors serve ${shellQuote(shown)}`;
      throw new CliError(
        `'${shown}' is a file, and not the URL of a server; ${start}, then pass the URL of the server`,
      );
    }
    const meant = `http://${shown.replace(/^.*:\/\//, '')}`;
    const isHost = /^localhost$|[.:]/.test(shown) && URL.canParse(meant);
    const advice = isHost ? meant : 'http://127.0.0.1:8080';
    throw new CliError(`invalid URL '${shown}': expected a URL such as ${advice}`);
  }
  if (url.username || url.password) {
    throw new CliError(`the URL of ${url.host} contains a user name or password; send them with --header instead`);
  }
  return withoutTrailingSlashes(url.origin + url.pathname);
}

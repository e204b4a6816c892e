import type { Command, Option } from 'commander';
import { OrsClient } from '../../client/index.ts';
import { groupBy, oneLine, shellQuote } from '../../core/index.ts';
import { type CommandBuilder, defineCommand, loadAllCommands, parseServerUrl } from '../command.ts';
import { CliError } from '../failure.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
/** Argument for the scripts: prints the environments of a server. */
const ENVIRONMENTS = 'environments';
const ENVIRONMENTS_TIMEOUT_MS = 2_000;

/** Builds the command; it describes all commands of the program that it belongs to. */
export const completionCommand: CommandBuilder = async (words, parent) => {
  const build = defineCommand({
    name: 'completion',
    usage: 'bash|zsh|fish',
    arguments: [
      ['<shell>', 'shell that runs the script', SHELLS],
      ['[url]', 'URL of the server whose environments are printed; the scripts use it'],
    ],
    details: `Completes commands, flags, values that are listed in --help, files, and the names of environments after the URL of a server
without keys.`,
    examples: [
      'source <(ors completion bash)    # for this shell; in ~/.bashrc for all',
      'ors completion zsh > ~/.zfunc/_ors    # a folder of fpath',
      'ors completion fish > ~/.config/fish/completions/ors.fish',
    ],
    async run(shell, url) {
      if (shell === ENVIRONMENTS) return void process.stdout.write(await environmentLines(url ?? ''));
      if (!SHELLS.some((each) => each === shell))
        throw new CliError(`invalid shell '${oneLine(shell)}': expected one of ${SHELLS.join(', ')}`);
      const program = command.parent ?? command;
      await loadAllCommands(program);
      process.stdout.write(completionScript(shell, describeCommands(program)));
    },
  });
  const command = await build(words, parent);
  // Arguments that only the scripts pass are accepted, but neither shown in --help nor completed.
  command.registeredArguments[0]?.argParser(String);
  return command.configureHelp({ visibleArguments: ({ registeredArguments }) => registeredArguments.slice(0, 1) });
};

/** Returns a line per environment of a server; nothing if it does not respond soon. Sends no key, because pressing Tab is not consent. */
async function environmentLines(address: string): Promise<string> {
  await using client = new OrsClient(parseServerUrl(address), {
    responseTimeoutMs: ENVIRONMENTS_TIMEOUT_MS,
    retry: { budgetMs: 0 },
  });
  return (await client.environments()).map((name) => `${oneLine(name)}\n`).join('');
}

/** Source of completions for a value: its possible words, files, environments of the server in the line, or nothing. */
type ValueKind = readonly string[] | 'files' | 'environments' | 'any';

/** A command as the scripts need it. */
interface CompletedCommand {
  /** Full name, such as `ors traces ls`. */
  readonly name: string;
  readonly subcommands: readonly { readonly name: string; readonly help: string }[];
  readonly flags: readonly {
    readonly names: readonly string[];
    readonly help: string;
    /** Undefined for a flag without value. */
    readonly value: ValueKind | undefined;
  }[];
  /** Kinds of the arguments in order. */
  readonly arguments: readonly ValueKind[];
  /** True if the only argument may be repeated. */
  readonly isVariadic: boolean;
}

/** Describes a command and all below it, from the same table as `--help`. */
function describeCommands(command: Command, parent = ''): CompletedCommand[] {
  const name = `${parent} ${command.name()}`.trim();
  const { options, commands, registeredArguments } = command;
  const flags = options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({
      names: [option.short, option.long].filter((each) => each !== undefined),
      help: summaryOf(option.description),
      value:
        option.required || option.optional ? kindOf(placeholderOf(option), option.argChoices, option.long) : undefined,
    }));
  const help = { names: ['-h', '--help'], help: 'display help for command', value: undefined };
  const own: CompletedCommand = {
    name,
    subcommands: commands.map((each) => ({ name: each.name(), help: summaryOf(each.description()) })),
    flags: [...flags, help],
    arguments: registeredArguments.map((argument) => kindOf(argument.name(), argument.argChoices)),
    isVariadic: registeredArguments.length === 1 && registeredArguments[0]?.variadic === true,
  };
  return [own, ...commands.flatMap((each) => describeCommands(each, name))];
}

const placeholderOf = ({ flags }: Option): string => /[<[]([^>\]]*)[>\]]/.exec(flags)?.[1] ?? '';

function kindOf(placeholder: string, choices: readonly string[] | undefined, flag?: string | null): ValueKind {
  if (choices) return choices;
  if (flag === '--env' || placeholder === 'environment') return 'environments';
  const isFile = /file|folder|module|spec|store|traces|finding|before|after/.test(placeholder);
  return isFile && !placeholder.startsWith('@') ? 'files' : 'any';
}

/** The part of a help text before its details, without characters that have a meaning in one of the shells. */
const summaryOf = (help: string): string =>
  (oneLine(help).split(/[;:(]|\. /)[0] ?? '').replace(/['"`\\$.]/g, '').trim();

/** Returns the script for a shell. */
function completionScript(shell: string, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(commands);
  return shell === 'zsh' ? zshScript(commands) : bashScript(commands);
}

/** Formats the cases of a function that sets `kind` by a command with a flag, or with the number of an argument from 0. */
function kindCases(commands: readonly CompletedCommand[]): string {
  const keyed = commands.flatMap(({ name, flags, arguments: kinds, isVariadic }) => [
    ...flags.flatMap(({ names, value = [] }) =>
      value.length === 0 ? [] : names.map((flag) => [shellQuote(`${name} ${flag}`), kindText(value)] as const),
    ),
    ...kinds.map((kind, index) => {
      const pattern = isVariadic ? `${shellQuote(`${name} `)}[0-9]*` : shellQuote(`${name} ${index}`);
      return [pattern, kindText(kind)] as const;
    }),
  ]);
  const byKind = [...groupBy(keyed, ([, kind]) => kind)];
  return byKind
    .map(([kind, entries]) => `    ${entries.map(([pattern]) => pattern).join('|')}) kind=${shellQuote(kind)} ;;\n`)
    .join('');
}

const kindText = (kind: ValueKind): string => (typeof kind === 'string' ? kind : `words ${kind.join(' ')}`);

/** Formats the function that reads the line: the command, the flag that needs a value, the number of arguments, the URL. */
const readLine = (first: number, current: string) => `  local at='ors' flag='' word='' kind='' url='' count=0 index
  for (( index = ${first}; index < ${current}; index++ )); do
    word="\${words[index]}"
    if [[ -n $flag ]]; then flag=''; continue; fi
    case $word in
      --*=*) ;;
      -*) _ors_kind "$at $word"; [[ -n $kind ]] && flag="$word"; kind='' ;;
      *)
        _ors_words "$at"
        if (( count == 0 )) && [[ " $names " == *" $word "* ]]; then at="$at $word"; continue; fi
        [[ $word == http*://* ]] && url="$word"
        (( count++ )) ;;
    esac
  done
`;

const HEADER = (shell: string): string => `# Completion of ors for ${shell}. Written by: ors completion ${shell}\n`;

function bashScript(commands: readonly CompletedCommand[]): string {
  const words = commands.map(({ name, subcommands, flags }) => {
    const names = subcommands.map((each) => each.name).join(' ');
    return `    ${shellQuote(name)}) names=${shellQuote(names)} flags=${shellQuote(flags.flatMap((each) => each.names).join(' '))} ;;\n`;
  });
  return `${HEADER('bash')}_ors_words() {
  names='' flags=''
  case "$1" in
${words.join('')}  esac
}

_ors_kind() {
  kind=''
  case "$1" in
${kindCases(commands)}  esac
}

_ors() {
  local names flags cur last line="\${COMP_LINE:0:COMP_POINT}"
  local -a words ors
  # Bash itself splits words at = and :, as in a URL.
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  last=$(( \${#words[@]} - 1 ))
  cur="\${words[last]}"
${readLine(1, 'last')}  COMPREPLY=()
  if [[ -n $flag ]]; then _ors_kind "$at $flag"
  elif [[ $cur == --*=* ]]; then _ors_kind "$at \${cur%%=*}"; cur="\${cur#*=}"
  elif [[ $cur == -* ]]; then _ors_words "$at"; kind="words $flags"
  else
    _ors_words "$at"
    _ors_kind "$at $count"
    (( count == 0 )) && _ors_add < <(compgen -W "$names" -- "$cur")
  fi
  case $kind in
    'words '*) _ors_add < <(compgen -W "\${kind#words }" -- "$cur") ;;
    files) compopt -o filenames 2> /dev/null; _ors_add < <(compgen -f -- "$cur") ;;
    environments)
      [[ -n $url ]] || return 0
      read -ra ors <<< "\${BASH_ALIASES[\${words[0]}]:-\${words[0]}}"
      _ors_add < <(compgen -W "$("\${ors[@]}" completion environments "$url" 2> /dev/null)" -- "$cur") ;;
  esac
}

_ors_add() {
  local reply
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done
}

complete -F _ors ors ors-kit
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = (items: readonly { readonly name: string; readonly help: string }[]) =>
    items.map(({ name, help }) => shellQuote(`${name.replaceAll(':', '\\:')}:${help}`)).join(' ');
  const words = commands.map(({ name, subcommands, flags }) => {
    const names = subcommands.map((each) => each.name).join(' ');
    const listed = flags.flatMap((flag) => flag.names.map((each) => ({ name: each, help: flag.help })));
    return `    ${shellQuote(name)}) names=${shellQuote(names)}
      below=(${described(subcommands)})
      flags=(${described(listed)}) ;;\n`;
  });
  return `#compdef ors
${HEADER('zsh')}_ors_words() {
  names='' below=() flags=()
  case "$1" in
${words.join('')}  esac
}

_ors_kind() {
  kind=''
  case "$1" in
${kindCases(commands)}  esac
}

_ors() {
  local names
  local -a below flags
${readLine(2, 'CURRENT')}  _ors_words "$at"
  if [[ -n $flag ]]; then _ors_kind "$at $flag"
  elif [[ $words[CURRENT] == --*=* ]]; then _ors_kind "$at \${words[CURRENT]%%=*}"; compset -P '*='
  elif [[ $words[CURRENT] == -* ]]; then _describe -o 'flag' flags; return
  else
    (( count == 0 && $#below > 0 )) && _describe 'command' below
    _ors_kind "$at $count"
  fi
  case $kind in
    'words '*) compadd -- \${=kind#words } ;;
    files) _files ;;
    environments) [[ -n $url ]] && compadd -- \${(f)"$($words[1] completion environments $url 2> /dev/null)"} ;;
  esac
}

if [[ \${funcstack[1]} == _ors ]]; then _ors "$@"; else compdef _ors ors; fi
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const at = (name: string) => shellQuote(`__ors_at ${JSON.stringify(name)}`);
  const valueFlags = (value: ValueKind | undefined): string => {
    if (value === undefined) return '';
    if (value === 'files') return ' -r -F';
    if (value === 'environments') return " -x -a '(__ors_environments)'";
    return value === 'any' ? ' -x' : ` -x -a ${shellQuote(value.join(' '))}`;
  };
  const lines = commands.flatMap(({ name, subcommands, flags, arguments: kinds }) =>
    [
      ...subcommands.map((each) => `-a ${each.name} -d ${shellQuote(each.help)}`),
      ...flags.map(({ names, help, value }) => {
        const spelled = names.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        return `${spelled.join(' ')} -d ${shellQuote(help)}${valueFlags(value)}`;
      }),
      ...[
        ...new Set(
          kinds.map((kind) =>
            valueFlags(kind)
              .replace(/ -[rx]\b/, '')
              .trim(),
          ),
        ),
      ].filter((text) => text !== ''),
    ].map((rest) => `complete -c ors -n ${at(name)} ${rest}\n`),
  );
  const below = commands.map(({ name }) => shellQuote(name)).join(' ');
  return `${HEADER('fish')}set -g __ors_commands ${below}

function __ors_at -d 'Returns success if the line is of this command'
  set -l at ors
  for word in (commandline -opc)[2..]
    contains -- "$at $word" $__ors_commands; and set at "$at $word"
  end
  test "$at" = "$argv[1]"
end

function __ors_environments
  for word in (commandline -opc)
    if string match -q -r '^https?://' -- $word
      ors completion environments $word 2> /dev/null
      return
    end
  end
end

complete -c ors -f
${lines.join('')}`;
}

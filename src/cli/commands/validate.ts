import { Command } from 'commander';
import { type ValidationReport, validate } from '../../validate/index.ts';
import { collectOption, integerOption, numberOption } from '../option-parsers.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { readSecret } from '../remote/secrets.ts';
import { reportUnexpectedExit } from '../serve/guard-exit.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { guardAgainstBlocking } from '../validate/guard-against-blocking.ts';
import { openSubject } from '../validate/open-subject.ts';
import { redirectStdout } from '../validate/quiet-output.ts';
import { countByLevel, showFindings } from '../validate/show-findings.ts';

interface ValidateFlags extends ConnectionFlags {
  readonly tasks: number;
  readonly seed: number;
  readonly env?: readonly string[];
  readonly split?: readonly string[];
  readonly maxReward?: number;
  readonly secret?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
  readonly strict?: true;
  readonly json?: true;
}

const SECONDS = 60;
const EXIT_CODES = { clean: 0, found: 1, notRun: 2, interrupted: 130 } as const;

const HELP = `
Plays some tasks of every split: by the environment's own solve, by doing nothing, by chance and with invalid inputs, each
twice where it must come out the same. No model is needed. Of a server by its address, what needs the environment's
code is left out: solve, hidden values, cleanup. Without --timeout an answer is waited for ${SECONDS} s.

docs/validating.md lists the rules. Exit codes: 0 no errors; 1 an error was found, or with --strict a warning; 2 it could
not be run; 130 interrupted; 137 its code blocked the process, which had to be killed.

Examples:
  $ ors validate examples/countdown/environment.ts
  $ ors validate environment.ts --split train --tasks 50 --strict
  $ ors validate environment.ts --secret OPENAI_API_KEY --json > findings.json
  $ ors validate http://127.0.0.1:8080 --env gsm8k --max-reward 1`;

/** `ors validate <module or url>`. */
export function validateCommand(): Command {
  const command = new Command('validate')
    .description('Find out what is wrong with environments before anybody trains on them.')
    .usage('<module or url> [options]')
    .argument('<module or url>', 'a .ts, .js or .mjs file that exports environments, or the address of a server')
    .option(
      '--tasks <number>',
      'the most tasks of a split that are played',
      integerOption({ min: 1, max: 1_000_000 }),
      5,
    )
    .option('--split <name>', 'play only this split (repeat)', collectOption)
    .option('--env <name>', 'look only at this environment (repeat)', collectOption)
    .option('--seed <number>', 'of the sample of tasks and of random inputs', integerOption({ max: 0xffff_ffff }), 1)
    .option(
      '--max-reward <number>',
      'highest sum of rewards of an episode, where the environment does not say',
      numberOption,
    )
    .option(
      '--secret <name[=value]>',
      'a secret for every episode; without a value that of the variable (repeat)',
      readSecret,
    )
    .option('--ignore <rule>', 'do not hold this rule (repeat)', collectOption)
    .option('--strict', 'exit with 1 for warnings too')
    .option('--json', 'print one JSON document');
  addConnectionOptions(command)
    .addHelpText('after', HELP)
    // Commander's own exit code for a wrong command line is 1, which here says that an environment is wrong.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT_CODES.clean : EXIT_CODES.notRun))
    .action(run);
  return command;
}

async function run(subject: string, flags: ValidateFlags): Promise<void> {
  const release = reportUnexpectedExit(
    (code) =>
      `the environment's code ended the process (exit code ${code}), or waits for what never comes; nothing was judged`,
    EXIT_CODES.notRun,
  );
  let code: number = EXIT_CODES.notRun;
  await reportFailure(
    flags.json === true,
    async () => {
      const validation = await validated(subject, flags);
      code = exitCodeOf(validation, flags);
      const { interrupted, findings, ...rest } = validation;
      const text = flags.json
        ? `${safeJson({ counts: countByLevel(findings), interrupted, ...rest, findings })}\n`
        : showFindings(validation, openTerminal());
      process.stdout.write(text);
    },
    flags,
  );
  release();
  process.exitCode = code;
  // What an environment leaves running must not keep the command from its end.
  process.stdout.write('', () => process.exit(code));
}

async function validated(subject: string, flags: ValidateFlags): Promise<ValidationReport> {
  using interrupts = listenForInterrupts();
  using _quiet = redirectStdout();
  using progress = createProgressBar(countUnit('task'));
  const { timeout = SECONDS, tasks, seed, env, split, maxReward, secret, ignore } = flags;
  using _guard = guardAgainstBlocking(timeout);
  await using opened = await openSubject(subject, flags, timeout, interrupts.signal);
  return await validate(opened.target, {
    tasks,
    seed,
    timeoutMs: timeout * 1000,
    signal: interrupts.signal,
    onProgress: (done, all) => progress.show(done, all),
    ...(env && { environments: env }),
    ...(split && { splits: split }),
    ...(maxReward !== undefined && { maxReward }),
    ...(secret && { secrets: secret }),
    ...(ignore && { ignore }),
  });
}

function exitCodeOf({ findings, interrupted }: ValidationReport, { strict }: ValidateFlags): number {
  if (interrupted) return EXIT_CODES.interrupted;
  const { error, warning } = countByLevel(findings);
  return error > 0 || (strict && warning > 0) ? EXIT_CODES.found : EXIT_CODES.clean;
}

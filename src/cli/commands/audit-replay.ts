import { parseFinding, type ReplayResult, replayFinding } from '../../audit/index.ts';
import { definedFields, errorMessage, oneLine } from '../../core/index.ts';
import { importTarget, openClient, type TrialTarget } from '../../trial/index.ts';
import { AUDIT_EXIT_CODES, DEFAULT_TIMEOUT_SECONDS, ownerFlag } from '../audit/flags.ts';
import { defineCommand } from '../command.ts';
import { CliError, readTextFile } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags, trialFlags } from '../remote/flags.ts';
import { guardedReporter } from '../report-failure.ts';
import { createTable, formatRewardCell, openTerminal, safeJson, type TableColumn } from '../terminal/terminal.ts';
import { openSubject } from '../validate/open-subject.ts';

export const auditReplayCommand = defineCommand({
  name: 'replay',
  arguments: [
    ['<finding>', 'a JSON file in the folder findings of a report'],
    ['<module or url>', 'the environment: a file that exports it, or the URL of a server'],
  ],
  flags: {
    ...trialFlags,
    ...ownerFlag,
    '--json': 'print one JSON document',
    ...connectionFlags,
  },
  details: `Judges each transcript by the claim of its attack: it wins and earns more than players without skill, it earns more than the
maximum, or it earns a reward after the end. The values of a leak are read again: if players cannot read them any more, the leak
is fixed. Tools whose descriptions say that their effects cannot be undone are called with --i-own-this only.`,
  exitCodes: {
    0: 'the claim holds for no transcript: the exploit is fixed',
    2: 'the finding could not be replayed',
    3: 'the claim still holds for a transcript',
  },
  examples: [
    'ors audit replay audit-report/findings/words-AUDIT-LEAK-01.json environment.ts',
    'ors audit replay audit-report/findings/maze-AUDIT-FARM-01.json http://127.0.0.1:8080 --json',
  ],
  failureExitCode: AUDIT_EXIT_CODES.notRun,
  report: guardedReporter((code) => `the environment's code ended the process (exit code ${code})`),
  async run(file, subject, options) {
    const { secret, json, maxReward, iOwnThis, timeout = DEFAULT_TIMEOUT_SECONDS, ...connection } = options;
    const finding = await readFinding(file);
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    const replay = async () => {
      using _quiet = redirectStdout();
      await using opened = await openSubject(subject, connection, timeout, signal, importTarget);
      await using server = await openClient(opened.target, timeout * 1_000);
      return await replayFinding(server.client, finding, {
        timeoutMs: timeout * 1_000,
        signal,
        ...definedFields({
          secrets: secret,
          ownsEnvironment: iOwnThis,
          maxReward: declaredMaximum(opened.target, finding.environment) ?? maxReward,
        }),
      });
    };
    const results = await replay();
    const terminal = openTerminal();
    if (json) terminal.print(`${safeJson({ attack: finding.attack, environment: finding.environment, results })}\n`);
    else createTable(COLUMNS, terminal)(results);
    process.exitCode = exitCodeOf(results);
  },
});

function exitCodeOf(results: readonly ReplayResult[]): number {
  if (results.some(({ isReproduced }) => isReproduced)) return AUDIT_EXIT_CODES.proven;
  return results.some(({ failure }) => failure !== undefined) ? AUDIT_EXIT_CODES.notRun : AUDIT_EXIT_CODES.clean;
}

/** Returns the maximum reward that the module declares for an environment. */
const declaredMaximum = (target: TrialTarget, environment: string): number | undefined =>
  'environments' in target ? target.environments.find(({ name }) => name === environment)?.maxReward : undefined;

const formatSum = (reward: number | null): string => (reward === null ? 'infinite' : formatRewardCell(reward));

function describeResult({ isReproduced, unmet, failure }: ReplayResult): string {
  if (isReproduced) return 'still pays';
  return oneLine(unmet ? `fixed: ${unmet.message}` : `not replayed: ${failure}`);
}

const COLUMNS: readonly TableColumn<ReplayResult>[] = [
  { title: 'SPLIT', text: ({ split }) => oneLine(split) },
  { title: 'TASK', text: ({ index }) => String(index), isRight: true },
  { title: 'REWARD', text: ({ reward }) => formatSum(reward), isRight: true },
  { title: 'REPORTED', text: ({ expected }) => formatSum(expected), isRight: true },
  { title: 'RESULT', text: describeResult },
];

async function readFinding(file: string) {
  const text = await readTextFile(file, '<finding>');
  try {
    return parseFinding(JSON.parse(text));
  } catch (error) {
    const advice = 'pass a JSON file in the folder findings of a report';
    throw new CliError(`cannot read the finding ${oneLine(file)}: ${errorMessage(error)}; ${advice}`, { cause: error });
  }
}

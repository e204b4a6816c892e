import { readFile } from 'node:fs/promises';
import { parseFinding, type ReplayResult, replayFinding } from '../../audit/index.ts';
import { definedFields, errorMessage, oneLine } from '../../core/index.ts';
import { importTarget, openClient } from '../../trial/index.ts';
import { AUDIT_EXIT_CODES, DEFAULT_TIMEOUT_SECONDS } from '../audit/flags.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, redirectStdout } from '../process.ts';
import { connectionFlags, secretFlags } from '../remote/flags.ts';
import { guardedReporter } from '../report-failure.ts';
import { createTable, formatRewardCell, openTerminal, safeJson, type TableColumn } from '../terminal/terminal.ts';
import { openSubject } from '../validate/open-subject.ts';

export const auditReplayCommand = defineCommand({
  name: 'replay',
  summary: 'Replay the transcripts of a finding in new sessions.',
  arguments: [
    ['<finding>', 'a JSON file in the folder findings of a report'],
    ['<module or url>', 'the environment: a file that exports it, or the URL of a server'],
  ],
  flags: {
    ...secretFlags,
    '--json': 'print one JSON document',
    ...connectionFlags,
  },
  exitCodes: {
    0: 'no transcript earns as much as in the report: the exploit is fixed',
    2: 'the finding could not be replayed',
    3: 'a transcript still earns as much as in the report',
  },
  examples: ['ors audit replay audit-report/findings/words-AUDIT-LEAK-01.json environment.ts'],
  failureExitCode: AUDIT_EXIT_CODES.notRun,
  report: guardedReporter((code) => `the environment's code ended the process (exit code ${code})`),
  async run(file, subject, { secret, json, timeout = DEFAULT_TIMEOUT_SECONDS, ...connection }) {
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
        ...definedFields({ secrets: secret }),
      });
    };
    const results = await replay();
    const terminal = openTerminal();
    if (json) terminal.print(`${safeJson({ attack: finding.attack, environment: finding.environment, results })}\n`);
    else createTable(COLUMNS, terminal)(results);
    const isReproduced = results.some((result) => result.isReproduced);
    process.exitCode = isReproduced ? AUDIT_EXIT_CODES.proven : AUDIT_EXIT_CODES.clean;
  },
});

const COLUMNS: readonly TableColumn<ReplayResult>[] = [
  { title: 'SPLIT', text: ({ split }) => oneLine(split) },
  { title: 'TASK', text: ({ index }) => String(index), isRight: true },
  { title: 'REWARD', text: ({ reward }) => formatRewardCell(reward), isRight: true },
  { title: 'REPORTED', text: ({ expected }) => formatRewardCell(expected), isRight: true },
  { title: 'RESULT', text: ({ isReproduced }) => (isReproduced ? 'still pays' : 'fixed') },
];

async function readFinding(file: string) {
  try {
    return parseFinding(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new CliError(`cannot read the finding ${oneLine(file)}: ${errorMessage(error)}`, { cause: error });
  }
}

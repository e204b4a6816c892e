import { Command } from 'commander';
import { onAbort, startTimer } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { addRolloutOptions, type RolloutFlags } from '../rollout/flags.ts';
import { type RunFolderRef, runRollout } from '../rollout/play-run.ts';
import { resumeLine } from '../rollout/show-results.ts';
import { reportUnexpectedExit } from '../serve/guard-exit.ts';

const HELP = `
The folder of a run has run.json (what is played), rewards.jsonl (a line for each episode that ended), failures.jsonl,
results.json and traces.db. An episode that fails, because a server or a provider does, is played again and in the end left
out; it never counts 0. A run may be stopped at any moment, in any way, and gone on with.

The exit code is 0 if every episode ended, 3 if some are missing, 130 after Ctrl-C, and 1 if none has ended.

Examples:
  $ ors rollout http://127.0.0.1:8080 --env countdown --split test --agent random --limit 20
  $ ors rollout http://127.0.0.1:8080 --env gsm8k --agent oracle --module examples/gsm8k/environment.ts -n 4
  $ OPENAI_API_KEY=... ors rollout http://127.0.0.1:8080 --env countdown --split test --model openai/gpt-5 -n 8
  $ ors rollout http://127.0.0.1:8080 --env countdown --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1
  $ ors rollout --resume runs/countdown-test-random-20260102-030405`;

/** So long after Ctrl-C the process ends, whatever it waits for. */
const EXIT_TIMEOUT_MS = 5_000;
/** After its report the process waits so long at most for what is still open. */
const LEFT_MS = 1_000;

/** `ors rollout <url>`. */
export function createRolloutCommand(): Command {
  const command = new Command('rollout')
    .description('Play episodes of many tasks with a model or another agent: rewards, traces and a summary.')
    .argument('[url]', 'address of the server; that of the run with --resume');
  return addRolloutOptions(command)
    .addHelpText('after', HELP)
    .action((url: string | undefined, flags: RolloutFlags) =>
      reportFailure(flags.json === true, () => run(url, flags)),
    );
}

async function run(url: string | undefined, flags: RolloutFlags): Promise<void> {
  using interrupts = listenForInterrupts();
  const place: RunFolderRef = { path: flags.resume };
  const again = () => (place.path === undefined ? '' : `; go on with: ${resumeLine(place.path)}`);
  const release = reportUnexpectedExit((code) =>
    interrupts.signal.aborted
      ? `ended at once${again()}`
      : `the code of the agent ended the process (exit code ${code}); what had not ended is not kept${again()}`,
  );
  using _end = endInTime(interrupts.signal);
  await reportFailure(flags.json === true, () => runRollout(url, flags, interrupts.signal, place));
  release();
  // What an agent leaves running must neither keep the command from its end nor change how it ended.
  process.on('uncaughtException', () => undefined);
  setTimeout(() => process.exit(), LEFT_MS).unref();
}

/** Ends the process where something does not end after an interrupt, such as a server that is gone. */
function endInTime(signal: AbortSignal): Disposable {
  let cancelTimer = () => {};
  const exit = (reason: unknown) => {
    process.stderr.write(`ors: interrupted, and not everything has ended in ${EXIT_TIMEOUT_MS / 1000} s\n`);
    process.exit(reason instanceof CliError ? reason.exitCode : 1);
  };
  const stopListening = onAbort(signal, (reason) => {
    cancelTimer = startTimer(EXIT_TIMEOUT_MS, () => exit(reason), { unref: true });
  });
  return {
    [Symbol.dispose]() {
      cancelTimer();
      stopListening();
    },
  };
}

import { onAbort, startTimer } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts, reportUnexpectedExit } from '../process.ts';
import { reportFailure } from '../report-failure.ts';
import { type RolloutFlags, rolloutFlags } from '../rollout/flags.ts';
import { type RunFolderRef, runRollout } from '../rollout/play-run.ts';
import { resumeLine } from '../rollout/show-run.ts';

/** Time after an interrupt until the process exits, even if something still runs. */
const INTERRUPT_TIMEOUT_MS = 5_000;
/** Time after the report until the process exits, even if an agent left something open. */
const EXIT_TIMEOUT_MS = 1_000;

export const rolloutCommand = defineCommand({
  name: 'rollout',
  summary: 'Play episodes of many tasks with a model or another agent: rewards, traces and a summary.',
  arguments: [['[url]', 'URL of the server; with --resume, that of the run']],
  flags: rolloutFlags,
  details: `The folder of a run contains run.json (the plan), rewards.jsonl (a line per completed episode), failures.jsonl,
results.json and traces.db. An episode that fails because of a server or a provider is retried, and finally left out; it
never counts as 0. A run can be stopped at any time, in any way, and resumed.`,
  exitCodes: {
    0: 'every episode is complete',
    1: 'no episode is complete',
    3: 'some episodes are missing',
    130: 'interrupted',
  },
  examples: [
    'ors rollout http://127.0.0.1:8080 --env countdown --split test --agent random --limit 20',
    'ors rollout http://127.0.0.1:8080 --env gsm8k --agent oracle --module examples/gsm8k/environment.ts -n 4',
    'OPENAI_API_KEY=... ors rollout http://127.0.0.1:8080 --env countdown --split test --model openai/gpt-5 -n 8',
    'ors rollout http://127.0.0.1:8080 --env countdown --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1',
    'ors rollout --resume runs/countdown-test-random-20260102-030405',
  ],
  async run(url, flags: RolloutFlags) {
    using interrupts = listenForInterrupts();
    const folder: RunFolderRef = { path: flags.resume };
    const resume = () => (folder.path === undefined ? '' : `; resume with: ${resumeLine(folder.path)}`);
    const release = reportUnexpectedExit((code) =>
      interrupts.signal.aborted
        ? `stopped immediately${resume()}`
        : `the code of the agent ended the process (exit code ${code}); incomplete episodes are lost${resume()}`,
    );
    using _timeout = exitAfterInterrupt(interrupts.signal);
    await reportFailure({ json: flags.json === true }, () => runRollout(url, flags, interrupts.signal, folder));
    release();
    // Code that an agent leaves running must neither keep the process alive nor change its exit code.
    process.on('uncaughtException', () => undefined);
    setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref();
  },
});

/** Exits if something does not end after an interrupt, such as a request to a server that is gone. */
function exitAfterInterrupt(signal: AbortSignal): Disposable {
  let cancelTimer = () => {};
  const exit = (reason: unknown) => {
    process.stderr.write(`ors: interrupted; not everything stopped within ${INTERRUPT_TIMEOUT_MS / 1000} s\n`);
    process.exit(reason instanceof CliError ? reason.exitCode : 1);
  };
  const stopListening = onAbort(signal, (reason) => {
    cancelTimer = startTimer(INTERRUPT_TIMEOUT_MS, () => exit(reason), { unref: true });
  });
  return {
    [Symbol.dispose]() {
      cancelTimer();
      stopListening();
    },
  };
}

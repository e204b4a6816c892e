import { Command } from 'commander';
import {
  createRunFolder,
  openRunFolder,
  type RunEnd,
  type RunFolder,
  type RunProgress,
  rollout,
} from '../../rollout/index.ts';
import { Failure } from '../failure.ts';
import { connect } from '../remote/connect.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { addRolloutOptions, type RolloutFlags } from '../rollout/flags.ts';
import { makeAgent } from '../rollout/make-agent.ts';
import { openRunStore } from '../rollout/open-run-store.ts';
import { checkResumed, planRun } from '../rollout/plan-run.ts';
import { settingsIn, settingsOf, storeOf } from '../rollout/settings.ts';
import { nextSteps, showResults } from '../rollout/show-results.ts';
import { safeJson } from '../terminal/clean-text.ts';
import { counted, showProgress } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';

const HELP = `
The folder of a run has run.json (what is played), rewards.jsonl (a line for each episode that ended), failures.jsonl,
results.json and traces.db. An episode that fails, because a server or a provider does, is played again and in the end left
out; it never counts 0. A run may be stopped at any moment, in any way, and gone on with.

The exit code is 0 if every episode ended, 3 if some are missing, 130 after Ctrl-C, and 1 if nothing could be played.

Examples:
  $ ors rollout http://127.0.0.1:8080 --env countdown --split test --agent random --limit 20
  $ ors rollout http://127.0.0.1:8080 --env gsm8k --agent oracle --module examples/gsm8k/environment.ts -n 4
  $ OPENAI_API_KEY=... ors rollout http://127.0.0.1:8080 --env countdown --split test --model openai/gpt-5 -n 8
  $ ors rollout http://127.0.0.1:8080 --env countdown --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1
  $ ors rollout --resume runs/countdown-test-random-20260102-030405`;

const INCOMPLETE = 3;

/** `ors rollout <url>`. */
export function rolloutCommand(): Command {
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
  await using begun = flags.resume === undefined ? undefined : await openRunFolder(flags.resume);
  if (begun) checkResumed({ ...flags });
  const settings = begun ? settingsIn(begun.plan) : await settingsOf(flags);
  const agent = await makeAgent(settings.agent);
  const address = url ?? begun?.plan.url;
  if (address === undefined) throw new Failure('name the server: ors rollout http://127.0.0.1:8080 ...');
  await using server = await connect(address, flags, interrupts.signal);
  await using folder = begun ?? (await createRunFolder(...(await planRun(server, flags, settings))));
  await using store = await openRunStore(storeOf(flags, settings), folder.path, folder.plan.run);
  const { concurrency, attempts, secret: secrets = {} } = flags;
  using progress = showProgress(counted('episode'));
  const end = await rollout({
    ...{ client: server.client, folder, agent, secrets, concurrency, attempts, signal: interrupts.signal },
    ...(store.traces && { traces: store.traces }),
    onProgress: ({ ended, planned, ...rest }) => progress.show(ended, planned, noteOf(rest)),
  });
  progress[Symbol.dispose]();
  report(end, folder, store.place, flags.json === true);
}

function noteOf({ mean, failed }: Pick<RunProgress, 'mean' | 'failed'>): string {
  const notes = [mean === null ? '' : `mean ${mean.toPrecision(3)}`, failed === 0 ? '' : `${failed} failed`];
  return notes.filter((note) => note !== '').join('  ');
}

function report(end: RunEnd, { path }: RunFolder, place: readonly string[] | undefined, json: boolean): void {
  const { results, stopped } = end;
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson(results)}\n`);
  else {
    showResults(results, terminal);
    terminal.print(`\n${nextSteps(end, path, place)}`);
  }
  if (stopped !== undefined) throw stopped;
  if (!results.complete) process.exitCode = INCOMPLETE;
}

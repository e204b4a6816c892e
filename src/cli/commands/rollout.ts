import {
  createRedactor,
  definedFields,
  delayedSignal,
  headerSecrets,
  isInstance,
  onAbort,
  type Redactor,
  tooShortWarning,
  urlSecrets,
} from '../../core/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import {
  attributeUnhandledError,
  createRunFolder,
  openRunFolder,
  type RunFolder,
  rollout,
} from '../../rollout/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { defineCommand } from '../command.ts';
import { CliError, EXIT } from '../failure.ts';
import { listenForInterrupts, redirectStdout, reportUnexpectedExit } from '../process.ts';
import { connectToServer } from '../remote/connect.ts';
import { reportFailure } from '../report-failure.ts';
import { assertResumable, createAgent, planRun, resolveResumedAgent } from '../rollout/plan-run.ts';
import { openRunStore } from '../rollout/run-store.ts';
import {
  PUBLIC_DATABASE_PARAMETERS,
  type RolloutFlags,
  type RunSettings,
  readRunSettings,
  resolveResumedStore,
  resolveStore,
  rolloutFlags,
  toRunSettings,
} from '../rollout/settings.ts';
import { createRunDisplay, describeRolloutNextSteps, resumeLine, showRolloutResults } from '../rollout/show-run.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { assertStoreLibrary } from '../traces/open-store.ts';

/** Time after an interrupt until the process exits, even if something still runs. */
const INTERRUPT_TIMEOUT_MS = 5_000;
/** Time after the report until the process exits, even if an agent left something open. */
const EXIT_TIMEOUT_MS = 1_000;

export const rolloutCommand = defineCommand({
  name: 'rollout',
  arguments: [['[url]', 'URL of the server; with --resume, that of the run']],
  flags: rolloutFlags,
  details: `The folder of a run contains run.json (the plan), rewards.jsonl (a line per completed episode), failures.jsonl,
results.json and traces.db, and groups.jsonl if the environment compares the samples of a task. An episode that fails
because of a server or a provider is retried, and finally left out; it never counts as 0. A run can be stopped at any
time, in any way, and resumed.`,
  exitCodes: {
    0: 'every episode is complete',
    1: 'no episode is complete',
    3: 'some episodes are missing',
    4: 'with --agent random: the environment accepted no call',
    130: 'interrupted',
  },
  examples: [
    'ors rollout http://127.0.0.1:8080 --env countdown --split test --agent random --limit 20',
    'ors rollout http://127.0.0.1:8080 --env gsm8k --agent oracle --module environment.ts -n 4',
    'OPENAI_API_KEY=... ors rollout http://127.0.0.1:8080 --env countdown --split test --model openai/gpt-5 -n 8',
    'ors rollout http://127.0.0.1:8080 --env countdown --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1',
    'ors rollout --resume runs/countdown-test-random-20260102-030405',
  ],
  async run(url, flags: RolloutFlags) {
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    const context: RunContext = { signal, folder: flags.resume, redactor: createRedactor(collectSecrets(flags, [])) };
    const resume = () => (context.folder === undefined ? '' : `; resume with: ${resumeLine(context.folder)}`);
    const release = reportUnexpectedExit((code) =>
      signal.aborted
        ? `stopped immediately${resume()}`
        : `the code of the agent ended the process (exit code ${code}); incomplete episodes are lost${resume()}`,
    );
    // Something may not end after an interrupt, such as a request to a server that is gone.
    const timeout = delayedSignal(INTERRUPT_TIMEOUT_MS, signal);
    onAbort(timeout.signal, exitInterrupted);
    await reportFailure({ json: flags.json === true }, () => runRollout(url, flags, context), EXIT.failed);
    timeout.release();
    release();
    // Code that an agent leaves running must neither keep the process alive nor change its exit code.
    process.on('uncaughtException', () => undefined);
    setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref();
  },
});

function exitInterrupted(reason: unknown): never {
  process.stderr.write(`ors: interrupted; not everything stopped within ${INTERRUPT_TIMEOUT_MS / 1000} s\n`);
  process.exit(reason instanceof CliError ? reason.exitCode : EXIT.failed);
}

const EXIT_NO_EPISODES = 1;
const EXIT_INCOMPLETE = 3;
const EXIT_NOTHING_ACCEPTED = 4;

interface RunContext {
  readonly signal: AbortSignal;
  /** Folder of the run, once it exists. */
  folder: string | undefined;
  /** Replaced once the model, which has secrets too, is loaded. */
  redactor: Redactor;
}

/** Plays a new run or resumes one, and prints its results. @throws CliError or Error with a remedy and without secrets. */
async function runRollout(url: string | undefined, flags: RolloutFlags, context: RunContext): Promise<void> {
  try {
    report(await play(url, flags, context), flags.json === true);
  } catch (error) {
    throw redactError(error, context.redactor);
  }
}

async function play(url: string | undefined, flags: RolloutFlags, context: RunContext) {
  const { signal } = context;
  const hide = (text: string) => context.redactor.text(text);
  // The output of an agent must not mix with the report.
  using _quiet = redirectStdout();
  await using started = flags.resume === undefined ? undefined : await openRunFolder(flags.resume);
  const settings = started ? resumedSettings(started, flags) : await toRunSettings(flags);
  using display = createRunDisplay(hide);
  using _unhandled = handleUnhandledErrors(display.printOnce);
  // The stored base URL lacks its query.
  const newAgent = { ...settings.agent, ...definedFields({ base_url: flags.baseUrl }) };
  const loaded = await createAgent(started ? resolveResumedAgent(settings, flags) : newAgent, display.showRetryWait);
  const secrets = collectSecrets(flags, loaded.secrets);
  context.redactor = createRedactor(secrets);
  // The parser of --secret has warned about the secrets of the environment.
  const unnamed = context.redactor.tooShort.filter((name) => !Object.hasOwn(flags.secret ?? {}, name));
  for (const name of unnamed) display.printOnce(tooShortWarning(name));
  const address = url ?? started?.plan.url;
  if (address === undefined)
    throw new CliError('the URL of the server is missing; write: ors rollout http://127.0.0.1:8080 ...');
  if (!started) await assertStoreLibrary(resolveStore(flags.traces, settings.traces));
  await using server = await connectToServer(address, flags, signal);
  await using folder = started ?? (await createRunFolder(...(await planRun(server, flags, settings))));
  const { path, plan } = folder;
  context.folder = path;
  const target = started
    ? resolveResumedStore(flags.traces, settings.traces, `${path}/traces.db`)
    : resolveStore(flags.traces, settings.traces);
  const onWait = (line: string, isWaiting: boolean) =>
    display.showWaiting(line, isWaiting ? 'waiting for the trace store' : undefined);
  const storeOptions = { folder: path, run: plan.run, secrets, signal, onWait };
  await using store = target === false ? undefined : await openRunStore(target, storeOptions);
  const { concurrency, attempts, secret = {} } = flags;
  const end = await rollout({
    client: server.client,
    folder,
    agent: loaded.agent,
    secrets: secret,
    concurrency,
    attempts,
    redact: hide,
    signal,
    ...(store && { traces: store.traces }),
    onProgress: display.show,
    onNotice: display.printOnce,
  }).catch((error: unknown) => {
    throw error instanceof TraceError ? storeFailed(error, path) : error;
  });
  return { end, path, storeFlags: store?.accessFlags, agent: settings.agent.agent };
}

function resumedSettings({ plan, path }: RunFolder, flags: RolloutFlags): RunSettings {
  const settings = readRunSettings(plan, path);
  assertResumable({ ...flags }, settings);
  return settings;
}

const storeFailed = (cause: TraceError, path: string): CliError => {
  const message = `--traces: the trace store failed: ${cause.message.replace(/[.;?]+$/, '')}`;
  const advice = cause.code === 'NETWORK' ? 'check its address, and that it runs' : 'fix this';
  return new CliError(`${message}; ${advice}, then resume with: ${resumeLine(path)}`, { cause });
};

function report({ end, path, storeFlags, agent }: Awaited<ReturnType<typeof play>>, json: boolean): void {
  const { results, error } = end;
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson(results)}\n`);
  else {
    showRolloutResults(results, terminal);
    terminal.print(`\n${describeRolloutNextSteps(end, path, storeFlags)}`);
  }
  if (error !== undefined) throw error;
  const { complete, episodes, calls } = results;
  if (!complete) process.exitCode = episodes.ended === 0 ? EXIT_NO_EPISODES : EXIT_INCOMPLETE;
  // Random inputs match the schemas: without an accepted one, the run has shown nothing about the environment.
  else if (agent === 'random' && calls.made > 0 && calls.accepted === 0) process.exitCode = EXIT_NOTHING_ACCEPTED;
}

/**
 * Keeps a run alive if an agent's code throws an error that is not caught: its episode fails, or the error is reported if
 * the episode is unknown.
 */
function handleUnhandledErrors(notify: (line: string) => void): Disposable {
  const onError = (error: unknown) => {
    if (attributeUnhandledError(error)) return;
    notify(`uncaught error in the code of the agent, the run continues: ${describeThrown(error, 'message')}`);
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onError);
      process.off('unhandledRejection', onError);
    },
  };
}

/** Returns all secrets of the command line and the environment, by name. */
function collectSecrets(flags: RolloutFlags, model: readonly string[]): Record<string, string> {
  const { secret = {}, apiKey, header = {}, traces } = flags;
  const headers = Object.entries(header).flatMap(([name, value]) => numbered(name, headerSecrets(name, value)));
  const named: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(secret),
    ...headers,
    ['ORS_API_KEY', apiKey],
    ...numbered('traces_password', typeof traces === 'string' ? urlSecrets(traces, PUBLIC_DATABASE_PARAMETERS) : []),
    ['ORS_TRACES_API_KEY', process.env.ORS_TRACES_API_KEY],
    ...numbered('model_key', model),
  ];
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const numbered = (name: string, values: readonly string[]): (readonly [string, string])[] =>
  values.map((value, index) => [index === 0 ? name : `${name}_${index + 1}`, value]);

/** Removes secrets from the message of an error. */
function redactError(error: unknown, { text: hide }: Redactor): unknown {
  if (isInstance(error, Error)) error.message = hide(error.message);
  return typeof error === 'string' ? hide(error) : error;
}

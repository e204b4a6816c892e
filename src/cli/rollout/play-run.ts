import { createRedactor, headerSecrets, isInstance, tooShortWarning, urlSecrets } from '../../core/index.ts';
import { describeThrown } from '../../hosting/index.ts';
import {
  attributeUnhandledError,
  createRunFolder,
  openRunFolder,
  type RolloutOutcome,
  type RunFolder,
  rollout,
} from '../../rollout/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import { redirectStdout } from '../process.ts';
import { connectToServer } from '../remote/connect.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { safeJson } from '../terminal/text.ts';
import type { RolloutFlags } from './flags.ts';
import { createAgent } from './make-agent.ts';
import { assertResumable, planRun, resolveResumedAgent } from './plan-run.ts';
import { openRunStore } from './run-store.ts';
import {
  PUBLIC_DATABASE_PARAMETERS,
  type RunSettings,
  readRunSettings,
  resolveResumedStore,
  resolveStore,
  toRunSettings,
} from './settings.ts';
import { createRunDisplay, describeRolloutNextSteps, resumeLine, showRolloutResults } from './show-run.ts';

const EXIT_NO_EPISODES = 1;
const EXIT_INCOMPLETE = 3;

/** Folder of a run, once it exists. */
export interface RunFolderRef {
  path: string | undefined;
}

interface PlayedRun {
  readonly end: RolloutOutcome;
  readonly path: string;
  readonly storeFlags: readonly string[] | undefined;
}

/**
 * Plays a new run or resumes one, and prints its results.
 *
 * @param runFolder receives the path of the run.
 * @throws CliError or Error with a remedy and without secrets.
 */
export async function runRollout(
  url: string | undefined,
  flags: RolloutFlags,
  signal: AbortSignal,
  runFolder: RunFolderRef,
): Promise<void> {
  const known = knownSecrets(collectSecrets(flags, []));
  const hide = (text: string) => known.redactor.text(text);
  try {
    report(await play(url, flags, { signal, runFolder, known, hide }), flags.json === true);
  } catch (error) {
    throw redactError(error, hide);
  }
}

/** Secrets of a command; more are added once the model is loaded. */
function knownSecrets(secrets: Readonly<Record<string, string>>) {
  return { secrets, redactor: createRedactor(secrets) };
}

interface PlayRunContext {
  readonly signal: AbortSignal;
  readonly runFolder: RunFolderRef;
  readonly known: ReturnType<typeof knownSecrets>;
  readonly hide: (text: string) => string;
}

async function play(url: string | undefined, flags: RolloutFlags, context: PlayRunContext): Promise<PlayedRun> {
  const { signal, runFolder, known, hide } = context;
  // The output of an agent must not mix with the report.
  using _quiet = redirectStdout();
  await using started = flags.resume === undefined ? undefined : await openRunFolder(flags.resume);
  const settings = started ? resumedSettings(started, flags) : await toRunSettings(flags);
  using display = createRunDisplay(hide);
  using _unhandled = handleUnhandledErrors(display.printOnce);
  const agentSettings = started ? resolveResumedAgent(settings, flags) : { ...settings.agent, ...baseUrlOf(flags) };
  const loaded = await createAgent(agentSettings, display.showRetryWait);
  Object.assign(known, knownSecrets(collectSecrets(flags, loaded.secrets)));
  for (const name of known.redactor.tooShort) display.printOnce(tooShortWarning(name));
  const address = url ?? started?.plan.url;
  if (address === undefined)
    throw new CliError('the URL of the server is missing; write: ors rollout http://127.0.0.1:8080 ...');
  await using server = await connectToServer(address, flags, signal);
  await using folder = started ?? (await createRunFolder(...(await planRun(server, flags, settings))));
  const { path, plan } = folder;
  runFolder.path = path;
  const file = `${path}/traces.db`;
  const target = started
    ? resolveResumedStore(flags.traces, settings.traces, file)
    : resolveStore(flags.traces, settings.traces);
  const onWait = (line: string, isWaiting: boolean) =>
    display.showWaiting(line, isWaiting ? 'waiting for the trace store' : undefined);
  await using store = await openRunStore(target, {
    folder: path,
    run: plan.run,
    secrets: known.secrets,
    signal,
    onWait,
  });
  const { concurrency, attempts, secret: secrets = {} } = flags;
  const end = await rollout({
    client: server.client,
    folder,
    agent: loaded.agent,
    secrets,
    concurrency,
    attempts,
    redact: hide,
    signal,
    ...(store.traces && { traces: store.traces }),
    onProgress: display.show,
    onNotice: display.printOnce,
  }).catch((error: unknown) => {
    throw error instanceof TraceError ? storeFailed(error, path) : error;
  });
  return { end, path, storeFlags: store.accessFlags };
}

function resumedSettings({ plan, path }: RunFolder, flags: RolloutFlags): RunSettings {
  const settings = readRunSettings(plan, path);
  assertResumable({ ...flags }, settings);
  return settings;
}

const storeFailed = (cause: TraceError, path: string): CliError => {
  const message = `the trace store: ${cause.message.replace(/[.;?]+$/, '')}`;
  return new CliError(`${message}; fix this, then resume with: ${resumeLine(path)}`, { cause });
};

/** Includes the query, which is not stored. */
const baseUrlOf = ({ baseUrl }: RolloutFlags) => (baseUrl === undefined ? {} : { base_url: baseUrl });

function report({ end, path, storeFlags }: PlayedRun, json: boolean): void {
  const { results, error } = end;
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson(results)}\n`);
  else {
    showRolloutResults(results, terminal);
    terminal.print(`\n${describeRolloutNextSteps(end, path, storeFlags)}`);
  }
  if (error !== undefined) throw error;
  if (!results.complete) process.exitCode = results.episodes.ended === 0 ? EXIT_NO_EPISODES : EXIT_INCOMPLETE;
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
  const { secret = {}, apiKey, header = {} } = flags;
  const headers = Object.entries(header).flatMap(([name, value]) => numbered(name, headerSecrets(name, value)));
  const named: readonly (readonly [string, string | undefined])[] = [
    ...Object.entries(secret),
    ...headers,
    ['ORS_API_KEY', apiKey],
    ...numbered(
      'traces_password',
      typeof flags.traces === 'string' ? urlSecrets(flags.traces, PUBLIC_DATABASE_PARAMETERS) : [],
    ),
    ['ORS_TRACES_API_KEY', process.env.ORS_TRACES_API_KEY],
    ...numbered('model_key', model),
  ];
  return Object.fromEntries(named.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const numbered = (name: string, values: readonly string[]): (readonly [string, string])[] =>
  values.map((value, index) => [index === 0 ? name : `${name}_${index + 1}`, value]);

/** Removes secrets from the message of an error. */
function redactError(error: unknown, hide: (text: string) => string): unknown {
  if (isInstance(error, Error)) error.message = hide(error.message);
  return typeof error === 'string' ? hide(error) : error;
}

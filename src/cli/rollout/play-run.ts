import { createRedactor, tooShortWarning } from '../../core/index.ts';
import { createRunFolder, openRunFolder, type RolloutOutcome, type RunFolder, rollout } from '../../rollout/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { CliError } from '../failure.ts';
import { connectToServer } from '../remote/connect.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { redirectStdout } from '../validate/quiet-output.ts';
import type { RolloutFlags } from './flags.ts';
import { handleUnhandledErrors } from './hear-strays.ts';
import { createAgent } from './make-agent.ts';
import { openRunStore } from './open-run-store.ts';
import { assertResumable, planRun, resolveResumedAgent } from './plan-run.ts';
import { createRunDisplay } from './run-display.ts';
import { resolveResumedStore, resolveStore } from './run-place.ts';
import { collectSecrets, redactError } from './secrets.ts';
import { type RunSettings, readRunSettings, toRunSettings } from './settings.ts';
import { describeRolloutNextSteps, resumeLine, showRolloutResults } from './show-results.ts';

const NOTHING = 1;
const INCOMPLETE = 3;

/** Where a run is, as soon as there is a folder of it. */
export interface RunFolderRef {
  path: string | undefined;
}

interface PlayedRun {
  readonly end: RolloutOutcome;
  readonly path: string;
  readonly storePlace: readonly string[] | undefined;
}

/**
 * Plays a new run, or goes on with one, and prints what came of it.
 *
 * @param place told where the run is.
 * @throws Failure or Error that says what to do; none of them has a secret in it.
 */
export async function runRollout(
  url: string | undefined,
  flags: RolloutFlags,
  signal: AbortSignal,
  place: RunFolderRef,
): Promise<void> {
  const known = knownSecrets(collectSecrets(flags, []));
  const hide = (text: string) => known.redactor.text(text);
  try {
    report(await play(url, flags, { signal, place, known, hide }), flags.json === true);
  } catch (error) {
    throw redactError(error, hide);
  }
}

/** The secrets of a command, more of which are known once the model is. */
function knownSecrets(secrets: Readonly<Record<string, string>>) {
  return { secrets, redactor: createRedactor(secrets) };
}

interface PlayRunContext {
  readonly signal: AbortSignal;
  readonly place: RunFolderRef;
  readonly known: ReturnType<typeof knownSecrets>;
  readonly hide: (text: string) => string;
}

async function play(url: string | undefined, flags: RolloutFlags, around: PlayRunContext): Promise<PlayedRun> {
  const { signal, place, known, hide } = around;
  // What an agent prints may not mix with the report.
  using _quiet = redirectStdout();
  await using started = flags.resume === undefined ? undefined : await openRunFolder(flags.resume);
  const settings = started ? settingsAgain(started, flags) : await toRunSettings(flags);
  using display = createRunDisplay(hide);
  using _strays = handleUnhandledErrors(display.printOnce);
  const agentSettings = started ? resolveResumedAgent(settings, flags) : { ...settings.agent, ...baseUrlOf(flags) };
  const made = await createAgent(agentSettings, display.showRetryWait);
  Object.assign(known, knownSecrets(collectSecrets(flags, made.secrets)));
  for (const name of known.redactor.tooShort) display.printOnce(tooShortWarning(name));
  const address = url ?? started?.plan.url;
  if (address === undefined) throw new CliError('name the server: ors rollout http://127.0.0.1:8080 ...');
  await using server = await connectToServer(address, flags, signal);
  await using folder = started ?? (await createRunFolder(...(await planRun(server, flags, settings))));
  const { path, plan } = folder;
  place.path = path;
  const file = `${path}/traces.db`;
  const target = started
    ? resolveResumedStore(flags.traces, settings.traces, file)
    : resolveStore(flags.traces, settings.traces);
  const onWait = (line: string, isWaiting: boolean) =>
    display.showWaiting(line, isWaiting ? 'waits for the store of the traces' : undefined);
  await using store = await openRunStore(target, {
    ...{ folder: path, run: plan.run, secrets: known.secrets, signal, onWait },
  });
  const { concurrency, attempts, secret: secrets = {} } = flags;
  const end = await rollout({
    ...{ client: server.client, folder, agent: made.agent, secrets, concurrency, attempts, redact: hide, signal },
    ...(store.traces && { traces: store.traces }),
    onProgress: display.show,
    onNotice: display.printOnce,
  }).catch((error: unknown) => {
    throw error instanceof TraceError ? storeFailed(error, path) : error;
  });
  return { end, path, storePlace: store.place };
}

function settingsAgain({ plan, path }: RunFolder, flags: RolloutFlags): RunSettings {
  const settings = readRunSettings(plan, path);
  assertResumable({ ...flags }, settings);
  return settings;
}

const storeFailed = (cause: TraceError, path: string): CliError => {
  const message = `the store of the traces: ${cause.message.replace(/[.;?]+$/, '')}`;
  return new CliError(`${message}; when that is mended, go on with: ${resumeLine(path)}`, { cause });
};

/** With all of its query, which is not written down. */
const baseUrlOf = ({ baseUrl }: RolloutFlags) => (baseUrl === undefined ? {} : { base_url: baseUrl });

function report({ end, path, storePlace }: PlayedRun, json: boolean): void {
  const { results, error } = end;
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson(results)}\n`);
  else {
    showRolloutResults(results, terminal);
    terminal.print(`\n${describeRolloutNextSteps(end, path, storePlace)}`);
  }
  if (error !== undefined) throw error;
  if (!results.complete) process.exitCode = results.episodes.ended === 0 ? NOTHING : INCOMPLETE;
}

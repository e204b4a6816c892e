import { createRedactor, tooShortWarning } from '../../core/index.ts';
import { createRunFolder, openRunFolder, type RunEnd, type RunFolder, rollout } from '../../rollout/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { Failure } from '../failure.ts';
import { connect } from '../remote/connect.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { quietOutput } from '../validate/quiet-output.ts';
import type { RolloutFlags } from './flags.ts';
import { hearStrays } from './hear-strays.ts';
import { makeAgent } from './make-agent.ts';
import { openRunStore } from './open-run-store.ts';
import { agentAgain, checkResumed, planRun } from './plan-run.ts';
import { displayRun } from './run-display.ts';
import { storeAgain, storeOf } from './run-place.ts';
import { hideIn, secretsOf } from './secrets.ts';
import { type RunSettings, settingsIn, settingsOf } from './settings.ts';
import { nextSteps, resumeLine, showResults } from './show-results.ts';

const NOTHING = 1;
const INCOMPLETE = 3;

/** Where a run is, as soon as there is a folder of it. */
export interface RunFolderPlace {
  path: string | undefined;
}

interface Played {
  readonly end: RunEnd;
  readonly path: string;
  readonly storePlace: readonly string[] | undefined;
}

/**
 * Plays a new run, or goes on with one, and prints what came of it.
 *
 * @param place told where the run is.
 * @throws Failure or Error that says what to do; none of them has a secret in it.
 */
export async function playRun(
  url: string | undefined,
  flags: RolloutFlags,
  signal: AbortSignal,
  place: RunFolderPlace,
): Promise<void> {
  const known = knownSecrets(secretsOf(flags, []));
  const hide = (text: string) => known.redactor.text(text);
  try {
    report(await play(url, flags, { signal, place, known, hide }), flags.json === true);
  } catch (error) {
    throw hideIn(error, hide);
  }
}

/** The secrets of a command, more of which are known once the model is. */
function knownSecrets(secrets: Readonly<Record<string, string>>) {
  return { secrets, redactor: createRedactor(secrets) };
}

interface Around {
  readonly signal: AbortSignal;
  readonly place: RunFolderPlace;
  readonly known: ReturnType<typeof knownSecrets>;
  readonly hide: (text: string) => string;
}

async function play(url: string | undefined, flags: RolloutFlags, around: Around): Promise<Played> {
  const { signal, place, known, hide } = around;
  // What an agent prints may not mix with the report.
  using _quiet = quietOutput();
  await using begun = flags.resume === undefined ? undefined : await openRunFolder(flags.resume);
  const settings = begun ? settingsAgain(begun, flags) : await settingsOf(flags);
  using display = displayRun(hide);
  using _strays = hearStrays(display.say);
  const agentSettings = begun ? agentAgain(settings, flags) : { ...settings.agent, ...baseUrlOf(flags) };
  const made = await makeAgent(agentSettings, display.patience);
  Object.assign(known, knownSecrets(secretsOf(flags, made.secrets)));
  for (const name of known.redactor.tooShort) display.say(tooShortWarning(name));
  const address = url ?? begun?.plan.url;
  if (address === undefined) throw new Failure('name the server: ors rollout http://127.0.0.1:8080 ...');
  await using server = await connect(address, flags, signal);
  await using folder = begun ?? (await createRunFolder(...(await planRun(server, flags, settings))));
  const { path, plan } = folder;
  place.path = path;
  const file = `${path}/traces.db`;
  const target = begun ? storeAgain(flags.traces, settings.traces, file) : storeOf(flags.traces, settings.traces);
  const onWait = (line: string, isWaiting: boolean) =>
    display.wait(line, isWaiting ? 'waits for the store of the traces' : undefined);
  await using store = await openRunStore(target, {
    ...{ folder: path, run: plan.run, secrets: known.secrets, signal, onWait },
  });
  const { concurrency, attempts, secret: secrets = {} } = flags;
  const end = await rollout({
    ...{ client: server.client, folder, agent: made.agent, secrets, concurrency, attempts, hide, signal },
    ...(store.traces && { traces: store.traces }),
    onProgress: display.show,
    onNotice: display.say,
  }).catch((error: unknown) => {
    throw error instanceof TraceError ? storeFailed(error, path) : error;
  });
  return { end, path, storePlace: store.place };
}

function settingsAgain({ plan, path }: RunFolder, flags: RolloutFlags): RunSettings {
  const settings = settingsIn(plan, path);
  checkResumed({ ...flags }, settings);
  return settings;
}

const storeFailed = (cause: TraceError, path: string): Failure => {
  const message = `the store of the traces: ${cause.message.replace(/[.;?]+$/, '')}`;
  return new Failure(`${message}; when that is mended, go on with: ${resumeLine(path)}`, { cause });
};

/** With all of its query, which is not written down. */
const baseUrlOf = ({ baseUrl }: RolloutFlags) => (baseUrl === undefined ? {} : { base_url: baseUrl });

function report({ end, path, storePlace }: Played, json: boolean): void {
  const { results, stopped } = end;
  const terminal = openTerminal();
  if (json) terminal.print(`${safeJson(results)}\n`);
  else {
    showResults(results, terminal);
    terminal.print(`\n${nextSteps(end, path, storePlace)}`);
  }
  if (stopped !== undefined) throw stopped;
  if (!results.complete) process.exitCode = results.episodes.ended === 0 ? NOTHING : INCOMPLETE;
}

import { basename, resolve } from 'node:path';
import { definedFields, hasScheme, isHttpUrl, isRecord, withoutCredentials } from '../../core/index.ts';
import type { RunPlan } from '../../rollout/index.ts';
import { CliError, readTextFile } from '../failure.ts';
import { parseServerUrl } from '../flag-parsers.ts';
import { IN_MEMORY } from '../traces/open-store.ts';
import type { RolloutAgentFlags, RolloutFlags } from './flags.ts';

/** Settings of a run that are stored with its plan. */
export interface RunSettings {
  readonly agent: AgentSettings;
  readonly traces: TraceTarget;
}

/** Settings of the agent, stored with the run so that it can be resumed. */
export interface AgentSettings {
  readonly model?: string;
  readonly agent?: string;
  readonly modules?: readonly string[];
  readonly base_url?: string;
  readonly key_variable?: string;
  readonly system?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly stream?: boolean;
}

/** @throws CliError if no agent is selected, or a URL contains a password. */
export const toRunSettings = async (flags: RolloutFlags): Promise<RunSettings> => ({
  agent: await agentOf(flags),
  traces: parseTraceTarget(flags.traces),
});

/** Reads the settings of a stored run. @throws Error if they are missing. */
export function readRunSettings({ settings }: RunPlan, folder: string): RunSettings {
  const { agent, traces } = settings;
  const isPlace = ['string', 'boolean', 'object'].includes(typeof traces);
  // Written by `toRunSettings`.
  if (isRecord(agent) && isPlace) return settings as unknown as RunSettings;
  throw new Error(
    `${folder}/run.json has no 'settings' of \`ors rollout\`; resume it with the program that started the run`,
  );
}

/** Returns the name of the agent in results and traces. */
export const agentName = ({ model, agent = '' }: AgentSettings): string =>
  model ?? basename(agent).replace(/\.[cm]?[jt]s$/, '');

async function agentOf(flags: RolloutAgentFlags): Promise<AgentSettings> {
  const { model, agent, module: modules, system } = flags;
  if (model === undefined && agent === undefined) {
    throw new CliError(
      'no agent selected; pass --model <provider>/<model>, --agent oracle --module <file>, --agent random, or --agent <file>',
    );
  }
  if (agent === 'oracle' && !modules) {
    throw new CliError("the oracle runs the environment's own 'solve'; pass its file with --module <file>");
  }
  return {
    ...definedFields({ model, agent, modules }),
    ...definedFields({
      base_url: flags.baseUrl === undefined ? undefined : redactBaseUrl(flags.baseUrl),
      key_variable: flags.keyVariable,
      system: await textOf(system),
    }),
    ...definedFields({ temperature: flags.temperature, top_p: flags.topP, max_output_tokens: flags.maxOutputTokens }),
    ...(flags.stream ? {} : { stream: false }),
  };
}

async function textOf(argument: string | undefined): Promise<string | undefined> {
  if (!argument?.startsWith('@')) return argument;
  return readTextFile(argument.slice(1), '--system');
}

/** Query parameters of a model URL that are not secrets; the values of all others are not stored. */
const PUBLIC_MODEL_PARAMETERS: readonly string[] = ['api-version'];
const HIDDEN = '...';

/** Returns the base URL of a model as it is stored and shown. @throws CliError if it contains a password. */
export function redactBaseUrl(requested: string): string {
  // The request reports an invalid URL.
  if (!URL.canParse(requested)) return requested;
  const url = new URL(requested);
  if (url.username || url.password) {
    const advice = 'put the key into an environment variable, and pass its name with --key-variable';
    throw new CliError(`the base URL of ${url.host} contains a user name or password; ${advice}`);
  }
  if (url.search === '') return requested;
  for (const name of new Set(url.searchParams.keys()))
    if (!PUBLIC_MODEL_PARAMETERS.includes(name.toLowerCase())) url.searchParams.set(name, HIDDEN);
  return url.href;
}

/** Returns the base URL of a resumed run: the stored or the requested one. @throws CliError if they differ. */
export function resolveResumedBaseUrl(requested: string | undefined, kept: string | undefined): string | undefined {
  if (requested !== undefined && (kept === undefined || redactBaseUrl(requested) !== redactBaseUrl(kept))) {
    throw new CliError('cannot change --base-url when resuming; omit it, or start a new run without --resume');
  }
  if (requested !== undefined || kept === undefined || !isIncomplete(kept)) return requested ?? kept;
  throw new CliError(
    `the base URL of this run, ${kept}, contains a secret that is not stored; pass it again with --base-url`,
  );
}

const isIncomplete = (kept: string): boolean =>
  URL.canParse(kept) && [...new URL(kept).searchParams.values()].includes(HIDDEN);

/**
 * Stored form of the trace store of a run: true for the file in its folder, false for none, a file or URL; or the redacted
 * form of a URL that contains a secret, which is not stored.
 */
export type TraceTarget = string | boolean | { readonly hidden: string };

/** Query parameters of a database URL that are not secrets. */
export const PUBLIC_DATABASE_PARAMETERS: readonly string[] = [
  'host port user dbname sslmode application_name connect_timeout options search_path',
  'client_encoding sslrootcert target_session_attrs keepalives',
].flatMap((names) => names.split(' '));

/** @throws CliError if the URL of a server contains a password or a query. */
export function parseTraceTarget(requested: string | boolean | undefined): TraceTarget {
  if (requested === undefined || requested === true || requested === false) return requested ?? true;
  if (isHttpUrl(requested)) {
    const address = parseServerUrl(requested);
    if (!/[?#]/.test(requested)) return address;
    const advice = 'pass its URL without them, and its key in ORS_TRACES_API_KEY';
    throw new CliError(`the URL of the store, ${withoutCredentials(requested)}, has a query or a fragment; ${advice}`);
  }
  if (hasScheme(requested)) return hasSecret(requested) ? { hidden: withoutCredentials(requested) } : requested;
  return requested === IN_MEMORY ? requested : resolve(requested);
}

/** A URL that cannot be parsed may contain a secret. */
function hasSecret(requested: string): boolean {
  if (!URL.canParse(requested)) return withoutCredentials(requested) !== requested;
  const { password, searchParams } = new URL(requested);
  return (
    password !== '' || [...searchParams.keys()].some((name) => !PUBLIC_DATABASE_PARAMETERS.includes(name.toLowerCase()))
  );
}

/** Returns the store of a new run. */
export const resolveStore = (requested: string | boolean | undefined, place: TraceTarget): string | boolean =>
  typeof place === 'object' ? (requested ?? true) : place;

/** Returns the store of a resumed run: the same one. @throws CliError if another one is passed, or it must be passed again. */
export function resolveResumedStore(
  requested: string | boolean | undefined,
  place: TraceTarget | null,
  file: string,
): string | boolean {
  // Older runs store null for a URL with a password.
  const shown = place === null ? 'which has a password' : typeof place === 'object' ? place.hidden : undefined;
  if (shown !== undefined) {
    if (typeof requested === 'string' && (place === null || withoutCredentials(requested) === shown)) return requested;
    const where =
      place === null ? `the store of this run, ${shown},` : `the store of this run, ${shown}, contains a secret that`;
    throw new CliError(`${where} is not stored; pass it again with --traces <store>`);
  }
  // Neither null nor hidden.
  const before = place as string | boolean;
  if (requested === undefined) return before;
  const now = parseTraceTarget(requested);
  if (now === before || (before === true && now === resolve(file))) return before;
  const where = before === false ? 'nowhere' : before === true ? `in ${file}` : `in ${withoutCredentials(before)}`;
  const flag = requested === false ? '--no-traces' : '--traces';
  throw new CliError(
    `cannot change ${flag} when resuming: this run is recorded ${where}; omit it, or start a new run without --resume`,
  );
}

import { basename } from 'node:path';
import { definedFields, isRecord } from '../../core/index.ts';
import type { RunPlan } from '../../rollout/index.ts';
import { CliError } from '../failure.ts';
import { readTextFile } from '../read-text-file.ts';
import { redactBaseUrl } from './base-url.ts';
import type { RolloutAgentFlags, RolloutFlags } from './flags.ts';
import { parseTraceTarget, type TraceTarget } from './run-place.ts';

/** What a run is made of besides its plan, written down with it. */
export interface RunSettings {
  readonly agent: AgentSettings;
  readonly traces: TraceTarget;
}

/** What makes an agent: written down with the run, so that it can be made again. */
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

/** @throws Failure where nobody plays, or an address has a password in it. */
export const toRunSettings = async (flags: RolloutFlags): Promise<RunSettings> => ({
  agent: await agentOf(flags),
  traces: parseTraceTarget(flags.traces),
});

/** As they are written down. @throws Error where they are not. */
export function readRunSettings({ settings }: RunPlan, folder: string): RunSettings {
  const { agent, traces } = settings;
  const isPlace = ['string', 'boolean', 'object'].includes(typeof traces);
  // They were written by settingsOf.
  if (isRecord(agent) && isPlace) return settings as unknown as RunSettings;
  throw new Error(
    `${folder}/run.json has no 'settings' that \`ors rollout\` has written; go on with the program that began the run`,
  );
}

/** What it is called in results and traces. */
export const agentName = ({ model, agent = '' }: AgentSettings): string =>
  model ?? basename(agent).replace(/\.[cm]?[jt]s$/, '');

async function agentOf(flags: RolloutAgentFlags): Promise<AgentSettings> {
  const { model, agent, module: modules, system } = flags;
  if (model === undefined && agent === undefined) {
    throw new CliError(
      'say who plays: --model <provider>/<model>, --agent oracle --module <file>, --agent random, or --agent <file>',
    );
  }
  if (agent === 'oracle' && !modules) {
    throw new CliError("the oracle plays by the environment's own 'solve'; name its file by --module <file>");
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

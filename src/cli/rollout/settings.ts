import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RunPlan } from '../../rollout/index.ts';
import { Failure } from '../failure.ts';
import type { AgentFlags, RolloutFlags } from './flags.ts';

/** What a run is made of besides its plan, written down with it. */
export interface RunSettings {
  readonly agent: AgentSettings;
  /** True for the file in the folder, false for none; null where it has a password in it, which is kept nowhere. */
  readonly traces: string | boolean | null;
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

/** @throws Failure where nobody plays. */
export const settingsOf = async (flags: RolloutFlags): Promise<RunSettings> => ({
  agent: await agentOf(flags),
  traces: hasPassword(flags.traces) ? null : (flags.traces ?? true),
});

// They were written by settingsOf.
export const settingsIn = ({ settings }: RunPlan): RunSettings => settings as unknown as RunSettings;

/** Which store is recorded into; a flag goes before what was written down. @throws Failure where neither says it. */
export function storeOf({ traces: given }: Pick<RolloutFlags, 'traces'>, { traces }: RunSettings): string | boolean {
  if (typeof given === 'string') return given;
  if (traces === null) throw new Failure('the store of this run has a password; name it again by --traces <store>');
  return traces;
}

const hasPassword = (target: RolloutFlags['traces']): boolean =>
  typeof target === 'string' && URL.canParse(target) && new URL(target).password !== '';

/** What it is called in results and traces. */
export const nameOf = ({ model, agent = '' }: AgentSettings): string =>
  model ?? basename(agent).replace(/\.[cm]?[jt]s$/, '');

async function agentOf(flags: AgentFlags): Promise<AgentSettings> {
  const { model, agent, module: modules, system } = flags;
  if (model === undefined && agent === undefined) {
    throw new Failure(
      'say who plays: --model <provider>/<model>, --agent oracle --module <file>, --agent random, or --agent <file>',
    );
  }
  if (agent === 'oracle' && !modules) {
    throw new Failure("the oracle plays by the environment's own 'solve'; name its file by --module <file>");
  }
  return {
    ...defined({ model, agent, modules }),
    ...defined({ base_url: flags.baseUrl, key_variable: flags.keyVariable, system: await textOf(system) }),
    ...defined({ temperature: flags.temperature, top_p: flags.topP, max_output_tokens: flags.maxOutputTokens }),
    ...(flags.stream ? {} : { stream: false }),
  };
}

async function textOf(argument: string | undefined): Promise<string | undefined> {
  if (!argument?.startsWith('@')) return argument;
  return readFile(argument.slice(1), 'utf8').catch((error: Error) => {
    throw new Failure(`--system ${argument} cannot be read: ${error.message}`);
  });
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

export const defined = <T extends object>(values: T): Defined<T> =>
  // Only what is undefined is left out.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;

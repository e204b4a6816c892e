import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { definedFields } from '../../core/index.ts';
import {
  type Agent,
  idleAgent,
  loadAgent,
  loadModel,
  type ModelAgentOptions,
  modelAgent,
  oracleAgent,
  randomAgent,
} from '../../rollout/index.ts';
import { CliError, unknownName } from '../failure.ts';
import type { AgentSettings } from './settings.ts';

/** An agent and its secrets, such as API keys. */
interface LoadedAgent {
  readonly agent: Agent;
  readonly secrets: readonly string[];
}

const BUILT_IN = ['oracle', 'random', 'idle'] as const;

/** @throws AgentError or Error with a remedy. */
export async function createAgent(settings: AgentSettings, onWait: ModelAgentOptions['onWait']): Promise<LoadedAgent> {
  const { model, agent = '', modules = [] } = settings;
  if (model !== undefined) return createModelAgent(model, settings, onWait);
  return { agent: await createScriptedAgent(agent, modules), secrets: [] };
}

async function createScriptedAgent(agent: string, modules: readonly string[]): Promise<Agent> {
  if (agent === 'random') return randomAgent();
  if (agent === 'idle') return idleAgent();
  if (agent === 'oracle') {
    const { importEnvironments } = await import('../../hosting/index.ts');
    const loaded = await Promise.all(modules.map((file) => importEnvironments(pathToFileURL(resolve(file)).href)));
    return oracleAgent(loaded.flat());
  }
  if (/^[\w-]*$/.test(agent) && !existsSync(agent)) {
    throw new CliError(`${unknownName('agent', agent, BUILT_IN)} Or pass a file, such as ./agent.ts`);
  }
  return loadAgent(agent);
}

async function createModelAgent(
  name: string,
  settings: AgentSettings,
  onWait: ModelAgentOptions['onWait'],
): Promise<LoadedAgent> {
  const { base_url: baseUrl, key_variable: apiKeyEnv, system, temperature, stream: streaming } = settings;
  const model = await loadModel(name, definedFields({ baseUrl, apiKeyEnv }));
  const { top_p: topP, max_output_tokens: maxOutputTokens } = settings;
  const options: Omit<ModelAgentOptions, 'model'> = definedFields({
    system,
    streaming,
    temperature,
    topP,
    maxOutputTokens,
  });
  return { agent: modelAgent({ model, ...options, ...definedFields({ onWait }) }), secrets: model.secrets ?? [] };
}

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
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
import { type AgentSettings, defined } from './settings.ts';

/** @throws AgentError or Error that says what is missing. */
export async function makeAgent(settings: AgentSettings): Promise<Agent> {
  const { model, agent = '', modules = [] } = settings;
  if (model !== undefined) return makeModelAgent(model, settings);
  if (agent === 'random') return randomAgent();
  if (agent === 'idle') return idleAgent();
  if (agent === 'oracle') {
    const { importEnvironments } = await import('../../hosting/index.ts');
    const loaded = await Promise.all(modules.map((file) => importEnvironments(pathToFileURL(resolve(file)).href)));
    return oracleAgent(loaded.flat());
  }
  return loadAgent(agent);
}

async function makeModelAgent(name: string, settings: AgentSettings): Promise<Agent> {
  const { base_url: baseUrl, key_variable: apiKeyEnv, system, temperature, stream: streaming } = settings;
  const model = await loadModel(name, defined({ baseUrl, apiKeyEnv }));
  const { top_p: topP, max_output_tokens: maxOutputTokens } = settings;
  const options: Omit<ModelAgentOptions, 'model'> = defined({ system, streaming, temperature, topP, maxOutputTokens });
  return modelAgent({ model, ...options });
}

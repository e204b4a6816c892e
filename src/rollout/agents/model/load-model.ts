import { joinWords } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';
import { type CreateProvider, importProvider } from './import-provider.ts';
import { type LanguageModel, type ModelAdvice, type ProviderModel, toProviderModel } from './language-model.ts';
import { createFetchWithoutTimeout } from './patient-fetch.ts';
import { findServedModel, parseBaseUrl } from './served-model.ts';

export interface LoadModelOptions {
  /** Of a server with the interface of OpenAI's chat completions. Default: the provider's own. */
  readonly baseUrl?: string;
  /** The variable of the environment that holds the key. Default: the provider's own, and none with a base URL. */
  readonly apiKeyEnv?: string;
}

/** The variables of those whom most use, so that a missing key is told before the first episode. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY'],
};

/**
 * Loads a model by its name, `<provider>/<model>`: `openai/gpt-5` by the package `@ai-sdk/openai`, and so on for every
 * provider of the AI SDK. With a base URL it is a model of that server, such as vLLM, SGLang or Ollama, by
 * `@ai-sdk/openai-compatible`: `Qwen/Qwen3-8B`, or `openai-compatible/<name>`. The server is asked for its models then.
 * `OPENAI_BASE_URL` is such a base URL for `openai/...`.
 *
 * @throws AgentError that says what to do: a name that is none, a package that is missing, a key that is not set, a
 * server that does not answer.
 */
export async function loadModel(name: string, options: LoadModelOptions = {}): Promise<LanguageModel> {
  const [provider = '', modelId = ''] = name.split(/\/(.*)/s);
  const ownUrl = provider === 'openai' ? process.env.OPENAI_BASE_URL : undefined;
  const baseUrl = options.baseUrl ?? (ownUrl || undefined);
  if (baseUrl !== undefined) {
    const isOwn = options.baseUrl === undefined;
    const apiKeyEnv = options.apiKeyEnv ?? (isOwn && process.env.OPENAI_API_KEY ? 'OPENAI_API_KEY' : undefined);
    return loadServed(name, baseUrl, apiKeyEnv);
  }
  if (!/^[a-z0-9][a-z0-9-]*$/.test(provider) || modelId === '') {
    throw refused(`${JSON.stringify(name)} names no model; write <provider>/<model>, such as openai/gpt-5`);
  }
  if (provider === 'openai-compatible') {
    throw refused(`the model ${name} needs the base URL of its server, such as http://127.0.0.1:8000/v1`);
  }
  const create = await importProvider(provider);
  const apiKey = readKey(options.apiKeyEnv, KEYS[provider] ?? []);
  const own = options.apiKeyEnv ?? KEYS[provider]?.[0];
  const secrets = [apiKey.apiKey ?? '', ...keysOf(provider)];
  return modelOf(
    create,
    { settings: { ...apiKey }, modelId, secrets },
    {
      key: own === undefined ? 'check the key of the provider' : `check the key in ${own}`,
      model: 'check the name of the model, which follows the first slash',
    },
  );
}

async function loadServed(name: string, given: string, apiKeyEnv: string | undefined): Promise<LanguageModel> {
  if (name === '') throw refused('the name of the model is empty; give the one that the server has it under');
  const create = await importProvider('openai-compatible');
  const apiKey = readKey(apiKeyEnv, []);
  const { query, url } = parseBaseUrl(given);
  const { baseUrl, modelId, listedModels } = await findServedModel(name, { url, query }, apiKey.apiKey);
  const queryParams = Object.fromEntries(query);
  const settings = { name: 'openai-compatible', baseURL: baseUrl, includeUsage: true, queryParams, ...apiKey };
  const secrets = [apiKey.apiKey ?? '', ...[...query].flatMap(([key, value]) => (key === 'api-version' ? [] : value))];
  const known = listedModels.length === 0 ? '' : `; the server has: ${listedModels.slice(0, 20).join(', ')}`;
  return modelOf(
    create,
    { settings, modelId, secrets },
    {
      key: apiKeyEnv === undefined ? 'name the variable that holds its key' : `check the key in ${apiKeyEnv}`,
      model: `check the base URL ${baseUrl}, and the name of the model${known}`,
    },
  );
}

interface ServedModelSettings {
  readonly settings: object;
  readonly modelId: string;
  readonly secrets: readonly string[];
}

function modelOf(
  create: CreateProvider,
  { settings, modelId, secrets }: ServedModelSettings,
  advice: ModelAdvice,
): LanguageModel {
  const model = toProviderModel(create({ ...settings, fetch: createFetchWithoutTimeout() }).languageModel(modelId));
  const { specificationVersion, provider } = model;
  return {
    ...{ specificationVersion, provider, modelId, advice, secrets: secrets.filter((secret) => secret !== '') },
    doGenerate: (request) => model.doGenerate(request),
    doStream: (request) => model.doStream(request),
  } satisfies ProviderModel;
}

/** The key that is asked for, or none where the package reads its own. @throws AgentError where it is not set. */
function readKey(named: string | undefined, own: readonly string[]): { readonly apiKey?: string } {
  if (named === undefined) {
    if (own.length === 0 || own.some((variable) => process.env[variable])) return {};
    throw refused(
      `there is no key for the model: set ${joinWords(own, { conjunction: 'or' })}, or name the variable that holds it`,
    );
  }
  const apiKey = process.env[named];
  if (!apiKey) throw refused(`the variable ${named}, which should hold the key of the model, is not set`);
  return { apiKey };
}

/** What a provider's package may take for its key. */
const keysOf = (provider: string): string[] => {
  const prefix = provider.replaceAll('-', '_').toUpperCase();
  const isKey = (name: string) =>
    KEYS[provider]?.includes(name) || (name.startsWith(`${prefix}_`) && /(KEY|TOKEN|SECRET)$/.test(name));
  return Object.entries(process.env).flatMap(([name, value]) => (value && isKey(name) ? [value] : []));
};

const refused = (message: string): AgentError => new AgentError(message, { retryable: false });

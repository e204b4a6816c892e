import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { isMissingPackage, joinWords, urlSecrets } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';
import { type LanguageModel, type ProviderModel, toProviderModel } from './language-model.ts';
import { findServedModel, parseBaseUrl } from './served-model.ts';

/**
 * Options of `loadModel`.
 *
 * @example
 * const options: LoadModelOptions = { baseUrl: 'http://127.0.0.1:8000/v1', apiKeyEnv: 'VLLM_API_KEY' };
 */
export interface LoadModelOptions {
  /** Base URL of an OpenAI-compatible server (vLLM, SGLang, ...). @default that of the provider */
  readonly baseUrl?: string;
  /** Environment variable with the API key. @default that of the provider, and none with `baseUrl` */
  readonly apiKeyEnv?: string;
  /** Names of the other options in messages, such as the flags of a command. @default the names here */
  readonly optionNames?: ModelOptionNames;
}

/** Names of options in messages. */
interface ModelOptionNames {
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
}

const OPTION_NAMES: ModelOptionNames = { baseUrl: 'baseUrl', apiKeyEnv: 'apiKeyEnv' };

/** API key variables of common providers, so that a missing key is reported before the first episode. */
const API_KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  google: ['GOOGLE_GENERATIVE_AI_API_KEY'],
};

/**
 * Loads a model by its name `<provider>/<model>`: `openai/gpt-5` with the package `@ai-sdk/openai`, and accordingly for
 * every provider of the AI SDK. With a base URL, loads a model of that server (vLLM, SGLang, Ollama, ...) with
 * `@ai-sdk/openai-compatible`: `Qwen/Qwen3-8B` or `openai-compatible/<name>`; the name is looked up in the server's list of
 * models. `OPENAI_BASE_URL` is the base URL of `openai/...`.
 *
 * @throws AgentError for an invalid name, a missing package, a missing API key, or an unreachable server.
 * @example
 * const model = await loadModel('Qwen/Qwen3-8B', { baseUrl: 'http://127.0.0.1:8000/v1' });
 */
export async function loadModel(name: string, options: LoadModelOptions = {}): Promise<LanguageModel> {
  const { optionNames: names = OPTION_NAMES } = options;
  const [provider = '', modelId = ''] = name.split(/\/(.*)/s);
  const openaiUrl = provider === 'openai' ? process.env.OPENAI_BASE_URL : undefined;
  const baseUrl = options.baseUrl ?? (openaiUrl || undefined);
  if (baseUrl !== undefined) {
    const usesOpenaiKey = options.baseUrl === undefined && process.env.OPENAI_API_KEY;
    const apiKeyEnv = options.apiKeyEnv ?? (usesOpenaiKey ? 'OPENAI_API_KEY' : undefined);
    return loadServedModel(name, baseUrl, apiKeyEnv, names);
  }
  if (!/^[a-z0-9][a-z0-9-]*$/.test(provider) || modelId === '') {
    throw new AgentError(
      `invalid model name: expected <provider>/<model>, such as openai/gpt-5, got ${JSON.stringify(name)}`,
    );
  }
  if (provider === 'openai-compatible') {
    throw new AgentError(
      `the model ${name} needs the base URL of its server; pass it with ${names.baseUrl}, such as http://127.0.0.1:8000/v1`,
    );
  }
  const create = await importProvider(provider, names);
  const apiKey = readApiKey(options.apiKeyEnv, API_KEY_VARIABLES[provider] ?? [], names);
  const variable = options.apiKeyEnv ?? API_KEY_VARIABLES[provider]?.[0];
  return createModel(create, apiKey, {
    modelId,
    secrets: [apiKey.apiKey ?? '', ...apiKeysOf(provider)],
    advice: {
      key: variable === undefined ? 'check the API key of the provider' : `check the API key in ${variable}`,
      model: 'check the model name, which is the part after the first slash',
    },
  });
}

async function loadServedModel(
  name: string,
  url: string,
  apiKeyEnv: string | undefined,
  names: ModelOptionNames,
): Promise<LanguageModel> {
  if (name === '') throw new AgentError('the model name is empty; pass the name that the server lists');
  const create = await importProvider('openai-compatible', names);
  const apiKey = readApiKey(apiKeyEnv, [], names);
  const given = parseBaseUrl(url, names.baseUrl);
  const { baseUrl, modelId, listedModels } = await findServedModel(name, given, apiKey.apiKey);
  const known = listedModels.length === 0 ? '' : `; the server has: ${listedModels.slice(0, 20).join(', ')}`;
  const queryParams = Object.fromEntries(given.query);
  const settings = { name: 'openai-compatible', baseURL: baseUrl, includeUsage: true, queryParams, ...apiKey };
  return createModel(create, settings, {
    modelId,
    secrets: [apiKey.apiKey ?? '', ...urlSecrets(url, ['api-version'])],
    advice: {
      key:
        apiKeyEnv === undefined
          ? `name the variable that contains its API key with ${names.apiKeyEnv}`
          : `check the API key in ${apiKeyEnv}`,
      model: `check the base URL ${baseUrl} and the model name${known}`,
    },
  });
}

function createModel(
  create: CreateProvider,
  settings: object,
  { modelId, secrets, advice }: Required<Pick<LanguageModel, 'modelId' | 'secrets' | 'advice'>>,
): LanguageModel {
  const model = toProviderModel(create({ ...settings, fetch: createFetchWithoutTimeout() }).languageModel(modelId));
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId,
    advice,
    secrets: secrets.filter((secret) => secret !== ''),
    doGenerate: (request) => model.doGenerate(request),
    doStream: (request) => model.doStream(request),
  } satisfies ProviderModel;
}

/**
 * Returns the key in the named variable, or none if the provider's package reads its own variable.
 *
 * @throws AgentError if the variable is not set.
 */
function readApiKey(
  named: string | undefined,
  own: readonly string[],
  names: ModelOptionNames,
): { readonly apiKey?: string } {
  if (named === undefined) {
    if (own.length === 0 || own.some((variable) => process.env[variable])) return {};
    const variables = joinWords(own, { conjunction: 'or' });
    const other = `name the variable that contains it with ${names.apiKeyEnv}`;
    throw new AgentError(`no API key for the model: set ${variables}, or ${other}`);
  }
  const apiKey = process.env[named];
  if (apiKey) return { apiKey };
  throw new AgentError(
    `${names.apiKeyEnv}: the variable ${named}, which should contain the API key of the model, is not set; export it`,
  );
}

/** Returns the values of all variables that the provider's package may use as its key. */
function apiKeysOf(provider: string): string[] {
  const prefix = provider.replaceAll('-', '_').toUpperCase();
  const isKey = (name: string) =>
    API_KEY_VARIABLES[provider]?.includes(name) || (name.startsWith(`${prefix}_`) && /(KEY|TOKEN|SECRET)$/.test(name));
  return Object.entries(process.env).flatMap(([name, value]) => (value && isKey(name) ? [value] : []));
}

/** Function of the AI SDK that creates a provider. */
type CreateProvider = (options: object) => { languageModel(modelId: string): LanguageModel };

/**
 * Imports the function of `@ai-sdk/<name>` that creates its provider, such as `createOpenAI`.
 *
 * @throws AgentError that names the package to install.
 */
async function importProvider(name: string, names: ModelOptionNames): Promise<CreateProvider> {
  const packageName = `@ai-sdk/${name}`;
  const exports = await importPackage(packageName, names);
  const expected = `create${name.replaceAll('-', '')}`.toLowerCase();
  const functions = Object.keys(exports).filter((key) => /^create[A-Z]/.test(key));
  const found = functions.find((key) => key.toLowerCase() === expected) ?? functions[0];
  const create = found === undefined ? undefined : exports[found];
  if (typeof create === 'function') return create as CreateProvider;
  throw new AgentError(`the package ${packageName} exports no function that creates a provider, such as createOpenAI`);
}

/** Imports a package installed next to this one, or in the working directory. */
async function importPackage(packageName: string, names: ModelOptionNames): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(packageName);
  } catch (cause) {
    if (!isMissingPackage(cause, packageName)) throw cause;
    const path = resolveFromWorkingDirectory(packageName);
    if (path !== undefined) return await import(pathToFileURL(path).href);
    const isServer = packageName.endsWith('/openai-compatible');
    const server = 'the base URL of an OpenAI-compatible server (vLLM, SGLang, ...)';
    const other = isServer ? '' : `; or pass ${server} with ${names.baseUrl}`;
    throw new AgentError(
      `this model needs the package ${packageName}; install it with: npm install ${packageName}${other}`,
      { cause },
    );
  }
}

function resolveFromWorkingDirectory(packageName: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'here.js')).resolve(packageName);
  } catch {
    return undefined;
  }
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Creates a fetch without timeouts, which uses the proxy of the environment. The platform's fetch aborts after 300 s
 * without data, but a busy model server may queue a request for longer.
 */
function createFetchWithoutTimeout(): typeof globalThis.fetch {
  const noProxy = [process.env.no_proxy ?? process.env.NO_PROXY, ...LOCAL_HOSTS].filter(Boolean).join(',');
  const dispatcher = new EnvHttpProxyAgent({ headersTimeout: 0, bodyTimeout: 0, noProxy });
  const fetchWithoutTimeout = (url: string, init: object = {}) => fetch(url, { ...init, dispatcher });
  // The types of undici differ from those of the platform in name only; the AI SDK passes a URL and plain options.
  return fetchWithoutTimeout as unknown as typeof globalThis.fetch;
}

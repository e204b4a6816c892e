import { errorName, failureReason, isRecord, withoutCredentials, withoutTrailingSlashes } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';

/** Where a server is, and what the model is called there. */
export interface ServedModel {
  readonly baseUrl: string;
  readonly modelId: string;
  /** All models that the server lists; empty where it lists none. */
  readonly listedModels: readonly string[];
}

const LIST_TIMEOUT_MS = 30_000;
/** The parts of a name that say which interface a server has, and are no part of the model's. */
const INTERFACES: readonly string[] = ['openai-compatible', 'openai', 'vllm', 'sglang'];

/**
 * Finds the model in the list of an OpenAI-compatible server: `Qwen/Qwen3-8B` may be its whole name, or `Qwen3-8B` of a
 * provider `Qwen`.
 *
 * @throws AgentError where nothing answers, or the base URL is none.
 */
export async function findServedModel(name: string, given: BaseUrl, key: string | undefined): Promise<ServedModel> {
  const slash = name.indexOf('/');
  const [prefix, rest] = slash > 0 ? [name.slice(0, slash), name.slice(slash + 1)] : ['', name];
  const baseUrls = baseUrlsOf(given.url);
  for (const baseUrl of baseUrls) {
    const listed = await listModels(baseUrl, given.query, key);
    if (!listed) continue;
    const found = [name, rest].find((candidate) => listed.includes(candidate));
    return { baseUrl, modelId: found ?? (INTERFACES.includes(prefix) ? rest : name), listedModels: listed };
  }
  const [baseUrl = given.url.href] = baseUrls;
  return { baseUrl, modelId: INTERFACES.includes(prefix) ? rest : name, listedModels: [] };
}

/** A base URL and its query, which goes with every request. */
export interface BaseUrl {
  readonly url: URL;
  readonly query: URLSearchParams;
}

/** @throws AgentError where it is no URL of HTTP, or has a password in it. */
export function parseBaseUrl(given: string): BaseUrl {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const message = `the base URL ${JSON.stringify(withoutCredentials(given))} is none; give one such as http://127.0.0.1:8000/v1`;
    throw new AgentError(message, { retryable: false });
  }
  if (url.username || url.password) {
    const advice = 'put the key into a variable, and name that';
    throw new AgentError(`the base URL of ${url.host} has a name or password in it; ${advice}`, { retryable: false });
  }
  const query = new URLSearchParams(url.search);
  url.search = '';
  url.hash = '';
  return { url, query };
}

/** A URL without a path most often lacks the `/v1` of this interface. */
function baseUrlsOf(url: URL): string[] {
  const whole = withoutTrailingSlashes(url.href).replace(/\/chat\/completions$/, '');
  return url.pathname === '/' ? [`${url.origin}/v1`, url.origin] : [whole];
}

/** The names of the server's models; undefined where it does not list them. */
async function listModels(
  baseUrl: string,
  query: URLSearchParams,
  key: string | undefined,
): Promise<readonly string[] | undefined> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  try {
    const search = query.size === 0 ? '' : `?${query}`;
    const response = await fetch(`${baseUrl}/models${search}`, {
      headers,
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    });
    const body: unknown = response.ok ? await response.json() : await response.body?.cancel();
    if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
    return body.data
      .map((model: unknown) => (isRecord(model) ? model.id : undefined))
      .filter((id) => typeof id === 'string');
  } catch (cause) {
    // It answers, but not with a list; or late.
    if (errorName(cause) !== 'TypeError') return undefined;
    throw new AgentError(
      `nothing answers at ${baseUrl} (${failureReason(cause)}); start the server of the model, or correct the base URL`,
      { retryable: true, cause },
    );
  }
}

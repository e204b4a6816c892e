import { errorName, failureReason, isRecord, withoutCredentials, withoutTrailingSlashes } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';

/** URL of a server, and the name of a model on it. */
export interface ServedModel {
  readonly baseUrl: string;
  readonly modelId: string;
  /** Names of all models that the server lists; empty if it has no list. */
  readonly listedModels: readonly string[];
}

const LIST_TIMEOUT_MS = 30_000;
/** Prefixes that name the interface of the server and do not belong to the model name. */
const INTERFACE_PREFIXES: readonly string[] = ['openai-compatible', 'openai', 'vllm', 'sglang'];

/**
 * Finds the model in the list of an OpenAI-compatible server, by the whole name (`Qwen/Qwen3-8B`) or by the part after the
 * first slash (`Qwen3-8B`).
 *
 * @throws AgentError if the server cannot be reached.
 */
export async function findServedModel(name: string, given: BaseUrl, key: string | undefined): Promise<ServedModel> {
  const slash = name.indexOf('/');
  const prefix = slash > 0 ? name.slice(0, slash) : '';
  const rest = slash > 0 ? name.slice(slash + 1) : name;
  const fallback = INTERFACE_PREFIXES.includes(prefix) ? rest : name;
  const baseUrls = candidateUrls(given.url);
  for (const baseUrl of baseUrls) {
    const listed = await listModels(baseUrl, given.query, key);
    if (!listed) continue;
    const found = [name, rest].find((candidate) => listed.includes(candidate));
    return { baseUrl, modelId: found ?? fallback, listedModels: listed };
  }
  const [baseUrl = given.url.href] = baseUrls;
  return { baseUrl, modelId: fallback, listedModels: [] };
}

/** Base URL, and its query, which is sent with every request. */
export interface BaseUrl {
  readonly url: URL;
  readonly query: URLSearchParams;
}

/**
 * Parses a base URL.
 *
 * @throws AgentError if it is not an HTTP URL, or contains credentials.
 */
export function parseBaseUrl(given: string): BaseUrl {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const message = `invalid base URL: expected one such as http://127.0.0.1:8000/v1, got`;
    throw new AgentError(`${message} ${JSON.stringify(withoutCredentials(given))}`, { retryable: false });
  }
  if (url.username || url.password) {
    const advice = 'put the key into an environment variable, and pass its name';
    throw new AgentError(`the base URL of ${url.host} contains credentials; ${advice}`, { retryable: false });
  }
  const query = new URLSearchParams(url.search);
  url.search = '';
  url.hash = '';
  return { url, query };
}

/** Returns the URLs to try: a URL without a path usually lacks `/v1`. */
function candidateUrls(url: URL): string[] {
  const whole = withoutTrailingSlashes(url.href).replace(/\/chat\/completions$/, '');
  return url.pathname === '/' ? [`${url.origin}/v1`, url.origin] : [whole];
}

/** Returns the names of the server's models; undefined if it has no list. */
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
    // The response is not JSON, or timed out: the server exists.
    if (errorName(cause) !== 'TypeError') return undefined;
    throw new AgentError(
      `cannot connect to ${baseUrl} (${failureReason(cause)}); start the model server, or correct the base URL`,
      { retryable: true, cause },
    );
  }
}

import { errorName, failureReason, isRecord, withoutCredentials, withoutTrailingSlashes } from '../../../core/index.ts';
import { AgentError } from '../../agent.ts';

const LIST_TIMEOUT_MS = 30_000;
/** Prefixes that name the interface of the server and do not belong to the model name. */
const INTERFACE_PREFIXES: readonly string[] = ['openai-compatible', 'openai', 'vllm', 'sglang'];

/**
 * Finds the model in the list of an OpenAI-compatible server, by the whole name (`Qwen/Qwen3-8B`) or by the part after the
 * first slash (`Qwen3-8B`).
 *
 * @returns the URL of the server, the name of the model on it, and the names of all listed models; none without a list.
 * @throws AgentError if the server cannot be reached.
 */
export async function findServedModel(name: string, given: BaseUrl, key: string | undefined) {
  const slash = name.indexOf('/');
  const prefix = slash > 0 ? name.slice(0, slash) : '';
  const rest = slash > 0 ? name.slice(slash + 1) : name;
  const fallback = INTERFACE_PREFIXES.includes(prefix) ? rest : name;
  const baseUrls = candidateUrls(given.url);
  for (const baseUrl of baseUrls) {
    const listedModels = await listModels(baseUrl, given, key);
    if (!listedModels) continue;
    const found = [name, rest].find((candidate) => listedModels.includes(candidate));
    return { baseUrl, modelId: found ?? fallback, listedModels };
  }
  const [baseUrl = given.url.href] = baseUrls;
  return { baseUrl, modelId: fallback, listedModels: [] };
}

type BaseUrl = ReturnType<typeof parseBaseUrl>;

/**
 * Parses a base URL, and its query, which is sent with every request.
 *
 * @param option name of the option in messages.
 * @throws AgentError if it is not an HTTP URL, or contains credentials.
 */
export function parseBaseUrl(given: string, option: string) {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    const message = 'invalid base URL: expected one such as http://127.0.0.1:8000/v1, got';
    throw new AgentError(`${option}: ${message} ${JSON.stringify(withoutCredentials(given))}`);
  }
  if (url.username || url.password) {
    const advice = 'put the key into an environment variable, and pass its name';
    throw new AgentError(`the base URL of ${url.host} contains credentials; ${advice}`);
  }
  const query = new URLSearchParams(url.search);
  url.search = '';
  url.hash = '';
  return { url, query, option };
}

/** Returns the URLs to try: a URL without a path usually lacks `/v1`. */
function candidateUrls(url: URL): string[] {
  const whole = withoutTrailingSlashes(url.href).replace(/\/chat\/completions$/, '');
  return url.pathname === '/' ? [`${url.origin}/v1`, url.origin] : [whole];
}

/** Returns the names of the server's models; undefined if it has no list. */
async function listModels(
  baseUrl: string,
  { query, option }: Pick<BaseUrl, 'query' | 'option'>,
  key: string | undefined,
): Promise<readonly string[] | undefined> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const search = query.size === 0 ? '' : `?${query}`;
  try {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const response = await fetch(`${baseUrl}/models${search}`, { headers, signal });
    const body: unknown = response.ok ? await response.json() : await response.body?.cancel();
    if (!isRecord(body) || !Array.isArray(body.data)) return undefined;
    return body.data
      .map((model: unknown) => (isRecord(model) ? model.id : undefined))
      .filter((id) => typeof id === 'string');
  } catch (cause) {
    // The response is not JSON, or timed out: the server exists.
    if (errorName(cause) !== 'TypeError') return undefined;
    throw new AgentError(
      `cannot connect to ${baseUrl} (${failureReason(cause)}); start the model server, or correct ${option}`,
      { retryable: true, cause },
    );
  }
}

import { fieldsOf, isRecord, type JoinedSignal, jsonProblem, truncate, tryParseJson } from '../core/index.ts';
import { type JSONObject, toBase64 } from '../protocol/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { OrsHttpError, OrsProtocolError } from './errors.ts';
import type { HttpClient, SignalOption } from './http.ts';
import type { AbortSignals } from './retry.ts';
import {
  ConnectionFailure,
  endsInTime,
  isEventStream,
  readResponseBytes,
  readResponseText,
  type TransportResponse,
} from './transport.ts';
/**
 * Task of an episode: the task itself, or its position in a split. Source: HTTP API, "POST /create".
 *
 * @example
 * const selector: TaskSelector = { split: 'train', index: 0 };
 * const session = await client.environment('maze').session(selector);
 */
export type TaskSelector = { readonly task: JSONObject } | { readonly split: string; readonly index: number };

/**
 * Options of `environment.session`.
 *
 * @example
 * await client.environment('maze').session({ split: 'train', index: 0 }, { secrets: { API_KEY: key } });
 */
export interface OpenSessionOptions extends SignalOption {
  /** Passed to the `setup` of the environment. @default none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Name of a toolset of the environment, whose tools are added to those of the episode. @default none */
  readonly toolset?: string;
}

/** Session ids travel in a header. */
const VALID_SID = /^[\x21-\x7e]{1,1024}$/;

/**
 * Creates a session id, on servers that respond with JSON and on those that respond with events.
 *
 * @throws OrsProtocolError if the response has no id, or one that is not valid in a header.
 */
export async function createSession(http: HttpClient, signals: AbortSignals): Promise<string> {
  const url = `${http.baseUrl}/create_session`;
  const sid = await http.withRetries('createSession', { signals }, {}, async (joined) => {
    const response = await http.send('createSession', 'application/json', { signal: joined.signal });
    const header = response.header('X-Session-ID');
    if (!isEventStream(response)) return sidOfJson(await readResponseText(url, response)) ?? header;
    return (await sidOfEvents(url, response, joined)) ?? header;
  });
  if (sid !== undefined && VALID_SID.test(sid)) return sid;
  const found = sid === undefined ? 'no session id' : `the session id ${JSON.stringify(truncate(sid, 80))}`;
  throw new OrsProtocolError(`${url} returned ${found}; is there an ORS server?`);
}

/** Finds the id in the `task_id` event or in the JSON of `end`; servers send one or both. */
async function sidOfEvents(url: string, response: TransportResponse, joined: JoinedSignal) {
  const events = decodeEvents(readResponseBytes(url, response), { incomplete: 'emit' });
  let sid: string | undefined;
  for (;;) {
    const { done, value } = await events.next();
    if (done && sid === undefined) throw new ConnectionFailure(`the stream of ${url} ended before the session id`);
    if (done) return sid;
    if (value.event === 'error') throw new OrsProtocolError(`the server created no session id: ${value.data}`);
    if (value.event === 'task_id') sid ??= value.data;
    if (value.event !== 'end') continue;
    if (!(await endsInTime(events.next()))) joined.abort('the response is complete');
    return sidOfJson(value.data) ?? sid;
  }
}

function sidOfJson(text: string): string | undefined {
  const { sid } = fieldsOf(tryParseJson(text));
  return typeof sid === 'string' ? sid : undefined;
}

/** Placement of secrets, shared by the sessions of a client: in the header after a server rejected them in the body. */
export interface SecretsPlacement {
  inHeader: boolean;
}

/**
 * Creates the episode of a session. After a failed connection, "already exists" counts as success: an earlier attempt
 * created the episode.
 *
 * @throws OrsHttpError; OrsConnectionError; the signal's reason.
 */
export async function createEpisode(
  http: HttpClient,
  placement: SecretsPlacement,
  sid: string,
  environment: string,
  selector: TaskSelector,
  { secrets = {}, toolset }: Pick<OpenSessionOptions, 'secrets' | 'toolset'>,
  signals: AbortSignals,
): Promise<void> {
  const task = 'split' in selector ? { split: selector.split, index: selector.index } : { task_spec: selector.task };
  const hasSecrets = Object.keys(secrets).length > 0;
  const create = async (inHeader: boolean) => {
    let isRepeated = false;
    const request = {
      sid,
      signals,
      body: {
        env_name: environment,
        ...task,
        ...(toolset !== undefined && { toolset_name: toolset }),
        ...(hasSecrets && !inHeader && { secrets: { ...secrets } }),
      },
      headers: hasSecrets && inHeader ? { 'x-secrets': secretsHeader(secrets) } : {},
    };
    const onFailure = () => {
      isRepeated = true;
    };
    await http.sendIgnoringBody('createEpisode', request, { onFailure }).catch((error: unknown) => {
      if (!(isRepeated && refuses(error, /already exists/i))) throw error;
    });
  };
  // Read before the request: another session may learn the placement meanwhile.
  const { inHeader } = placement;
  try {
    await create(inHeader);
  } catch (error) {
    if (!hasSecrets || inHeader || !refuses(error, /secrets/i)) throw error;
    await create(true);
    placement.inHeader = true;
  }
}

const refuses = (error: unknown, detail: RegExp): boolean =>
  error instanceof OrsHttpError && (error.status === 400 || error.status === 422) && detail.test(error.detail);

/** The server deletes idle episodes by itself, so that deleting is worth only this much time, in ms. */
const CLOSE_TIMEOUT_MS = 10_000;
/** Attempts to delete an episode that cost nothing while the server responds to other requests. */
const MAX_FREE_CLOSE_ATTEMPTS = 6;

/** Deletes an episode; one that is already gone is not an error. @throws OrsHttpError; OrsConnectionError. */
export async function deleteEpisode(http: HttpClient, sid: string): Promise<void> {
  let failures = 0;
  const onFailure = () => {
    failures++;
  };
  const lastActivityAt = () => (failures < MAX_FREE_CLOSE_ATTEMPTS ? http.lastActivityAt : undefined);
  const retry = { retryTimeoutMs: CLOSE_TIMEOUT_MS, lastActivityAt, onFailure };
  try {
    await http.sendIgnoringBody('deleteEpisode', { sid }, retry);
  } catch (error) {
    if (!(error instanceof OrsHttpError) || (error.status !== 404 && error.status !== 410)) throw error;
  }
}

const SELECTOR_ADVICE = 'pass { split: "train", index: 0 } or { task: {...} }';

/**
 * Validates a task selector before anything is sent. A task handle selects the task by its position.
 *
 * @throws TypeError for a value that no server understands, and for integers that JavaScript has already rounded.
 */
export function parseTaskSelector(selector: unknown, environment: string): TaskSelector {
  if (!isRecord(selector)) throw new TypeError(`invalid task: expected an object; ${SELECTOR_ADVICE}`);
  const { task, split, index } = selector;
  if (typeof selector.environment === 'string' && selector.environment.toLowerCase() !== environment.toLowerCase()) {
    throw new TypeError(`invalid task: expected a task of '${environment}', got one of '${selector.environment}'`);
  }
  if (task === undefined && split === undefined && index === undefined) {
    throw new TypeError(`invalid task: expected split and index, or task; ${SELECTOR_ADVICE}`);
  }
  if (split === undefined && index === undefined) {
    assertTask(task);
    return { task: task as JSONObject };
  }
  if (typeof split !== 'string') {
    throw new TypeError(`invalid split: expected a string, got ${JSON.stringify(split)}; ${SELECTOR_ADVICE}`);
  }
  if (!Number.isSafeInteger(index) || (index as number) < 0) {
    throw new TypeError(`invalid index: expected an integer from 0, got ${JSON.stringify(index)}; ${SELECTOR_ADVICE}`);
  }
  return { split, index: index as number };
}

function assertTask(task: unknown): void {
  if (!isRecord(task)) throw new TypeError(`invalid task: expected an object; ${SELECTOR_ADVICE}`);
  const problem = jsonProblem(task, 'task', { safeIntegers: true });
  if (problem) throw new TypeError(`${problem}; ${SELECTOR_ADVICE}`);
}

/** Encodes secrets as the Python clients do: base64 of `{"NAME": {"value": "..."}}`. */
export function secretsHeader(secrets: Readonly<Record<string, string>>): string {
  const entries = Object.entries(secrets).map(([name, value]) => [name, { value }]);
  return toBase64(new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries))));
}

/** @throws TypeError that names the secret but not its value. */
export function assertSecrets(secrets: unknown): void {
  if (!isRecord(secrets)) throw new TypeError("invalid secrets: expected an object, such as { NAME: 'value' }");
  for (const [name, value] of Object.entries(secrets)) {
    if (typeof value !== 'string') throw new TypeError(`invalid secret '${name}': expected a string`);
  }
}

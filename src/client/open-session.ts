import { isRecord, type JSONObject, jsonProblem, toBase64 } from '../protocol/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { connected } from './connection-failure.ts';
import { OrsHttpError, OrsProtocolError } from './errors.ts';
import type { Http } from './http.ts';
import { bounded, readText } from './read-text.ts';

/** A farewell is not worth more, since the server ends idle episodes by itself, in ms. */
const FAREWELL_MS = 10_000;

/** The task of an episode: given whole, or by its place. Source: HTTP API, "POST /create". */
export type TaskChoice = { readonly task: JSONObject } | { readonly split: string; readonly index: number };

export interface OpenOptions {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Gets a session id, from servers that answer in JSON and from those that answer in events. */
export async function createSession(http: Http, signal: AbortSignal | undefined): Promise<string> {
  const sid = await http.persist('createSession', { signals: [signal] }, {}, async (attemptSignal) => {
    const response = await http.send('createSession', 'application/json', { signal: attemptSignal });
    return connected(http.baseUrl, async () => {
      const type = response.header('Content-Type') ?? '';
      return type.startsWith('text/event-stream')
        ? ((await sidOfEvents(response.bytes())) ?? response.header('X-Session-ID'))
        : (sidOfJson(await readText(response)) ?? response.header('X-Session-ID'));
    });
  });
  if (sid) return sid;
  throw new OrsProtocolError(`${http.baseUrl}/create_session gave no session id; is there an ORS server?`);
}

/** The id stands in the `task_id` event, in the JSON of `end`, or in both, which then are equal. */
async function sidOfEvents(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  let sid: string | undefined;
  for await (const { event, data } of decodeEvents(bounded(bytes))) {
    if (event === 'error') throw new OrsProtocolError(`the server issues no session id: ${data}`);
    if (event === 'task_id') sid ??= data;
    if (event === 'end') sid = sidOfJson(data) ?? sid;
  }
  return sid;
}

function sidOfJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value.sid === 'string' ? value.sid : undefined;
  } catch {
    return undefined;
  }
}

/** Whether secrets go into the header because the server refused them in the body. Lasts as long as a client. */
export interface SecretsMemory {
  inHeader: boolean;
}

/**
 * Creates the episode of a session. After a failed connection, "already exists" is success: the lost answer said so.
 *
 * @throws OrsHttpError, OrsConnectionError; the signal's reason.
 */
export async function createEpisode(
  http: Http,
  memory: SecretsMemory,
  sid: string,
  environment: string,
  choice: TaskChoice,
  { secrets = {}, signal }: OpenOptions,
): Promise<void> {
  const source = 'task' in choice ? { task_spec: choice.task } : { split: choice.split, index: choice.index };
  const hasSecrets = Object.keys(secrets).length > 0;
  const create = async (inHeader: boolean) => {
    let isRepeated = false;
    const request = {
      sid,
      signals: [signal],
      body: { env_name: environment, ...source, ...(hasSecrets && !inHeader && { secrets: { ...secrets } }) },
      headers: hasSecrets && inHeader ? { 'X-Secrets': secretsHeader(secrets) } : {},
    };
    const onFailure = () => {
      isRepeated = true;
    };
    await http.tell('createEpisode', request, { onFailure }).catch((error: unknown) => {
      if (!(isRepeated && refuses(error, /already exists/i))) throw error;
    });
  };
  try {
    await create(memory.inHeader);
  } catch (error) {
    if (!hasSecrets || memory.inHeader || !refuses(error, /secrets/i)) throw error;
    await create(true);
    memory.inHeader = true;
  }
}

/** Deletes an episode; one that is gone already is no error. @throws OrsHttpError, OrsConnectionError. */
export async function deleteEpisode(http: Http, sid: string): Promise<void> {
  try {
    await http.tell('deleteEpisode', { sid }, { retry: { budgetMs: FAREWELL_MS } });
  } catch (error) {
    if (!(error instanceof OrsHttpError) || (error.status !== 404 && error.status !== 410)) throw error;
  }
}

const refuses = (error: unknown, what: RegExp): boolean =>
  error instanceof OrsHttpError && (error.status === 400 || error.status === 422) && what.test(error.detail);

/** The form in which the Python clients send secrets: base64 of `{"NAME": {"value": "..."}}`. */
function secretsHeader(secrets: Readonly<Record<string, string>>): string {
  const entries = Object.entries(secrets).map(([name, value]) => [name, { value }]);
  return toBase64(new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries))));
}

/** @throws TypeError for a choice that no server could understand, before anything is sent. */
export function checkChoice(choice: unknown): asserts choice is TaskChoice {
  const advice = 'give { task: {...} } or { split: "train", index: 0 }';
  if (!isRecord(choice)) throw new TypeError(`the task of an episode is missing; ${advice}`);
  if (choice.task !== undefined) {
    if (!isRecord(choice.task)) throw new TypeError(`the task is no object; ${advice}`);
    const problem = jsonProblem(choice.task, 'task');
    if (problem) throw new TypeError(`${problem}, which JSON cannot say`);
    return;
  }
  const { split, index } = choice;
  if (typeof split !== 'string') throw new TypeError(`split is ${JSON.stringify(split)}; ${advice}`);
  if (!Number.isSafeInteger(index) || (index as number) < 0) {
    throw new TypeError(`index is ${JSON.stringify(index)} where an integer from 0 is needed; ${advice}`);
  }
}

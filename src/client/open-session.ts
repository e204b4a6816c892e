import { fieldsOf, type JoinedSignal, truncate, tryParseJson } from '../core/index.ts';
import { type JSONObject, toBase64 } from '../protocol/index.ts';
import { decodeEvents } from '../sse/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { OrsHttpError, OrsProtocolError } from './errors.ts';
import type { HttpClient } from './http.ts';
import { endsWithin, isEventStream, limitBytes, readResponseText } from './read-body.ts';
import type { SignalOption } from './signals.ts';
import type { TransportResponse } from './transport.ts';

/** A farewell is not worth more, since the server ends idle episodes by itself, in ms. */
const CLOSE_TIMEOUT_MS = 10_000;
/** A server that answers others meanwhile is asked so often before its silence costs anything. */
const MAX_CLOSE_ATTEMPTS = 6;

/** The task of an episode: given whole, or by its place. Source: HTTP API, "POST /create". */
export type TaskSelector = { readonly task: JSONObject } | { readonly split: string; readonly index: number };

export interface OpenSessionOptions extends SignalOption {
  /** Handed to the environment's setup. Default: none. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What can stand in a header, which is where a session id travels. */
const SID = /^[\x21-\x7e]{1,1024}$/;

/**
 * Gets a session id, from servers that answer in JSON and from those that answer in events.
 *
 * @throws OrsProtocolError if there is none, or one that no header can hold.
 */
export async function createSession(http: HttpClient, signals: readonly (AbortSignal | undefined)[]): Promise<string> {
  const url = `${http.baseUrl}/create_session`;
  const sid = await http.withRetries('createSession', { signals }, {}, async (joined) => {
    const response = await http.send('createSession', 'application/json', { signal: joined.signal });
    const header = response.header('X-Session-ID');
    if (!isEventStream(response)) return sidOfJson(await readResponseText(url, response)) ?? header;
    return (await sidOfEvents(url, response, joined)) ?? header;
  });
  if (sid !== undefined && SID.test(sid)) return sid;
  const found = sid === undefined ? 'no session id' : `the session id ${JSON.stringify(truncate(sid, 80))}`;
  throw new OrsProtocolError(`${url} gave ${found}; is there an ORS server?`);
}

/** The id stands in the `task_id` event, in the JSON of `end`, or in both, which then are equal. */
async function sidOfEvents(
  url: string,
  response: TransportResponse,
  joined: JoinedSignal,
): Promise<string | undefined> {
  const events = decodeEvents(limitBytes(url, response), { incomplete: 'emit' });
  let sid: string | undefined;
  for (;;) {
    const { done, value } = await events.next();
    if (done && sid === undefined) throw new ConnectionFailure(`the stream of ${url} ended before the session id came`);
    if (done) return sid;
    if (value.event === 'error') throw new OrsProtocolError(`the server issues no session id: ${value.data}`);
    if (value.event === 'task_id') sid ??= value.data;
    if (value.event !== 'end') continue;
    if (!(await endsWithin(events.next()))) joined.abort('the answer is complete');
    return sidOfJson(value.data) ?? sid;
  }
}

function sidOfJson(text: string): string | undefined {
  const { sid } = fieldsOf(tryParseJson(text));
  return typeof sid === 'string' ? sid : undefined;
}

/** Whether secrets go into the header because the server refused them in the body. Lasts as long as a client. */
export interface SecretsPlacement {
  inHeader: boolean;
}

/**
 * Creates the episode of a session. After a failed connection, "already exists" is success: the lost answer said so.
 *
 * @throws OrsHttpError, OrsConnectionError; the signal's reason.
 */
export async function createEpisode(
  http: HttpClient,
  memory: SecretsPlacement,
  sid: string,
  environment: string,
  choice: TaskSelector,
  secrets: Readonly<Record<string, string>>,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  const source = 'split' in choice ? { split: choice.split, index: choice.index } : { task_spec: choice.task };
  const hasSecrets = Object.keys(secrets).length > 0;
  const create = async (inHeader: boolean) => {
    let isRepeated = false;
    const request = {
      sid,
      signals,
      body: { env_name: environment, ...source, ...(hasSecrets && !inHeader && { secrets: { ...secrets } }) },
      headers: hasSecrets && inHeader ? { 'x-secrets': secretsHeader(secrets) } : {},
    };
    const onFailure = () => {
      isRepeated = true;
    };
    await http.sendIgnoringBody('createEpisode', request, { onFailure }).catch((error: unknown) => {
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
export async function deleteEpisode(http: HttpClient, sid: string): Promise<void> {
  let failures = 0;
  const onFailure = () => {
    failures++;
  };
  const lastHeardAt = () => (failures < MAX_CLOSE_ATTEMPTS ? http.lastActivityAt : undefined);
  try {
    await http.sendIgnoringBody(
      'deleteEpisode',
      { sid },
      { retryTimeoutMs: CLOSE_TIMEOUT_MS, lastActivityAt: lastHeardAt, onFailure },
    );
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

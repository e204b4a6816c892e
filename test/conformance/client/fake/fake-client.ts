import { FakeEventReader } from './event-reader.ts';
import { FakeCall } from './fake-call.ts';
import { FakeError } from './fake-error.ts';
import { FakeHttp, textOf } from './http.ts';
import type { Broken } from './mutants.ts';

export interface FakeClientParts {
  readonly url: string;
  readonly broken: Broken;
  readonly silenceMs: number;
  readonly pingMs: number;
  /** Ends all that the client does. */
  readonly signal: AbortSignal;
}

export interface FakeSource {
  readonly environment: string;
  readonly split?: string;
  readonly index?: number;
  readonly task?: unknown;
}

type Json = Record<string, unknown>;

/** A small correct client with at most one active fault. */
export class FakeClient {
  readonly #parts: FakeClientParts;
  readonly #broken: Broken;
  readonly #http: FakeHttp;
  #sid = '';
  #environment = '';
  #pings: NodeJS.Timeout | undefined;
  #callsRunning = 0;
  #hasFailed = false;
  #hasNoMessages = false;
  #isLost = false;

  constructor(parts: FakeClientParts) {
    this.#parts = parts;
    this.#broken = parts.broken;
    this.#http = new FakeHttp(parts.url, parts.broken, parts.signal);
    parts.signal.addEventListener('abort', () => clearInterval(this.#pings));
  }

  async open({ environment, split, index, task }: FakeSource): Promise<void> {
    if (this.#broken('needs-version')) await this.#http.json({ method: 'GET', path: '/version' });
    this.#environment = environment;
    this.#sid = await this.#createSession();
    const isByIndex = split !== undefined;
    const source = isByIndex ? { split, index } : { task_spec: task };
    const more = isByIndex
      ? this.#broken('adds-task') && { task_spec: {} }
      : this.#broken('adds-index') && { split: 'train', index: 0 };
    const name = isByIndex && this.#broken('omits-environment') ? {} : { env_name: environment };
    await this.#http.json({
      method: 'POST',
      path: '/create',
      headers: this.#headers(),
      json: { ...name, ...source, ...more },
    });
    this.#pings = setInterval(() => this.#ping(), this.#parts.pingMs);
  }

  async prompt(): Promise<unknown> {
    const isGone = (error: unknown) => error instanceof FakeError && (error.status === 404 || error.status === 410);
    const blocks = await this.#get('prompt', this.#broken('omits-sid') ? {} : this.#headers()).catch((error) => {
      if (this.#broken('takes-gone-prompts-for-empty') && isGone(error)) return [];
      throw lost(error);
    });
    this.#refuseUnknown('fails-at-prompt-fields', blocks as Json[], ['type', 'text', 'detail']);
    return blocks;
  }

  /** Fetches the messages, or else the prompt as one message. */
  async messages(): Promise<unknown> {
    const isMissing = (error: unknown) => error instanceof FakeError && error.status === 404;
    const ask = async () =>
      this.#hasNoMessages ? undefined : ((await this.#get('messages', this.#headers())) as Json[]);
    const messages = await ask().catch((error: unknown) => {
      if (!isMissing(error) || this.#broken('fails-without-messages')) throw error;
      this.#hasNoMessages = !this.#broken('asks-for-messages-again');
      return undefined;
    });
    if (!messages) return [{ role: 'user', blocks: await this.prompt() }];
    return this.#broken('flattens-messages')
      ? [{ role: 'user', blocks: messages.flatMap(({ blocks }) => blocks) }]
      : messages;
  }

  /** Submits a final text. */
  async answer(text: string): Promise<unknown> {
    const { terminal_tool: tool } = (await this.#get('task_tools', this.#headers())) as {
      terminal_tool?: { name: string; arg: string | null } | null;
    };
    const known = this.#broken('guesses-terminal-tools') ? (tool ?? { name: 'submit', arg: 'answer' }) : tool;
    if (!known || this.#broken('ignores-terminal-tools')) throw new FakeError('tool_refused', 'no terminal tool');
    const arg = this.#broken('always-sends-texts') ? (known.arg ?? 'answer') : known.arg;
    return await this.call(known.name, arg === null ? {} : { [arg]: text });
  }

  async tools(): Promise<unknown> {
    const action = this.#broken('asks-for-shared-tools') ? 'tools' : 'task_tools';
    return this.#readTools((await this.#get(action, this.#headers())) as Json, 'fails-at-tool-fields');
  }

  async discover(environment: string): Promise<unknown> {
    this.#environment = environment;
    const splits = (await this.#get('splits')) as Json[];
    this.#refuseUnknown('fails-at-split-fields', splits, ['name', 'type']);
    const tools = this.#readTools((await this.#get('tools')) as Json, 'fails-at-tool-fields');
    return { splits: splits.map(({ name }) => name), tools };
  }

  async call(name: string, input: Json): Promise<unknown> {
    if (this.#isLost) throw new FakeError('session_lost', 'the episode is finished');
    this.#callsRunning++;
    try {
      return this.#settle(await this.#startCall(name, input).result());
    } catch (error) {
      this.#hasFailed = true;
      throw this.#explain(error);
    } finally {
      this.#callsRunning--;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    const keeps = this.#broken('never-deletes') || (this.#hasFailed && this.#broken('keeps-failed-episodes'));
    const farewell = (path: string) => this.#http.json({ method: 'POST', path, headers: this.#headers() });
    if (!keeps) await farewell('/delete').catch(() => undefined);
    await farewell('/delete_session').catch((error: unknown) => {
      if (this.#broken('needs-delete-session')) throw error;
    });
  }

  #headers(): Record<string, string> {
    return { 'X-Session-ID': this.#sid };
  }

  #get(action: string, headers: Record<string, string> = {}): Promise<unknown> {
    return this.#http.json({ method: 'GET', path: `/${this.#environment}/${action}`, headers });
  }

  #startCall(name: string, given: Json): FakeCall {
    const input = this.#broken('drops-nulls')
      ? JSON.parse(JSON.stringify(given, (_, value) => value ?? undefined))
      : given;
    const accept = this.#broken('omits-accept') ? {} : { Accept: 'text/event-stream' };
    return new FakeCall({
      http: this.#http,
      request: {
        method: 'POST',
        path: `/${this.#environment}/call`,
        headers: { ...this.#headers(), ...accept },
        json: { name, input },
      },
      broken: this.#broken,
      silenceMs: this.#parts.silenceMs,
      signal: this.#parts.signal,
    });
  }

  #settle(result: Json): unknown {
    const { ok, output, error, reason } = result as { ok: boolean; output?: Json; error?: string; reason?: string };
    const isRefused = this.#broken('reads-output-first') ? !output : this.#broken('reads-error-first') ? error : !ok;
    if (isRefused) {
      const kind = this.#broken('takes-refusals-for-crashes') ? 'tool_crashed' : 'tool_refused';
      this.#isLost = reason === 'episode_finished' && this.#broken('loses-finished-sessions');
      throw new FakeError(kind, String(error), undefined, this.#broken('guesses-reasons') ? 'not_found' : reason);
    }
    this.#refuseUnknown('fails-at-result-fields', [output ?? {}], ['blocks', 'metadata', 'reward', 'finished']);
    const { blocks, metadata, reward, finished } = output as { blocks: Json[] } & Json;
    if (reward === undefined && this.#broken('needs-reward')) throw new FakeError('other', 'missing reward');
    const shown = metadata && this.#broken('shows-metadata') ? [{ type: 'text', text: JSON.stringify(metadata) }] : [];
    return {
      blocks: [...blocks, ...shown],
      metadata: metadata ?? null,
      reward: reward ?? (this.#broken('takes-no-reward-for-0') ? 0 : null),
      finished: finished === true && !this.#broken('hides-finished'),
    };
  }

  /** Converts the error of a failed call. */
  #explain(error: unknown): unknown {
    if (!(error instanceof FakeError)) return error;
    const { status, message } = error;
    if (status === 404 && this.#broken('takes-404-for-refusals')) return new FakeError('tool_refused', message);
    if (status === 410 && this.#broken('takes-410-for-crashes')) return new FakeError('tool_crashed', message);
    return lost(error);
  }

  async #createSession(): Promise<string> {
    const wantsStream = this.#broken('reads-stream-sids-alone');
    const headers = { Accept: wantsStream ? 'text/event-stream' : 'application/json' };
    const response = await this.#http.open({ method: 'POST', path: '/create_session', headers });
    const isStream = response.headers['content-type'] === 'text/event-stream';
    if (!isStream || this.#broken('reads-json-sids-alone')) {
      const text = await textOf(response);
      if (wantsStream) throw new FakeError('other', 'the response is not a stream');
      return JSON.parse(text).sid;
    }
    const events = new FakeEventReader(() => false).feed(Buffer.from(await textOf(response)));
    const dataOf = (name: string) => events.find(({ event }) => event === name)?.data;
    const ofEnd = dataOf('end') && !this.#broken('skips-end-sids') ? JSON.parse(dataOf('end') ?? '').sid : undefined;
    const sid = ofEnd ?? (this.#broken('skips-task-id-sids') ? undefined : dataOf('task_id'));
    if (sid === undefined) throw new FakeError('other', 'missing session id');
    return sid;
  }

  #readTools({ tools }: Json, fault: 'fails-at-tool-fields'): unknown {
    const list = tools as Json[];
    this.#refuseUnknown(fault, list, ['name', 'description', 'input_schema']);
    const isIncomplete = list.some(({ input_schema }) => input_schema === undefined);
    if (isIncomplete && this.#broken('needs-input-schema')) throw new FakeError('other', 'missing input_schema');
    return list;
  }

  #refuseUnknown(fault: Parameters<Broken>[0], objects: readonly Json[], known: readonly string[]): void {
    const unknown = objects.flatMap((each) => Object.keys(each)).find((name) => !known.includes(name));
    if (unknown !== undefined && this.#broken(fault)) throw new FakeError('other', `'${unknown}' is not a field`);
  }

  #ping(): void {
    const isInCall = this.#callsRunning > 0;
    if (this.#broken(isInCall ? 'sends-no-pings-in-calls' : 'sends-no-pings-between-calls')) return;
    const headers = this.#broken('omits-sid-of-pings') ? {} : this.#headers();
    this.#http.json({ method: 'POST', path: '/ping', headers }).catch(() => undefined);
  }
}

/** Converts an error response to the loss of the session if it means that. */
function lost(error: unknown): unknown {
  const isLost = error instanceof FakeError && (error.status === 404 || error.status === 410);
  return isLost ? new FakeError('session_lost', error.message, error.status) : error;
}

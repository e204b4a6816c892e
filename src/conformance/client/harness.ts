import type { RequirementId } from '../../../generated/requirements.ts';
import { NotApplicableError, UntestableError } from '../assertions.ts';
import { AdapterDriver, type AdapterTimes, type LaunchAdapter, UnsupportedCommandError } from './adapter.ts';
import {
  assumeValue,
  type BlockValue,
  type CallValue,
  type CommandOutcome,
  type DiscoveryValue,
  type MessageValue,
  parseBlockValues,
  parseCallValue,
  parseDiscoveryValue,
  parseMessageValues,
  parseToolValues,
  type ToolValue,
} from './outcome.ts';
import type { ScriptedReply } from './server/exchange.ts';
import { ENVIRONMENT, taskIdOf } from './server/healthy.ts';
import type { ScriptedServer } from './server/scripted-server.ts';

/**
 * A test of one requirement of a client, from the view of a server.
 *
 * @example
 * const fast: readonly ClientCheck[] = clientChecks.filter(({ slow }) => !slow);
 */
export interface ClientCheck {
  /** Group and name, as in `client/stream/bom`. */
  readonly id: `client/${string}/${string}`;
  /** The expected behaviour, as one sentence without a full stop. */
  readonly title: string;
  /** The row of spec/requirements.yaml with level, wording and source. */
  readonly requirement: RequirementId;
  /** Takes tens of seconds, and starts before the other checks, so that a run is shorter. @default false */
  readonly slow?: true;
  /** Returns if the requirement is met, and throws one of the errors of ../assertions.ts otherwise. */
  readonly run: (harness: ClientHarness) => Promise<void>;
}

/** Times of the checks, in milliseconds. */
export interface ClientTimes extends AdapterTimes {
  /** Silence after which a client must treat a stream as lost. @default 30_000 */
  readonly silenceMs: number;
  /** Interval of comments in streams, and of a client's pings. @default 10_000 */
  readonly heartbeatMs: number;
  /** Retry-After of a busy server, whole seconds. @default 2_000 */
  readonly retryAfterMs: number;
  /** Pause between two chunks that must arrive separately. @default 20 */
  readonly packetMs: number;
  /** Time limit for one command, in addition to the delays of the check. @default 20_000 */
  readonly commandMs: number;
}

export const STANDARD_CLIENT_TIMES: ClientTimes = {
  silenceMs: 30_000,
  heartbeatMs: 10_000,
  giveUpMs: 60_000,
  retryAfterMs: 2_000,
  packetMs: 20,
  commandMs: 20_000,
  startMs: 60_000,
  graceMs: 3_000,
};

/** Task of an episode: its position, or the task itself. */
export type ClientTaskSelector =
  | { readonly split: string; readonly index: number }
  | { readonly task: Readonly<Record<string, unknown>> };

export const TASK_BY_INDEX: ClientTaskSelector = { split: 'train', index: 1 };
export const TASK_INLINE: ClientTaskSelector = { task: { id: 'lab-1', level: 2 } };

/** Sends the events of a call after task_id. */
export type CallScript = (reply: ScriptedReply, taskId: string) => void | Promise<void>;

export interface ClientHarnessParts {
  readonly server: ScriptedServer;
  readonly launch: LaunchAdapter;
  readonly times: ClientTimes;
}

/** Environment of one check: a scripted server, and the client under test, to which it sends commands. */
export class ClientHarness implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly times: ClientTimes;
  /** Observations about behaviour that the documents leave open. */
  readonly notes: string[] = [];
  readonly #parts: ClientHarnessParts;
  #driver: AdapterDriver | undefined;

  constructor(parts: ClientHarnessParts) {
    this.server = parts.server;
    this.times = parts.times;
    this.#parts = parts;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Opens an episode. @throws UntestableError if that fails */
  async open(): Promise<void> {
    assumeValue(await this.tryToOpen(), 'opening an episode');
  }

  /** Opens an episode; without a source by index, or inline if the client does not support that. */
  async tryToOpen(source?: ClientTaskSelector): Promise<CommandOutcome<unknown>> {
    try {
      return await this.#sendCommand('open', { ...this.#place, ...(source ?? TASK_BY_INDEX) });
    } catch (error) {
      if (source || !(error instanceof NotApplicableError)) throw error;
      return await this.tryToOpen(TASK_INLINE);
    }
  }

  /** @param extraMs delay by the check, in addition to the time limit */
  prompt(extraMs = 0): Promise<CommandOutcome<readonly BlockValue[]>> {
    return this.#sendCommand('prompt', {}, extraMs).then(mapped(parseBlockValues));
  }

  tools(): Promise<CommandOutcome<readonly ToolValue[]>> {
    return this.#sendCommand('tools').then(mapped(parseToolValues));
  }

  /** Calls a tool. @param extraMs delay by the check, in addition to the time limit */
  call(name: string, input: Readonly<Record<string, unknown>> = {}, extraMs = 0): Promise<CommandOutcome<CallValue>> {
    return this.#sendCommand('call', { name, input }, extraMs).then(mapped((value) => parseCallValue(value)));
  }

  /** Calls the tool `echo`; the script of the check may replace its result. */
  callEcho(extraMs = 0): Promise<CommandOutcome<CallValue>> {
    return this.call('echo', { text: 'hello' }, extraMs);
  }

  /** Requests the prompt, or calls `echo`. */
  request(operation: 'prompt' | 'call'): Promise<CommandOutcome<unknown>> {
    return operation === 'call' ? this.callEcho() : this.prompt();
  }

  /** Handles calls with an event stream: sends task_id, and then runs the script. */
  onCall(script: CallScript): void {
    this.server.setHandler('call', async (request, reply) => {
      const taskId = taskIdOf(this.server.state, request);
      reply.stream();
      await reply.event('task_id', taskId);
      await script(reply, taskId);
    });
  }

  /** Ends every call with this event after task_id. */
  endCallsWith(event: 'end' | 'error', data: string): void {
    this.onCall((reply) => reply.endWith(event, data));
  }

  /** Submits the final text of the agent. */
  answer(text: string): Promise<CommandOutcome<CallValue>> {
    return this.#sendCommand('answer', { text }).then(mapped((value) => parseCallValue(value, 'answer')));
  }

  /** Fetches the prompt as a conversation. @param extraMs delay by the check, in addition to the time limit */
  messages(extraMs = 0): Promise<CommandOutcome<readonly MessageValue[]>> {
    return this.#sendCommand('messages', {}, extraMs).then(mapped(parseMessageValues));
  }

  close(): Promise<CommandOutcome<unknown>> {
    return this.#sendCommand('close');
  }

  discover(): Promise<CommandOutcome<DiscoveryValue>> {
    return this.#sendCommand('discover', this.#place).then(mapped(parseDiscoveryValue));
  }

  /** Lets the client idle, as during the request to a model. */
  async idle(ms: number): Promise<void> {
    try {
      assumeValue(await this.#sendCommand('idle', { ms }, ms), 'idling');
    } catch (error) {
      if (!(error instanceof NotApplicableError)) throw error;
      // An adapter without this command is left alone for that time.
      await this.server.pause(ms);
    }
  }

  get #place() {
    return { url: this.server.url, environment: ENVIRONMENT };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#driver?.[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }

  async #sendCommand(
    name: string,
    parameters: Readonly<Record<string, unknown>> = {},
    extraMs = 0,
  ): Promise<CommandOutcome<unknown>> {
    const driver = this.#driver ?? (await this.#start());
    try {
      return await driver.send(name, parameters, this.times.commandMs + extraMs);
    } catch (error) {
      if (!(error instanceof UnsupportedCommandError)) throw error;
      if (name === 'call') throw new UntestableError(error.message);
      throw new NotApplicableError(error.message);
    }
  }

  async #start(): Promise<AdapterDriver> {
    const { server, launch, times } = this.#parts;
    this.#driver = new AdapterDriver(launch, { url: server.url, times });
    await this.#driver.hello();
    return this.#driver;
  }
}

const mapped =
  <T>(read: (value: unknown) => T) =>
  (outcome: CommandOutcome<unknown>): CommandOutcome<T> =>
    outcome.kind === 'value' ? { kind: 'value', value: read(outcome.value) } : outcome;

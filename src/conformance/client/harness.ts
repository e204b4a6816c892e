import type { RequirementId } from '../../../generated/requirements.ts';
import { NotApplicableError, UntestableError } from '../assertions.ts';
import { AdapterDriver, type LaunchAdapter, UnsupportedCommandError } from './adapter.ts';
import {
  assumeValue,
  type BlockValue,
  type CallValue,
  type CommandOutcome,
  type DiscoveryValue,
  parseBlockValues,
  parseCallValue,
  parseDiscoveryValue,
  parseToolValues,
  type ToolValue,
} from './outcome.ts';
import { ENVIRONMENT } from './server/healthy.ts';
import type { ScriptedServer } from './server/scripted-server.ts';

/** One thing that a server can see of its client, and that follows from one requirement. */
export interface ClientCheck {
  /** Group and name, as in `client/stream/bom`. */
  readonly id: `client/${string}/${string}`;
  /** What the client does, as one sentence without a full stop. */
  readonly title: string;
  /** The row of spec/requirements.yaml that gives level, wording and source. */
  readonly requirement: RequirementId;
  /** It waits for tens of seconds, and is begun before the others, so that a run ends sooner. */
  readonly slow?: true;
  /** Returns if the requirement is met, throws one of ../assertions.ts if not. */
  readonly run: (stage: ClientHarness) => Promise<void>;
}

/** What checks of clients wait for, in milliseconds. */
export interface ClientTimes {
  /** A stream that is silent for so long counts as lost. Default: 30 000. */
  readonly silenceMs: number;
  /** A stream that lives sends a comment this often, and a client that idles a ping. Default: 10 000. */
  readonly heartbeatMs: number;
  /** After this a client should have given up against endless failures; the adapter is told. Default: 60 000. */
  readonly giveUpMs: number;
  /** How long a busy server asks its clients to stay away; whole seconds. Default: 2 000. */
  readonly retryAfterMs: number;
  /** The pause between two pieces that must arrive one by one. Default: 20. */
  readonly packetMs: number;
  /** How long the client may take for one command, unless the check makes it wait. Default: 20 000. */
  readonly commandMs: number;
  /** How long the adapter may take to start. Default: 60 000. */
  readonly startMs: number;
  /** How long the adapter may take to end, once its input has ended. Default: 3 000. */
  readonly graceMs: number;
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

/** The task of an episode: by its place, or given whole. */
export type ClientTaskSelector =
  | { readonly split: string; readonly index: number }
  | { readonly task: Readonly<Record<string, unknown>> };

export const TASK_BY_INDEX: ClientTaskSelector = { split: 'train', index: 1 };
export const TASK_INLINE: ClientTaskSelector = { task: { id: 'lab-1', level: 2 } };

export interface ClientHarnessParts {
  readonly server: ScriptedServer;
  readonly launch: LaunchAdapter;
  readonly times: ClientTimes;
}

/** Where a check is made: a server that it scripts, and a client that it tells what to do. */
export class ClientHarness implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly times: ClientTimes;
  /** Notes of what was seen where the documents leave it open. */
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

  /** Opens an episode, in whichever way the client can; it must succeed for the check to go on. */
  async open(): Promise<void> {
    assumeValue(await this.tryToOpen(), 'opening an episode');
  }

  /** Opens an episode; without a source in whichever way the client can. */
  async tryToOpen(source?: ClientTaskSelector): Promise<CommandOutcome<unknown>> {
    try {
      return await this.#sendCommand('open', {
        url: this.server.url,
        environment: ENVIRONMENT,
        ...(source ?? TASK_BY_INDEX),
      });
    } catch (error) {
      if (source || !(error instanceof NotApplicableError)) throw error;
      return await this.tryToOpen(TASK_INLINE);
    }
  }

  prompt(): Promise<CommandOutcome<readonly BlockValue[]>> {
    return this.#sendCommand('prompt').then(mapped(parseBlockValues));
  }

  tools(): Promise<CommandOutcome<readonly ToolValue[]>> {
    return this.#sendCommand('tools').then(mapped(parseToolValues));
  }

  /** Calls a tool. `extraMs` is what the check makes the client wait. */
  call(name: string, input: Readonly<Record<string, unknown>> = {}, extraMs = 0): Promise<CommandOutcome<CallValue>> {
    return this.#sendCommand('call', { name, input }, extraMs).then(mapped(parseCallValue));
  }

  /** A call whose result the script of the check gives. */
  callEcho(extraMs = 0): Promise<CommandOutcome<CallValue>> {
    return this.call('echo', { text: 'hello' }, extraMs);
  }

  close(): Promise<CommandOutcome<unknown>> {
    return this.#sendCommand('close');
  }

  discover(): Promise<CommandOutcome<DiscoveryValue>> {
    return this.#sendCommand('discover', { url: this.server.url, environment: ENVIRONMENT }).then(
      mapped(parseDiscoveryValue),
    );
  }

  /** The client does nothing, as while a model thinks. */
  async idle(ms: number): Promise<void> {
    try {
      assumeValue(await this.#sendCommand('idle', { ms }, ms), 'idling');
    } catch (error) {
      if (!(error instanceof NotApplicableError)) throw error;
      // Then it is told nothing for that long.
      await this.server.pause(ms);
    }
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

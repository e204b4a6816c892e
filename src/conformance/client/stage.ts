import { NotApplicableError, UntestableError } from '../verdict.ts';
import {
  AdapterDriver,
  assumeValue,
  type BlockValue,
  type CallValue,
  type CommandOutcome,
  type DiscoveryValue,
  type LaunchAdapter,
  parseBlockValues,
  parseCallValue,
  parseDiscoveryValue,
  parseToolValues,
  type ToolValue,
  UnsupportedCommandError,
} from './adapter/index.ts';
import { ENVIRONMENT, type ScriptedServer } from './server/index.ts';
import type { ClientTimes } from './times.ts';

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

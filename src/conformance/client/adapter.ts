import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  createLineSplitter,
  deferred,
  formatDuration,
  isRecord,
  settlesWithin,
  truncate,
  tryParseJson,
} from '../../core/index.ts';
import { endingOf, killGroup, tailOf } from '../../core/node/index.ts';
import { UntestableError } from '../assertions.ts';
import { AdapterError, type CommandOutcome, parseClientError } from './outcome.ts';

/** A running adapter: the program that drives the client under test. */
export interface AdapterProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Returns the end of its standard error. */
  readonly stderrText: () => string;
  /** Resolves with `exit code 1` or `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Kills it and the processes that it has started. */
  readonly kill: () => void;
}

/** Starts an adapter with these variables in its environment. */
export type LaunchAdapter = (variables: Readonly<Record<string, string>>) => AdapterProcess;

const MAX_STDERR_CHARACTERS = 4_000;

/**
 * Returns a function that starts an adapter with a shell command.
 *
 * @example
 * const launch = launchAdapterCommand('python adapter.py');
 */
export function launchAdapterCommand(command: string): LaunchAdapter {
  return (variables) => {
    // Its own process group, so that the shell's children can be killed too.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, env: { ...process.env, ...variables } });
    // `exited` reports an adapter that ends during a write.
    child.stdin.on('error', () => undefined);
    return {
      input: child.stdin,
      output: child.stdout,
      stderrText: tailOf(child.stderr, MAX_STDERR_CHARACTERS),
      exited: new Promise((resolve) => {
        child.on('error', (error) => resolve(error.message));
        child.on('close', (code, signal) => resolve(endingOf(code, signal)));
      }),
      kill: () => killGroup(child, 'SIGKILL'),
    };
  };
}

/** The adapter does not support the command. */
export class UnsupportedCommandError extends UntestableError {}

/** Times of an adapter, in milliseconds. */
export interface AdapterTimes {
  /** Time after which a client must give up on repeated failures; the adapter gets it. @default 60_000 */
  readonly giveUpMs: number;
  /** Time limit for the start of the adapter. @default 60_000 */
  readonly startMs: number;
  /** Time limit for the exit of the adapter after the end of its input. @default 3_000 */
  readonly graceMs: number;
}

export interface AdapterDriverOptions {
  readonly url: string;
  readonly times: AdapterTimes;
}

type AdapterMessage = Readonly<Record<string, unknown>>;

/** Sends commands to one adapter, a JSON line each, and reads its responses. */
export class AdapterDriver implements AsyncDisposable {
  readonly #process: AdapterProcess;
  readonly #options: AdapterDriverOptions;
  #commands = 0;
  #waiting:
    | {
        readonly id: number;
        readonly resolve: (response: AdapterMessage) => void;
        readonly reject: (e: unknown) => void;
      }
    | undefined;
  /** The adapter has not responded to the last command. */
  #isBusy = false;
  #ended: string | undefined;
  #fault: AdapterError | undefined;

  constructor(launch: LaunchAdapter, options: AdapterDriverOptions) {
    this.#options = options;
    this.#process = launch({ ORS_URL: options.url, ORS_PATIENCE_MS: String(options.times.giveUpMs) });
    const lines = createLineSplitter((line) => this.#onData(line.trim()));
    this.#process.output.setEncoding('utf8').on('data', lines.push);
    void this.#process.exited.then((how) => {
      this.#ended = how;
    });
  }

  /** Waits until the adapter has started. Resolves with the name of its client, if it reports one. */
  async hello(): Promise<string | undefined> {
    const outcome = await this.send('hello', {}, this.#options.times.startMs).catch((error: unknown) => {
      if (error instanceof UnsupportedCommandError) return { kind: 'value', value: undefined } as const;
      throw error;
    });
    if (outcome.kind === 'silence') {
      throw new UntestableError(
        `the adapter did not respond to 'hello' within ${formatDuration(outcome.afterMs)}${this.#stderrSuffix()}`,
      );
    }
    if (outcome.kind === 'end') throw new UntestableError(`the adapter did not start: ${outcome.how}`);
    if (outcome.kind === 'error') throw new UntestableError(`the adapter failed at 'hello': ${outcome.error.message}`);
    const { value } = outcome;
    return isRecord(value) && typeof value.client === 'string' ? value.client : undefined;
  }

  /** Sends a command. Rejects with UnsupportedCommandError, or AdapterError if the adapter violates the protocol. */
  async send(name: string, parameters: AdapterMessage, timeoutMs: number): Promise<CommandOutcome<unknown>> {
    if (this.#fault) throw this.#fault;
    if (this.#isBusy) throw new UntestableError(`cannot send '${name}': the previous command has not completed`);
    const id = ++this.#commands;
    const answered = deferred<AdapterMessage>();
    this.#waiting = { id, ...answered };
    this.#isBusy = true;
    this.#process.input.write(`${JSON.stringify({ id, do: name, ...parameters })}\n`);
    const outcome = Promise.race([
      answered.promise.then((response) => outcomeOf(name, response)),
      this.#process.exited.then(() => ({ kind: 'end', how: `${this.#ended ?? ''}${this.#stderrSuffix()}` }) as const),
    ]);
    return (await settlesWithin(timeoutMs, outcome)) ? outcome : { kind: 'silence', afterMs: timeoutMs };
  }

  /** Closes the adapter's input, and kills it if it does not exit. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.input.end();
    if (!this.#isBusy) await settlesWithin(this.#options.times.graceMs, this.#process.exited);
    // The shell's children may still run.
    this.#process.kill();
    await this.#process.exited;
  }

  #onData(line: string): void {
    if (line === '') return;
    const response = tryParseJson(line);
    const waiting = this.#waiting;
    if (!isRecord(response)) {
      const advice = 'a response is a JSON object on its own line; logs go to standard error';
      this.#fail(`it printed '${truncate(line, 200)}', but ${advice}`);
    } else if (response.id !== waiting?.id) {
      const expected = waiting ? `a response to command ${waiting.id}` : 'none';
      this.#fail(`expected ${expected}, got a response to command ${JSON.stringify(response.id)}`);
    } else {
      this.#waiting = undefined;
      this.#isBusy = false;
      waiting?.resolve(response);
    }
  }

  #fail(message: string): void {
    this.#fault ??= new AdapterError(message);
    this.#waiting?.reject(this.#fault);
    this.#waiting = undefined;
  }

  #stderrSuffix(): string {
    const stderr = this.#process.stderrText().trim().split('\n').slice(-3).join(' | ');
    return stderr === '' ? '' : ` (standard error: ${stderr.slice(-400)})`;
  }
}

function outcomeOf(command: string, response: AdapterMessage): CommandOutcome<unknown> {
  if (response.unsupported === true) throw new UnsupportedCommandError(`the adapter has no command '${command}'`);
  if ('error' in response && response.error !== null)
    return { kind: 'error', error: parseClientError(command, response.error) };
  if ('value' in response) return { kind: 'value', value: response.value };
  throw new AdapterError(`its response to '${command}' has neither 'value' nor 'error' nor 'unsupported'`);
}

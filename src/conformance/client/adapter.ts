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
import type { ClientTimes } from './harness.ts';
import { AdapterError, type CommandOutcome, parseClientError } from './outcome.ts';

/** A running adapter: a program that drives the client under test. */
export interface AdapterProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** The end of what it wrote to standard error. */
  readonly stderrText: () => string;
  /** How it ended: `exit code 1`, `signal SIGKILL`. Never rejects. */
  readonly exited: Promise<string>;
  /** Ends it, and what it has started, at once. */
  readonly kill: () => void;
}

/** Starts an adapter with these variables in its environment. */
export type LaunchAdapter = (variables: Readonly<Record<string, string>>) => AdapterProcess;

const MAX_STDERR_CHARACTERS = 4_000;

/** Starts adapters by a command line of the shell. */
export function launchAdapterCommand(command: string): LaunchAdapter {
  return (variables) => {
    // A group of its own, so that nothing is left of a shell's children.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, env: { ...process.env, ...variables } });
    // An adapter that ends while it is written to is told by its end.
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

/** A command that the adapter does not have. */
export class UnsupportedCommandError extends UntestableError {}

export interface AdapterDriverOptions {
  readonly url: string;
  readonly times: Pick<ClientTimes, 'startMs' | 'graceMs' | 'giveUpMs'>;
}

type AdapterMessage = Readonly<Record<string, unknown>>;

/** Tells one adapter what its client is to do, line by line, and hears what came of it. */
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
  /** The adapter owes an answer. */
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

  /** Waits until the adapter is there. Gives what it says of its client. */
  async hello(): Promise<string | undefined> {
    const outcome = await this.send('hello', {}, this.#options.times.startMs).catch((error: unknown) => {
      if (error instanceof UnsupportedCommandError) return { kind: 'value', value: undefined } as const;
      throw error;
    });
    if (outcome.kind === 'silence') {
      throw new UntestableError(
        `the adapter did not answer 'hello' within ${formatDuration(outcome.afterMs)}${this.#stderrSuffix()}`,
      );
    }
    if (outcome.kind === 'end') throw new UntestableError(`the adapter did not start: ${outcome.how}`);
    if (outcome.kind === 'error') throw new UntestableError(`the adapter failed at 'hello': ${outcome.error.message}`);
    const { value } = outcome;
    return isRecord(value) && typeof value.client === 'string' ? value.client : undefined;
  }

  /**
   * Gives a command and waits for what comes of it. Throws Unsupported, and AdapterFault where the adapter does not
   * keep to the protocol.
   */
  async send(name: string, parameters: AdapterMessage, timeoutMs: number): Promise<CommandOutcome<unknown>> {
    if (this.#fault) throw this.#fault;
    if (this.#isBusy)
      throw new UntestableError(`'${name}' cannot be asked for, since the command before has not ended`);
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

  /** Ends the adapter: by the end of its input, and if that is not enough, by force. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.input.end();
    if (!this.#isBusy) await settlesWithin(this.#options.times.graceMs, this.#process.exited);
    // A shell's children may outlive it.
    this.#process.kill();
    await this.#process.exited;
  }

  #onData(line: string): void {
    if (line === '') return;
    const response = tryParseJson(line);
    const waiting = this.#waiting;
    if (!isRecord(response)) {
      const advice = 'an answer is a JSON object on a line of its own; logs belong to standard error';
      this.#fail(`it printed '${truncate(line, 200)}', but ${advice}`);
    } else if (response.id !== waiting?.id) {
      const due = waiting ? `one to command ${waiting.id}` : 'none';
      this.#fail(`it answered to command ${JSON.stringify(response.id)}, but ${due} was due`);
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
    const complaint = this.#process.stderrText().trim().split('\n').slice(-3).join(' | ');
    return complaint === '' ? '' : ` (standard error: ${complaint.slice(-400)})`;
  }
}

function outcomeOf(command: string, response: AdapterMessage): CommandOutcome<unknown> {
  if (response.unsupported === true) throw new UnsupportedCommandError(`the adapter has no command '${command}'`);
  if ('error' in response && response.error !== null)
    return { kind: 'error', error: parseClientError(command, response.error) };
  if ('value' in response) return { kind: 'value', value: response.value };
  throw new AdapterError(`its answer to '${command}' has neither 'value' nor 'error' nor 'unsupported'`);
}

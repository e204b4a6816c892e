import {
  createLineSplitter,
  deferred,
  formatDuration,
  isRecord,
  settlesWithin,
  truncate,
  tryParseJson,
} from '../../../core/index.ts';
import { Untestable } from '../../verdict.ts';
import type { ClientTimes } from '../times.ts';
import type { Outcome } from './outcome.ts';
import type { AdapterProcess, LaunchAdapter } from './process.ts';
import { AdapterFault, readError } from './values.ts';

/** A command that the adapter does not have. */
export class Unsupported extends Untestable {}

export interface DriverOptions {
  readonly url: string;
  readonly times: Pick<ClientTimes, 'startMs' | 'graceMs' | 'patienceMs'>;
}

type Answer = Readonly<Record<string, unknown>>;

/** Tells one adapter what its client is to do, line by line, and hears what came of it. */
export class Driver implements AsyncDisposable {
  readonly #process: AdapterProcess;
  readonly #options: DriverOptions;
  #commands = 0;
  #waiting:
    | { readonly id: number; readonly resolve: (answer: Answer) => void; readonly reject: (e: unknown) => void }
    | undefined;
  /** The adapter owes an answer. */
  #isBusy = false;
  #ended: string | undefined;
  #fault: AdapterFault | undefined;

  constructor(launch: LaunchAdapter, options: DriverOptions) {
    this.#options = options;
    this.#process = launch({ ORS_URL: options.url, ORS_PATIENCE_MS: String(options.times.patienceMs) });
    const lines = createLineSplitter((line) => this.#hear(line.trim()));
    this.#process.output.setEncoding('utf8').on('data', lines.push);
    void this.#process.ended.then((how) => {
      this.#ended = how;
    });
  }

  /** Waits until the adapter is there. Gives what it says of its client. */
  async hello(): Promise<string | undefined> {
    const outcome = await this.do('hello', {}, this.#options.times.startMs).catch((error: unknown) => {
      if (error instanceof Unsupported) return { kind: 'value', value: undefined } as const;
      throw error;
    });
    if (outcome.kind === 'silence') {
      throw new Untestable(
        `the adapter did not answer 'hello' within ${formatDuration(outcome.afterMs)}${this.#said()}`,
      );
    }
    if (outcome.kind === 'end') throw new Untestable(`the adapter did not start: ${outcome.how}`);
    if (outcome.kind === 'error') throw new Untestable(`the adapter failed at 'hello': ${outcome.error.message}`);
    const { value } = outcome;
    return isRecord(value) && typeof value.client === 'string' ? value.client : undefined;
  }

  /**
   * Gives a command and waits for what comes of it. Throws Unsupported, and AdapterFault where the adapter does not
   * keep to the protocol.
   */
  async do(name: string, parameters: Answer, timeoutMs: number): Promise<Outcome<unknown>> {
    if (this.#fault) throw this.#fault;
    if (this.#isBusy) throw new Untestable(`'${name}' cannot be asked for, since the command before has not ended`);
    const id = ++this.#commands;
    const answered = deferred<Answer>();
    this.#waiting = { id, ...answered };
    this.#isBusy = true;
    this.#process.input.write(`${JSON.stringify({ id, do: name, ...parameters })}\n`);
    const outcome = Promise.race([
      answered.promise.then((answer) => outcomeOf(name, answer)),
      this.#process.ended.then(() => ({ kind: 'end', how: `${this.#ended ?? ''}${this.#said()}` }) as const),
    ]);
    return (await settlesWithin(timeoutMs, outcome)) ? outcome : { kind: 'silence', afterMs: timeoutMs };
  }

  /** Ends the adapter: by the end of its input, and if that is not enough, by force. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.input.end();
    if (!this.#isBusy) await settlesWithin(this.#options.times.graceMs, this.#process.ended);
    // A shell's children may outlive it.
    this.#process.kill();
    await this.#process.ended;
  }

  #hear(line: string): void {
    if (line === '') return;
    const answer = tryParseJson(line);
    const waiting = this.#waiting;
    if (!isRecord(answer)) {
      const advice = 'an answer is a JSON object on a line of its own; logs belong to standard error';
      this.#fail(`it printed '${truncate(line, 200)}', but ${advice}`);
    } else if (answer.id !== waiting?.id) {
      const due = waiting ? `one to command ${waiting.id}` : 'none';
      this.#fail(`it answered to command ${JSON.stringify(answer.id)}, but ${due} was due`);
    } else {
      this.#waiting = undefined;
      this.#isBusy = false;
      waiting?.resolve(answer);
    }
  }

  #fail(message: string): void {
    this.#fault ??= new AdapterFault(message);
    this.#waiting?.reject(this.#fault);
    this.#waiting = undefined;
  }

  #said(): string {
    const complaint = this.#process.complaints().trim().split('\n').slice(-3).join(' | ');
    return complaint === '' ? '' : ` (standard error: ${complaint.slice(-400)})`;
  }
}

function outcomeOf(command: string, answer: Answer): Outcome<unknown> {
  if (answer.unsupported === true) throw new Unsupported(`the adapter has no command '${command}'`);
  if ('error' in answer && answer.error !== null) return { kind: 'error', error: readError(command, answer.error) };
  if ('value' in answer) return { kind: 'value', value: answer.value };
  throw new AdapterFault(`its answer to '${command}' has neither 'value' nor 'error' nor 'unsupported'`);
}

import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** The DevTools protocol over two pipes, as `--remote-debugging-pipe` speaks it: JSON, each ended by a zero byte. */
export class DevTools {
  /** What the browser tells unasked, by the method's name. */
  readonly events = new EventEmitter();
  /** The page that commands are for. Default: none, they are for the browser. */
  sessionId: string | undefined;
  readonly #output: Writable;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #rest = '';

  constructor(output: Writable, input: Readable) {
    this.#output = output;
    // That the browser is gone is told by the pipe of its answers.
    output.on('error', () => undefined);
    input.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    input.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  /** @throws Error with the browser's message. */
  send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#output.write(`${JSON.stringify({ id, method, params, sessionId: this.sessionId })}\0`);
    });
  }

  #read(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) {
      const { id, method, params, result, error } = JSON.parse(message);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (method) this.events.emit(method, params);
      else if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    }
  }
}

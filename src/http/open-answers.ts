import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a stream has to send why it ends, before its connection is closed. */
const GRACE_MS = 1_000;

interface OpenAnswer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set if the request only reads. Requests that write finish their work if they were received before. */
  readonly isRead: boolean;
  /** Sends why the answer ends, and ends it. */
  end: (() => void) | undefined;
}

/** Answers under way by the key that admitted their request, so that they end when the key is revoked. */
export class OpenAnswers {
  readonly #responses = new WeakMap<IncomingMessage, ServerResponse>();
  readonly #open = new Map<string, Set<OpenAnswer>>();
  readonly #byTicket = new Map<number, OpenAnswer>();
  #tickets = 0;
  /** Counts the times when keys may have been revoked; a key that was looked up before such a time is looked up again. */
  revision = 0;

  /** The keys that have answers under way. */
  get keys(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Has to be called for each request before `admitted`. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#responses.set(request, response);
  }

  /**
   * @param key identifies what was shown.
   * @returns a number that identifies the answer; 0 where the client has left.
   */
  admitted(request: IncomingMessage, key: string): number {
    const response = this.#responses.get(request);
    if (!response || response.closed) return 0;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer: OpenAnswer = { request, response, isRead, end: undefined };
    const ticket = ++this.#tickets;
    this.#byTicket.set(ticket, answer);
    const own = this.#open.get(key) ?? new Set();
    this.#open.set(key, own.add(answer));
    response.once('close', () => {
      this.#byTicket.delete(ticket);
      own.delete(answer);
      if (own.size === 0 && this.#open.get(key) === own) this.#open.delete(key);
    });
    return ticket;
  }

  /** Has `end` called when the key is revoked; it has a second to end the answer, which is cut otherwise. */
  onRevoked(ticket: number, end: () => void): void {
    const answer = this.#byTicket.get(ticket);
    if (answer) answer.end = end;
  }

  /** Closes the answers of a key. A request that is still being received is cut at once: the rest of it is not admitted. */
  revoke(key: string): void {
    const answers = [...(this.#open.get(key) ?? [])];
    this.#open.delete(key);
    for (const answer of answers) {
      if (!answer.request.complete) {
        answer.response.destroy();
        continue;
      }
      answer.end?.();
      if (answer.end) setTimeout(cut, GRACE_MS, answer).unref();
      else cut(answer);
    }
  }
}

/** A request that writes may finish; a stream in its response is cut when it begins. */
function cut(answer: OpenAnswer): void {
  const { response, isRead } = answer;
  if (response.closed || response.writableFinished) return;
  if (isRead || response.headersSent) response.destroy();
  else setTimeout(cut, GRACE_MS, answer).unref();
}

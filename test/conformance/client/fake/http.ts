import { Agent, type IncomingMessage, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeError } from './fake-error.ts';
import type { Broken } from './mutants.ts';

export interface FakeRequest {
  readonly method: 'GET' | 'POST';
  /** Path below the base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

const MOST_ATTEMPTS = 3;

/** Sends requests to one server; retries if it is busy, and follows redirects. */
export class FakeHttp {
  readonly #url: URL;
  readonly #broken: Broken;
  readonly #signal: AbortSignal;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string, broken: Broken, signal: AbortSignal) {
    this.#url = new URL(url);
    this.#broken = broken;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#agent.destroy());
  }

  /** Resolves with a successful response, after its headers. Rejects with FakeError for error responses. */
  async open(request: FakeRequest): Promise<IncomingMessage> {
    const { origin, pathname } = this.#url;
    let url = origin + (this.#broken('drops-base-path') ? '' : pathname.replace(/\/$/, '')) + request.path;
    let redirected = request;
    for (let attempt = 1; ; attempt++) {
      const response = await this.#send(url, redirected);
      const { statusCode: status = 0, headers } = response;
      if (status < 300) return response;
      const text = await textOf(response);
      if (status === 308 && !this.#broken('ignores-redirects')) {
        url = new URL(headers.location ?? '', url).href;
        redirected = this.#redirected(request);
      } else if (headers['x-backend-state'] === 'starting' && !this.#broken('counts-starting')) {
        attempt--;
        await sleep(Number(headers['retry-after'] ?? 0) * 1_000);
      } else if (attempt < MOST_ATTEMPTS && this.#isRepeated(request.path, status)) {
        await sleep(this.#broken('hurries') ? 0 : Number(headers['retry-after'] ?? 0) * 1_000);
      } else throw new FakeError('http', this.#detail(text) || `status ${status}`, status);
    }
  }

  /** Returns the JSON of a response. */
  async json(request: FakeRequest): Promise<unknown> {
    return JSON.parse(await textOf(await this.open(request)));
  }

  #send(url: string, { method, headers = {}, json }: FakeRequest): Promise<IncomingMessage> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    return new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const sent = { Prefer: 'wait=25', ...type, ...headers };
      const options = { method, headers: sent, agent: this.#agent, signal: this.#signal } as const;
      send(url, options, resolve).on('error', reject).end(body);
    });
  }

  #redirected(request: FakeRequest): FakeRequest {
    if (this.#broken('redirects-as-get')) return { ...request, method: 'GET', json: undefined };
    if (this.#broken('redirects-without-body')) return { ...request, json: undefined };
    return this.#broken('redirects-without-headers') ? { ...request, headers: {} } : request;
  }

  #isRepeated(path: string, status: number): boolean {
    if (status === 429) return !this.#broken('fails-at-429');
    if (status === 503) return !this.#broken('fails-at-503');
    if (status === 400) {
      return (
        (path === '/create' && this.#broken('repeats-create')) ||
        (path.endsWith('/prompt') && this.#broken('repeats-prompt')) ||
        (path.endsWith('/call') && this.#broken('repeats-call'))
      );
    }
    return false;
  }

  #detail(text: string): string {
    if (this.#broken('hides-detail')) return '';
    const { detail } = JSON.parse(text);
    if (typeof detail === 'string') return detail;
    if (Array.isArray(detail) ? this.#broken('hides-lists') : this.#broken('hides-objects')) return String(detail);
    return JSON.stringify(detail);
  }
}

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
}

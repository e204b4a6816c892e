import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Behaviour that differs between such servers. */
export interface GuessWays {
  /** Form in which it rejects tools, inputs, and calls after the end. */
  readonly refusal: 'status' | 'ok false' | 'error';
  /** Its tools are shared tools, not task tools. */
  readonly isShared: boolean;
  /** The first tool has parameters. */
  readonly parameters: boolean;
  /** Outputs are images instead of texts. */
  readonly image: boolean;
  /** Its tools always fail. */
  readonly isBroken: boolean;
  /** Fault of each call with a valid input. */
  readonly fault: 'breaks' | 'lasts' | 'errors' | undefined;
  /** The first tool accepts any valid input. */
  readonly takesAny: boolean;
  /** The state is created by the prompt, so that calls before it fail. */
  readonly statesInPrompt: boolean;
  /** The limits of the first tool are in its code; its refusals tell them. */
  readonly hidesLimits: boolean;
}

const COMMON: GuessWays = {
  refusal: 'status',
  isShared: true,
  parameters: true,
  image: false,
  isBroken: false,
  fault: undefined,
  takesAny: true,
  statesInPrompt: false,
  hidesLimits: false,
};

const GUESS = {
  name: 'guess',
  description: 'Guess the number.',
  input_schema: {
    type: 'object',
    properties: { number: { type: 'integer', minimum: 1, maximum: 10 } },
    required: ['number'],
  },
};
const LAX_GUESS = {
  ...GUESS,
  input_schema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
};
const HINT = { name: 'hint', description: 'Get a hint.', input_schema: null };

type Events = readonly (readonly [event: string, data: string])[];

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A small server with the environment `guess`, written from the documents. */
export async function serveGuess(ways: Partial<GuessWays>) {
  const guess = new Guess({ ...COMMON, ...ways });
  const http = createServer((request, response) => void guess.answer(request, response));
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /** Names of the called tools. */
    called: () => guess.called,
    /** Number of calls in episodes whose prompt was not read before. */
    callsBeforePrompt: () => guess.callsBeforePrompt,
    async [Symbol.asyncDispose]() {
      http.close();
      http.closeAllConnections();
    },
  };
}

interface GuessEpisode {
  isOver: boolean;
  hasPrompted: boolean;
}

class Guess {
  readonly called: unknown[] = [];
  callsBeforePrompt = 0;
  readonly #ways: GuessWays;
  readonly #live = new Map<string, GuessEpisode>();

  constructor(ways: GuessWays) {
    this.#ways = ways;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sendJson = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    try {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      const sid = String(request.headers['x-session-id']);
      if (request.url !== '/guess/call')
        return sendJson(200, this.#route(`${request.method} ${request.url}`, sid, body));
      const events = this.#call(this.#episode(sid), body);
      response.writeHead(200, { 'Content-Type': 'text/event-stream;charset=utf-8' });
      const { fault } = this.#ways;
      if (fault === 'breaks' || fault === 'lasts') {
        response.write('event: task_id\ndata: 1\n\n');
        return fault === 'breaks' ? void setTimeout(() => response.destroy(), 50) : undefined;
      }
      response.end(events.map(([event, data]) => `event: ${event}\ndata: ${data}\n\n`).join(''));
    } catch (error) {
      sendJson(error instanceof Refusal ? error.status : 500, { detail: String(error) });
    }
  }

  #route(route: string, sid: string, body: Record<string, unknown>): unknown {
    const guess = this.#ways.hidesLimits ? LAX_GUESS : GUESS;
    const tools = this.#ways.hidesLimits ? [guess] : this.#ways.parameters ? [guess, HINT] : [HINT];
    if (route === 'GET /list_environments') return ['guess'];
    if (route === 'GET /guess/tools') return { tools: this.#ways.isShared ? tools : [] };
    if (route === 'GET /guess/splits') return [{ name: 'train', type: 'train' }];
    if (route === 'POST /guess/num_tasks') return { num_tasks: 1 };
    if (route === 'POST /create_session') return { sid: randomUUID() };
    if (route === 'POST /create') {
      this.#live.set(sid, { isOver: false, hasPrompted: false });
      return { sid };
    }
    if (route === 'POST /guess/task' || route === 'POST /guess/task_range') {
      if (body.split !== 'train') throw new Refusal(400, 'no such split');
      return { task: {}, tasks: [{}] };
    }
    if (route === 'POST /delete' && this.#live.delete(sid)) return { sid };
    const episode = this.#episode(sid);
    if (route === 'GET /guess/prompt') {
      episode.hasPrompted = true;
      return [{ type: 'text', text: 'Guess.' }];
    }
    if (route === 'GET /guess/task_tools') return { tools };
    throw new Refusal(404, `there is no ${route}`);
  }

  #episode(sid: string): GuessEpisode {
    const episode = this.#live.get(sid);
    if (!episode) throw new Refusal(404, 'Session not found');
    return episode;
  }

  #call(episode: GuessEpisode, { name, input, task_id }: Record<string, unknown>): Events {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    if (typeof name !== 'string' || !isObject) throw new Refusal(422, 'name is a string, input an object');
    if (task_id !== undefined && typeof task_id !== 'string') throw new Refusal(400, 'task_id is a string');
    this.called.push(name);
    if (!episode.hasPrompted) this.callsBeforePrompt++;
    if (episode.isOver) return this.#refuse(400, 'the episode is over');
    const { number } = input as { number?: unknown };
    const isGuess = name === 'guess' && this.#ways.parameters;
    if (!isGuess && name !== 'hint') return this.#refuse(404, `unknown tool ${name}`);
    const isNumber = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= 10;
    if (isGuess && !isNumber) return this.#refuse(400, 'number must be between 1 and 10');
    if (this.#ways.statesInPrompt && !episode.hasPrompted) {
      return [
        ['task_id', randomUUID()],
        ['error', "'Guess' object has no attribute 'secret'"],
      ];
    }
    if (this.#ways.isBroken) return this.#end({ ok: false, error: 'hint: there are none today' });
    if (this.#ways.fault === 'errors') {
      return [
        ['task_id', randomUUID()],
        ['error', 'internal error'],
      ];
    }
    if (isGuess && !this.#ways.takesAny) return this.#end({ ok: false, error: 'guess: not this one' });
    if (isGuess) episode.isOver = true;
    const block = this.#ways.image
      ? { type: 'image', data: 'AAAA', mimeType: 'image/png', detail: null }
      : { type: 'text', text: 'No.', detail: null };
    const output = { blocks: [block], metadata: null, reward: isGuess ? 1 : null, finished: isGuess };
    return this.#end({ ok: true, output });
  }

  #refuse(status: number, reason: string): Events {
    if (this.#ways.refusal === 'status') throw new Refusal(status, reason);
    if (this.#ways.refusal === 'ok false') return this.#end({ ok: false, error: reason });
    return [
      ['task_id', randomUUID()],
      ['error', reason],
    ];
  }

  #end(result: unknown): Events {
    return [
      ['task_id', randomUUID()],
      ['end', JSON.stringify(result)],
    ];
  }
}

import { Connection, httpRequest } from '../../bench/load/connection.ts';
import type { HttpResponse } from '../../bench/load/response-parser.ts';
import { inTurns } from '../cluster/players.ts';
import { readResult } from '../support/http.ts';

/** Connections, and so requests at a time. */
const WIDTH = 32;

/** Requests of players, over connections that stay open until all of them leave. */
export interface Load extends AsyncDisposable {
  /** Opens an episode of a task and returns the id of its session. */
  readonly open: (index: number) => Promise<string>;
  /** The answer to a call; with a task_id, to one that may be known. */
  readonly call: (sid: string, name: string, input?: object, taskId?: string) => Promise<HttpResponse>;
  /** The status of the answer. */
  readonly ping: (sid: string) => Promise<number>;
  readonly close: (sid: string) => Promise<void>;
  /** Does something for each, as many at a time as there are connections. */
  readonly each: <In, Out>(items: readonly In[], work: (item: In) => Promise<Out>) => Promise<Out[]>;
}

/** Loads a server by connections that cost next to nothing, so that many sessions take minutes. */
export async function loadOn(url: string): Promise<Load> {
  const port = Number(new URL(url).port);
  const all = await Promise.all(Array.from({ length: WIDTH }, () => Connection.open(port)));
  const idle = [...all];
  const post = async (path: string, sid?: string, body?: object): Promise<HttpResponse> => {
    const connection = idle.pop();
    if (!connection) throw new Error(`more than ${WIDTH} requests at a time`);
    const reply = await connection.send(httpRequest('POST', path, sid, body));
    idle.push(connection);
    return reply;
  };
  const must = async (path: string, sid?: string, body?: object): Promise<HttpResponse> => {
    const reply = await post(path, sid, body);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`);
    return reply;
  };
  return {
    async open(index) {
      const { sid } = JSON.parse((await must('/create_session', undefined, {})).body);
      await must('/create', sid, { split: 'train', index });
      return sid;
    },
    call: (sid, name, input = {}, taskId?) =>
      must('/soak/call', sid, { name, input, ...(taskId !== undefined && { task_id: taskId }) }),
    ping: async (sid) => (await post('/ping', sid)).status,
    close: async (sid) => void (await must('/delete', sid)),
    each: (items, work) => inTurns(items, work, WIDTH),
    async [Symbol.asyncDispose]() {
      for (const connection of all) connection.close();
    },
  };
}

/** The text of a result. @throws Error with what came instead. */
export function textOf({ body }: Pick<HttpResponse, 'body'>): string {
  const result = readResult(body);
  const text = 'output' in result ? result.output?.blocks[0]?.text : undefined;
  if (text !== undefined) return text;
  throw new Error(`no result with a text: ${JSON.stringify(result).slice(0, 500)}`);
}

/** The task_id with which the answer to a call begins. */
export const taskIdOf = ({ body }: Pick<HttpResponse, 'body'>): string =>
  body.match(/^event: task_id\ndata: (.+)\n/)?.[1] ?? '';

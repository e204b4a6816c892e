import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server, not ours, that includes a text wherever it can. */
export interface EchoServer extends AsyncDisposable {
  readonly url: string;
  /** Received values of this header. */
  readonly heard: (header: string) => readonly string[];
}

const TOOLS = { tools: [{ name: 'say', description: 'Say.', input_schema: null }] };

/**
 * Starts an ORS server that echoes everything it receives, in several encodings, together with `evil`. It implements
 * enough of the standard to run all checks.
 */
export async function echoServer(evil = ''): Promise<EchoServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    const body = await text(request);
    const said = [request.rawHeaders.join('\n'), body, evil].join('\n');
    const echo = [said, encodeURIComponent(said), base64(said), base64(`x${said}`), base64(`xx${said}`)];
    response.setHeader('X-Echo', base64(said));
    response.setHeader('X-Plain', said.replace(/[^ -~]/g, ' '));
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.endsWith('/call')) {
      const output = {
        blocks: [{ type: 'text', text: echo.join('\n'), detail: null }],
        metadata: null,
        reward: 0,
        finished: false,
      };
      response.setHeader('Content-Type', 'text/event-stream');
      response.write(`event: task_id\ndata: 1\n\n: ${echo[1]}\n\n`);
      // Several chunks, so that a secret is split between two of them.
      const end = `event: end\ndata: ${JSON.stringify({ ok: true, output })}\n\n`;
      for (let at = 0; at < end.length; at += 700) response.write(end.slice(at, at + 700));
      return response.end();
    }
    const [status, answer] = answerTo(pathname, request, echo);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: (header) => requests.flatMap(({ headers }) => headers[header] ?? []),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const base64 = (value: string) => Buffer.from(value).toString('base64');

function answerTo(path: string, { headers }: IncomingMessage, echo: readonly string[]): [number, unknown] {
  const answers: Readonly<Record<string, unknown>> = {
    '/list_environments': ['echo'],
    '/echo/tools': TOOLS,
    '/echo/task_tools': TOOLS,
    '/echo/splits': [{ name: 'train', type: 'train' }],
    '/echo/num_tasks': { num_tasks: 1 },
    '/echo/tasks': { tasks: [{}], env_name: 'echo' },
    '/echo/prompt': [{ type: 'text', text: echo.join('\n'), detail: null }],
    '/create_session': { sid: crypto.randomUUID() },
    '/create': { sid: headers['x-session-id'], echo },
    '/delete': { sid: headers['x-session-id'] },
  };
  return path in answers ? [200, answers[path]] : [404, { detail: echo.join('\n') }];
}

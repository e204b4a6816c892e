import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder. */
export interface Scratch extends AsyncDisposable {
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => Promise<string>;
  readonly read: (name: string) => Promise<string>;
}

export async function scratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-conformance-'));
  const path = (name: string) => join(folder, name);
  return {
    path,
    read: (name) => readFile(path(name), 'utf8'),
    async write(name, text) {
      await writeFile(path(name), text);
      return path(name);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** A minimal server: an empty environment and a custom health response. */
export async function smallServer(health: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    if (request.url === '/health') return health(request, response);
    const answer = { '/list_environments': '["bare"]', '/bare/tools': '{"tools":[]}', '/bare/splits': '[]' }[
      request.url ?? ''
    ];
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(answer ?? '{"detail":"not found"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers /health with a text. */
export const says =
  (text: string): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);

export const HEALTHY = '{"status":"ok"}';

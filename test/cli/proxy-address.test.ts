import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { DEFAULT_STICKY, type ProxyEngine, parseListen, parseNodes } from '../../src/cli/proxy-config/plan.ts';
import { renderProxyConfig } from '../../src/cli/proxy-config/render.ts';
import { missing } from '../cluster/programs.ts';
import { startProxy } from '../cluster/proxies.ts';
import { request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { testUnless } from '../support/optional.ts';

/** How a connection to an address ended: the code of an error, or connected. */
function attempt(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('connect', () => socket.destroy());
  });
}

const engines: readonly ProxyEngine[] = ['nginx', 'haproxy'];

for (const engine of engines) {
  testUnless(missing(engine, `where ${engine} listens`))(
    `${engine} before servers of this machine listens on 127.0.0.1 and on no other address`,
    async () => {
      await using server = await start(lab().environment);
      await using proxy = await startProxy(engine, [`127.0.0.1:${server.port}`], (nodes, port) =>
        renderProxyConfig({
          engine,
          sticky: DEFAULT_STICKY[engine],
          nodes: parseNodes(nodes.join(',')),
          listen: parseListen(`${port}`),
        }),
      );
      const { port } = new URL(proxy.url);

      const { status, body } = await request(proxy, 'GET', '/list_environments');
      // A server on all addresses also has this one, which other machines cannot reach.
      const elsewhere = await attempt('127.0.0.2', Number(port));

      expect([status, body]).toEqual([200, ['lab']]);
      expect(elsewhere).toBe('ECONNREFUSED');
    },
  );
}

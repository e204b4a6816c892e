import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { withDeadline } from '../support/until.ts';

const root = new URL('../../', import.meta.url);
const folder = new URL('page/', import.meta.url);
const { exports } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));

/** Bare names as a bundler would resolve them; all else is native. */
const imports = {
  'ors-kit/client': `/${exports['./client'].default}`,
  'ors-kit/openapi': `/${exports['./openapi'].default}`,
  'ors-kit/trace': `/${exports['./trace'].default}`,
  openai: '/node_modules/openai/index.mjs',
  'openapi-fetch': '/node_modules/openapi-fetch/dist/index.mjs',
};
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

export interface Site extends AsyncDisposable {
  readonly url: string;
}

/** Serves the page, its modules compiled on the way, and the package as it is built. */
export async function openSite(): Promise<Site> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = url === '/' ? '/index.html' : url;
    const body = await read(path).catch(() => undefined);
    if (body === undefined) response.writeHead(404).end(`no ${path}`);
    else response.setHeader('Content-Type', types[extname(path)] ?? '').end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await withDeadline(once(server.close(), 'close'), 'the end of the site');
    },
  };
}

async function read(path: string): Promise<string> {
  if (/^\/(dist|node_modules)\//.test(path)) return readFile(new URL(`.${path}`, root), 'utf8');
  if (path === '/index.html') {
    const html = await readFile(new URL('index.html', folder), 'utf8');
    return html.replace('<!-- import map -->', `<script type="importmap">${JSON.stringify({ imports })}</script>`);
  }
  const file = fileURLToPath(new URL(`.${path.replace(/\.js$/, '.ts')}`, folder));
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return ts.transpileModule(await readFile(file, 'utf8'), { compilerOptions, fileName: file }).outputText;
}

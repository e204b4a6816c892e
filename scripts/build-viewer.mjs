/**
 * Builds the page of the viewer, or serves its sources for development.
 *
 *   node scripts/build-viewer.mjs                                             # builds into dist/viewer
 *   node scripts/build-viewer.mjs --dev 5173 --to http://127.0.0.1:8080       # serves the sources, with the API of that server
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, createServer } from 'vite';
import { licensesPlugin } from './licenses.mjs';

const root = fileURLToPath(new URL('../src/viewer/page', import.meta.url));

/** Modules that most pages of the viewer load. */
const SHARED = /[\\/]src[\\/](core|protocol|viewer[\\/]page[\\/](api|parts))[\\/]/;

/** Builds the page and its assets, whose names contain a hash of their content. */
export async function buildViewer(outDir) {
  const { NODE_ENV } = process.env;
  // In tests NODE_ENV is 'test', which would create a development build.
  process.env.NODE_ENV = 'production';
  try {
    await bundle(outDir);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

const bundle = (outDir) =>
  build({
    root,
    base: './',
    configFile: false,
    logLevel: 'warn',
    // Behind a proxy that changes the host name, `crossorigin` would make requests for the page's own files fail.
    plugins: [
      {
        name: 'same-origin',
        transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll(' crossorigin', '') },
      },
      licensesPlugin(),
    ],
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      // The content security policy of the page allows scripts and styles only as files of its server.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        checks: { bundlerTimings: false },
        // In one file, since many small files are larger when they are compressed.
        output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 8 }] } },
      },
      target: 'es2022',
    },
  });

async function develop(port, target) {
  const page = await fetch(`${target}/ui/`, { headers: { Accept: 'text/html' } });
  const [offers = ''] = (await page.text()).match(/<meta name="ors-offers" content="[^"]*">/) ?? [];
  const server = await createServer({
    root,
    base: '/ui/',
    configFile: false,
    server: {
      port,
      host: '127.0.0.1',
      strictPort: true,
      proxy: { '^/(?!ui/)': { target, changeOrigin: true, headers: { origin: target } } },
    },
    plugins: [
      {
        name: 'offers',
        transformIndexHtml: (html) => html.replace(/<meta name="ors-offers" content="">/, offers),
      },
    ],
  });
  await server.listen();
  console.log(`the sources of the viewer, with the API of ${target}: http://127.0.0.1:${port}/ui/`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { dev: { type: 'string' }, to: { type: 'string' } } });
  if (values.dev === undefined) await buildViewer('dist/viewer');
  else await develop(Number(values.dev), values.to ?? 'http://127.0.0.1:8080');
}

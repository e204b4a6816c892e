/**
 * Builds the viewer's page, or serves its sources while they are written.
 *
 *   node scripts/build-viewer.mjs                                  # into dist/viewer
 *   node scripts/build-viewer.mjs --dev 5173 --to http://127.0.0.1:8080   # with what that server offers
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, createServer } from 'vite';
import { licensesPlugin } from './licenses.mjs';

const root = fileURLToPath(new URL('../src/viewer/page', import.meta.url));

/** The page is one file with all that it needs beside it; assets are named after what they hold. */
export async function buildViewer(outDir) {
  const { NODE_ENV } = process.env;
  // The one of a test would have it built for developers.
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
    // Proxies that change the name of the host would make its own page a stranger.
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
      // The page's security policy takes no script or style but files of its server.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // How long the build took is nobody's concern.
      rolldownOptions: { checks: { bundlerTimings: false } },
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
  console.log(`the viewer's sources, over ${target}: http://127.0.0.1:${port}/ui/`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { dev: { type: 'string' }, to: { type: 'string' } } });
  if (values.dev === undefined) await buildViewer('dist/viewer');
  else await develop(Number(values.dev), values.to ?? 'http://127.0.0.1:8080');
}

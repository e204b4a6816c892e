/**
 * Compiles the package into dist/ and puts the files of its web pages beside it. It builds aside and then swaps, so that
 * what runs from dist/ meanwhile never meets half of it.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildViewer } from './build-viewer.mjs';

const require = createRequire(import.meta.url);
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];
/** What code reads from the folder that it stands in. */
const PAGES_BESIDE_CODE = ['src/conformance/report/page'];

mkdirSync('.cache', { recursive: true });
const aside = mkdtempSync('.cache/build-');
const built = join(aside, 'dist');
try {
  compile();
  copyPages();
  await buildViewer(join(built, 'viewer'));
  if (existsSync('dist')) renameSync('dist', join(aside, 'before'));
  renameSync(built, 'dist');
} catch (error) {
  // The compiler has said what is wrong.
  if (error.status === undefined) throw error;
  process.exitCode = 1;
} finally {
  rmSync(aside, { recursive: true });
}

function compile() {
  const compiler = require.resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', built], { stdio: 'inherit' });
  chmodSync(join(built, 'src/cli/main.js'), 0o755);
}

function copyPages() {
  const pages = join(built, 'pages');
  cpSync('src/server/pages', pages, { recursive: true });
  const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const file of SWAGGER_FILES) copyFileSync(join(swagger, file), join(pages, file));
  for (const folder of PAGES_BESIDE_CODE) cpSync(folder, join(built, folder), { recursive: true });
}

/**
 * Compiles the package into dist/, with the files of its web pages. The build is written to a temporary folder, which
 * is then renamed, so that programs that run from dist/ never load an incomplete build.
 *
 * The code is bundled, because a server with hundreds of small modules spends most of its start on resolving and
 * reading them. Dynamically imported modules remain separate files. Names are not minified, because errors show them.
 * Types remain one file per module, without what no entry point of the package reaches.
 *
 *   node scripts/build.mjs                # builds everything
 *   node scripts/build.mjs --keep-types   # keeps the types of the previous build
 *   node scripts/build.mjs --keep-pages   # keeps its web pages: the viewer and /docs/
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildViewer } from './build-viewer.mjs';
import { writeLicenses } from './licenses.mjs';
import { pruneTypes } from './prune-types.mjs';

const require = createRequire(import.meta.url);
const SWAGGER_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png',
].concat('LICENSE', 'NOTICE');
/** Entry points of worker threads. */
const WORKERS = ['src/hosting/worker.ts', 'src/conformance/inputs/worker.ts'];
/** Parts that `ors-kit/client` and `ors-kit/bridges/replay` load, which need little of `core`. */
const SMALL_PARTS =
  /[\\/]src[\\/](core|sse|protocol|schema|environment|client|openapi|trace[\\/](model|fit|formats)|bridges[\\/]replay)[\\/]/;
/** Indexes from which small parts import. */
const SMALL_INDEXES = [
  'src/core/index.ts',
  'src/protocol/index.ts',
  'src/schema/index.ts',
  'src/environment/index.ts',
  'src/trace/model/index.ts',
  'src/trace/fit/index.ts',
];
/** Folders of files that the code reads by relative paths. */
const RUNTIME_FOLDERS = ['src/conformance/report/page'];

mkdirSync('.cache', { recursive: true });
const temporary = mkdtempSync('.cache/build-');
const built = join(temporary, 'dist');
try {
  writeTypes();
  await bundle();
  for (const folder of RUNTIME_FOLDERS) cpSync(folder, join(built, folder), { recursive: true });
  await writePages();
  if (existsSync('dist')) renameSync('dist', join(temporary, 'before'));
  renameSync(built, 'dist');
} catch (error) {
  // The compiler has printed its errors.
  if (error.status === undefined) throw error;
  process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true });
}

function writeTypes() {
  if (process.argv.includes('--keep-types')) {
    cpSync('dist', built, { recursive: true, filter: (path) => !extname(path) || path.endsWith('.d.ts') });
    return;
  }
  // TypeScript 7 takes a quarter of the time of 5, which is needed for its API.
  const args = [
    'node_modules/typescript-7/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--emitDeclarationOnly',
    '--outDir',
    built,
  ];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.values(exports).flatMap(({ types = [] }) => types);
  pruneTypes(
    built,
    entries.map((file) => join(built, file.replace('./dist/', ''))),
  );
}

async function bundle() {
  const { metafile } = await build({
    entryPoints: [...packageEntries(), ...WORKERS],
    outbase: '.',
    outdir: built,
    chunkNames: 'src/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
    metafile: true,
    plugins: [directImports(...SMALL_INDEXES)],
  });
  writeLicenses(Object.keys(metafile.inputs), built);
  chmodSync(join(built, 'src/cli/main.js'), 0o755);
}

/**
 * Replaces imports from indexes, in small parts, by imports from the modules that they export. Otherwise the entries of
 * these parts would load all of the modules, because esbuild splits code by files. In all parts, this would make twice as
 * many files, which a server loads when it starts.
 */
function directImports(...indexes) {
  const sourcesByIndex = new Map(indexes.map((index) => [resolve(index), exportedNames(index)]));
  const sourceOf = (module, name) => {
    const source = sourcesByIndex.get(module)?.get(name);
    // An index may export names of another one.
    return source === undefined ? module : sourceOf(source, name);
  };
  const statement = /^(import|export) \{([^}]*)\} from '(\.[^']+)';/gm;
  const rewrite = (path) => (text, keyword, names, module) => {
    const index = resolve(dirname(path), module);
    if (!sourcesByIndex.has(index)) return text;
    const values = names.split(',').filter((name) => name.trim() !== '' && !name.trim().startsWith('type '));
    return values
      .map((name) => `${keyword} {${name}} from ${JSON.stringify(sourceOf(index, name.trim().split(' ')[0]))};`)
      .join(' ');
  };
  return {
    name: 'direct-imports',
    setup({ onLoad }) {
      onLoad({ filter: SMALL_PARTS }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(statement, rewrite(path)),
        loader: 'ts',
      }));
    },
  };
}

/** Returns the modules of the names that an index exports. */
function exportedNames(index) {
  const modules = new Map();
  for (const [, names, module] of readFileSync(index, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)';/gm)) {
    for (const name of names.match(/[\w$]+(?=\s*(,|$))/g)) modules.set(name, resolve(dirname(index), module));
  }
  return modules;
}

/** Lists the sources of the entry points in package.json. */
function packageEntries() {
  const { exports, bin, browser } = JSON.parse(readFileSync('package.json', 'utf8'));
  const modules = Object.values(exports).flatMap((entry) => entry.default ?? []);
  return [...new Set([...modules, ...Object.values(bin), ...Object.keys(browser)])].map((file) =>
    file.replace('./dist/', '').replace(/\.js$/, '.ts'),
  );
}

async function writePages() {
  const folders = ['pages', 'viewer'];
  if (process.argv.includes('--keep-pages')) {
    for (const folder of folders) cpSync(join('dist', folder), join(built, folder), { recursive: true });
    return;
  }
  copyPages(join(built, 'pages'));
  await buildViewer(join(built, 'viewer'));
  for (const folder of folders) compressLargeFiles(join(built, folder));
}

function copyPages(pages) {
  cpSync('src/server/pages', pages, { recursive: true });
  const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const file of SWAGGER_FILES) copyFileSync(join(swagger, file), join(pages, file));
}

/** Replaces large files of web pages by Brotli files, which the server sends as they are: package and pages are smaller. */
function compressLargeFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!['.js', '.css'].includes(extname(path)) || statSync(path).size < 16 * 1024) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
    rmSync(path);
  }
}

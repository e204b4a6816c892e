import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect } from '@jest/globals';
import { errorMessage, fieldsOf } from '../../src/core/index.ts';
import { type AnyClient, misdirectedCalls, type Operations } from '../generate/generated-client.ts';
import { ORS } from '../support/command.ts';
import { testUnless } from '../support/optional.ts';
import { mib, note } from './note.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Public specifications that packages ship, with the versions that were tried last. */
const SPECIFICATIONS = [
  { packageName: '@octokit/openapi', version: '23.0.2', file: 'generated/api.github.com.json' },
  { packageName: '@octokit/openapi', version: '23.0.2', file: 'generated/ghec.json' },
  { packageName: '@octokit/openapi', version: '23.0.2', file: 'generated/ghes-3.19.json' },
  { packageName: 'shipengine-openapi', version: '1.4.0', file: 'openapi.json' },
  { packageName: '@gitbook/api', version: '0.202.0', file: 'spec/openapi.json' },
  { packageName: '@readme/oas-examples', version: '8.2.2', file: '3.1/json/readme.json' },
  { packageName: '@readme/oas-examples', version: '8.2.2', file: '3.0/json/star-trek.json' },
  { packageName: '@readme/oas-examples', version: '8.2.2', file: '3.1/json/train-travel.json' },
  { packageName: '@blockfrost/openapi', version: '0.1.93', file: 'openapi.yaml' },
  { packageName: '@figma/rest-api-spec', version: '0.43.0', file: 'openapi/openapi.yaml' },
  { packageName: 'rclone-openapi', version: '1.75.0', file: 'openapi.json' },
  { packageName: '@directus/specs', version: '15.2.0', file: 'dist/openapi.json' },
  { packageName: '@digdir/dialogporten-schema', version: '1.40.0', file: 'swagger.verified.json' },
] as const;

/** Versions of the compiler that projects may have. */
const COMPILERS = ['5.6', '5.8', '5.9', '6.0', '7.0'];
/** Compiler for all specifications, and the specification for all compilers. */
const DEFAULT_COMPILER = '5.9';
const DEFAULT_SPECIFICATION = '@figma/rest-api-spec/openapi/openapi.yaml';

/** Options of a strict project, which also checks declarations of packages. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  },
  include: ['*.ts'],
};

/** Prints the memory of a process when it ends, and its CPU time. */
const MEASURE = `data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();
process.stderr.write('usage '+JSON.stringify({kib:u.maxRSS,ms:(u.userCPUTime+u.systemCPUTime)/1000})+'\\n')})`;

await mkdir(join(root, '.cache'), { recursive: true });
// Inside of the checkout, so that generated files can import the packages.
const folder = await mkdtemp(join(root, '.cache/specifications-'));
afterAll(() => rm(folder, { recursive: true }));

const installed = async (): Promise<string | undefined> => {
  const packages = SPECIFICATIONS.map(({ packageName, version }) => `${packageName}@${version}`);
  const compilers = COMPILERS.map((version) => `typescript-${version}@npm:typescript@~${version}.0`);
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  try {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--omit=peer'];
    await run('npm', ['install', ...options, ...new Set(packages), ...compilers], { cwd: folder });
  } catch (error) {
    return `public specifications: npm cannot install them (${errorMessage(error).split('\n').slice(0, 2).join(' ')})`;
  }
  // Clients of event streams import it.
  await symlink(root, join(folder, 'node_modules/ors-kit'));
  return undefined;
};
const missing = await installed();

interface Generated {
  readonly out: string;
  readonly name: string;
}

const generated = new Map<string, Promise<Generated>>();

/** Generates the files of a specification once, by the command. */
function generate(file: string): Promise<Generated> {
  const known = generated.get(file) ?? generateNow(file);
  generated.set(file, known);
  return known;
}

async function generateNow(file: string): Promise<Generated> {
  const out = join(folder, 'out', file.replaceAll(/\W+/g, '-'));
  const path = join(folder, 'node_modules', file);
  const [node, main] = ORS;
  const begin = performance.now();
  const { stderr } = await run(node, ['--import', MEASURE, main, 'generate', path, '--out', out], {
    maxBuffer: 2 ** 26,
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const usage = JSON.parse(/^usage (.*)$/m.exec(stderr)?.[1] ?? '{}');
  const { size } = await stat(path);
  const { operations } = await import(join(out, `${nameOf(file)}-operations.ts`));
  const count = Object.keys(operations).length;
  const cpu = (usage.ms / 1000).toFixed(1);
  note(`${file}: ${mib(size)}, ${count} operations; ${seconds} s, CPU ${cpu} s, ${mib(usage.kib * 1024)}`);
  await writeFile(join(out, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  return { out, name: nameOf(file) };
}

const nameOf = (file: string): string =>
  basename(file)
    .replace(/\.(ya?ml|json)$/i, '')
    .replace(/\.(openapi|schema)$/i, '');

/** Compiles a folder. @returns nothing, or the first lines of the errors */
async function compile(out: string, version: string): Promise<string> {
  const home = join(folder, 'node_modules', `typescript-${version}`);
  const { bin } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  const args = ['--max-old-space-size=4096', join(home, bin.tsc), '--project', out];
  try {
    await run(process.execPath, args, { maxBuffer: 2 ** 26 });
    return '';
  } catch (error) {
    const { stdout = '', stderr = '' } = fieldsOf(error);
    return `${errorMessage(error)}\n${stdout}${stderr}`.split('\n').slice(0, 20).join('\n');
  }
}

const files = SPECIFICATIONS.map(({ packageName, file }) => `${packageName}/${file}`);

testUnless(missing).each(files)('generates a client of %s, which compiles and calls every operation', async (file) => {
  const { out, name } = await generate(file);
  const operations: Operations = (await import(join(out, `${name}-operations.ts`))).operations;
  const [create] = Object.values<(options: object) => AnyClient>(await import(join(out, `${name}-client.ts`)));
  await import(join(out, `${name}-validators.ts`));

  const wrong = create && (await misdirectedCalls(operations, create));
  const errors = await compile(out, DEFAULT_COMPILER);

  expect({ wrong, errors }).toEqual({ wrong: [], errors: '' });
});

testUnless(missing).each(COMPILERS)('generates code that TypeScript %s compiles', async (version) => {
  const { out } = await generate(DEFAULT_SPECIFICATION);

  expect(await compile(out, version)).toBe('');
});

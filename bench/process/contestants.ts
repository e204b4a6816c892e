import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const contestantNames = ['ours', 'express', 'reference', 'openreward', 'bare', 'fastify'] as const;
export type ContestantName = (typeof contestantNames)[number];

export interface Contestant {
  name: string;
  command: string;
  args: readonly string[];
  /** Whether its server may run on all cores. Default: on core 0, where this machine can pin processes. */
  usesAllCores?: boolean;
}

interface Description {
  /** What it is, for `--help` and the document. */
  about: string;
  /** The line that says why it cannot run here, and what to do; undefined if it can. */
  missing: () => string | undefined;
  make: () => Omit<Contestant, 'name'>;
}

const root = new URL('../../', import.meta.url);
const inCache = (path: string) => fileURLToPath(new URL(`.cache/${path}`, root));
const python = inCache('python/bin/python');
const fastify = inCache('bench/fastify/node_modules/fastify/fastify.js');

/** By its manifest, where that is. */
function versionOf(manifest: string): string {
  return existsSync(manifest) ? ` ${JSON.parse(readFileSync(manifest, 'utf8')).version}` : '';
}
const expressVersion = versionOf(fileURLToPath(new URL('node_modules/express/package.json', root)));
const fastifyVersion = versionOf(inCache('bench/fastify/node_modules/fastify/package.json'));

const requirements = readFileSync(new URL('test/interop/requirements.txt', root), 'utf8');
const pinned = (name: string): string => new RegExp(`^${name}==(.+)$`, 'm').exec(requirements)?.[1] ?? '';

const notBuilt = () => (isBuilt() ? undefined : 'ors-kit is not built (run `npm run build`, then this again).');
const noPython = () =>
  existsSync(python) ? undefined : 'there is no Python with it in .cache/python (`sh scripts/python.sh` prepares it).';
const noFastify = () =>
  existsSync(fastify) ? undefined : 'it is not in .cache/bench/fastify (`sh scripts/fastify.sh` installs it).';

const inNode = (server: string, ...args: string[]) => ({
  command: process.execPath,
  args: [compiled(server), ...args],
});
const inPython = (module: string) => ({
  command: python,
  args: [fileURLToPath(new URL('bench/servers/reference.py', root)), module],
});

export const contestants: Readonly<Record<ContestantName, Description>> = {
  ours: { about: 'ors-kit as it is', missing: notBuilt, make: ours },
  express: {
    about: `ors-kit with every request through Express${expressVersion}`,
    missing: notBuilt,
    make: () => ours({ direct: false }),
  },
  reference: {
    about: `the server of ors-sdk ${pinned('ors-sdk')} for Python`,
    missing: noPython,
    make: () => inPython('ors'),
  },
  openreward: {
    about: `the server of openreward ${pinned('openreward')} for Python`,
    missing: noPython,
    make: () => inPython('openreward.environments'),
  },
  bare: {
    about: 'node:http with 150 lines of code, comments and blank lines aside, that do the same work',
    missing: () => undefined,
    make: () => inNode('bare'),
  },
  fastify: {
    about: `Fastify${fastifyVersion} with the same work`,
    missing: noFastify,
    make: () => inNode('fastify', fastify),
  },
};

/** What `servers/ours.ts` serves: how many of each, and by which entrance. */
export interface Shape {
  environments?: number;
  tools?: number;
  tasks?: number;
  direct?: boolean;
}

/** Our server with more in it, or without its direct entrance. */
export function ours(shape: Shape = {}): Omit<Contestant, 'name'> {
  return inNode('ours', JSON.stringify(shape));
}

/** A server that does nothing, beside the bare one. */
export const hello = (): Contestant => ({ name: 'hello', ...inNode('hello') });

/** The contestants that can run here, and for each other one the line that says why not and what to do. */
export function findContestants(wanted: readonly ContestantName[]): { contestants: Contestant[]; missing: string[] } {
  const reasons = wanted.map((name) => ({ name, reason: contestants[name].missing() }));
  return {
    contestants: reasons
      .filter(({ reason }) => reason === undefined)
      .map(({ name }) => ({ name, ...contestants[name].make() })),
    missing: reasons.flatMap(({ name, reason }) => (reason === undefined ? [] : [`Without ${name}: ${reason}`])),
  };
}

function isBuilt(): boolean {
  try {
    return existsSync(createRequire(import.meta.url).resolve('ors-kit/server'));
  } catch {
    return false;
  }
}

/**
 * Writes a server of `bench/servers`, and the files that it imports beside it, as plain JavaScript and returns its path.
 * A measured process must not carry a TypeScript loader, and must take `ors-kit` from the built package, not from the
 * sources.
 */
export function compiled(name: string): string {
  const source = readFileSync(new URL(`bench/servers/${name}.ts`, root), 'utf8');
  for (const [, beside = ''] of source.matchAll(/ from '\.\/([\w-]+)\.ts';/g)) compiled(beside);
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
    },
  });
  const folder = new URL('.cache/bench/', root);
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(`${name}.js`, folder));
  // Another process may be loading it.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, outputText);
  renameSync(draft, path);
  return path;
}

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mcp } from '../load/mcp.ts';
import { openenv } from '../load/openenv.ts';
import type { Protocol } from '../load/protocol.ts';
import { compile, isBuilt, NOT_BUILT } from './compile.ts';

export const contestantNames = [
  'ours',
  'express',
  'reference',
  'openreward',
  'bare',
  'fastify',
  'mcp-v1',
  'mcp-v2',
  'openenv',
] as const;
export type ContestantName = (typeof contestantNames)[number];
/** Servers of other protocols. */
export const otherProtocolNames = ['mcp-v1', 'mcp-v2', 'openenv'] as const satisfies readonly ContestantName[];
/** Servers that a user would choose instead of ours. */
export const peerNames = ['reference', 'openreward', ...otherProtocolNames] as const;

/** A server that is measured. */
export interface Contestant {
  name: string;
  command: string;
  args: readonly string[];
  /** Default: the Open Reward Standard. */
  protocol?: Protocol;
  /** Lets the server run on all cores. Default: it is pinned to core 0 if this machine can pin processes. */
  usesAllCores?: boolean;
}

interface ContestantDefinition {
  /** Description for `--help` and the document. */
  about: string;
  /** Returns why it cannot run here and what to do, or undefined if it can. */
  missing: () => string | undefined;
  make: () => Omit<Contestant, 'name'>;
}

const root = new URL('../../', import.meta.url);
const inCache = (path: string) => fileURLToPath(new URL(`.cache/${path}`, root));
const python = inCache('python/bin/python');
const fastify = inCache('bench/fastify/node_modules/fastify/fastify.js');

/** Reads the version from a package.json, with a leading space; empty if the package is not installed. */
function versionOf(manifest: string): string {
  return existsSync(manifest) ? ` ${JSON.parse(readFileSync(manifest, 'utf8')).version}` : '';
}
const expressVersion = versionOf(fileURLToPath(new URL('node_modules/express/package.json', root)));
const fastifyVersion = versionOf(inCache('bench/fastify/node_modules/fastify/package.json'));

/** Path of the package.json of a package of the MCP TypeScript SDK in a folder of .cache/bench. */
const mcpManifest = (folder: string, name: string) =>
  inCache(`bench/${folder}/node_modules/@modelcontextprotocol/${name}/package.json`);
const mcpV1 = mcpManifest('mcp-v1', 'sdk');
const mcpV2 = mcpManifest('mcp-v2', 'server');
/** The installed requirements of the server of OpenEnv. */
const openenvRequirements = inCache('bench/openenv/requirements.txt');

const requirements = readFileSync(new URL('test/interop/requirements.txt', root), 'utf8');
const pinned = (name: string, text = requirements): string => new RegExp(`^${name}==(.+)$`, 'm').exec(text)?.[1] ?? '';
const openenvVersion = existsSync(openenvRequirements)
  ? ` ${pinned('openenv', readFileSync(openenvRequirements, 'utf8'))}`
  : '';

const notBuilt = () => (isBuilt('ors-kit/server') ? undefined : NOT_BUILT);
const noPython = () =>
  existsSync(python) ? undefined : '.cache/python has no Python environment (install it with `sh scripts/python.sh`)';
const noFastify = () =>
  existsSync(fastify) ? undefined : 'it is not in .cache/bench/fastify (install it with `sh scripts/fastify.sh`)';

const noPeer = (file: string, folder: string) => () =>
  existsSync(file) ? undefined : `it is not in .cache/bench/${folder} (install it with \`sh scripts/bench-peers.sh\`)`;

const inNode = (server: string, ...args: string[]) => ({
  command: process.execPath,
  args: [compileServer(server), ...args],
});
/** Compiles a server into the folder of the packages that it imports. */
const besidePackages = (server: string) => ({
  command: process.execPath,
  args: [compileServer(server, `${server}/`)],
});
const inPython = (module: string) => ({
  command: python,
  args: [fileURLToPath(new URL('bench/servers/reference.py', root)), module],
});

export const contestants: Readonly<Record<ContestantName, ContestantDefinition>> = {
  ours: { about: 'ors-kit with its default settings', missing: notBuilt, make: ours },
  express: {
    about: `ors-kit with all requests through Express${expressVersion}, without the fast path`,
    missing: notBuilt,
    make: () => ours({ fastPath: false }),
  },
  reference: {
    about: `the Python server of ors-sdk ${pinned('ors-sdk')}`,
    missing: noPython,
    make: () => inPython('ors'),
  },
  openreward: {
    about: `the Python server of openreward ${pinned('openreward')}`,
    missing: noPython,
    make: () => inPython('openreward.environments'),
  },
  bare: {
    about: 'node:http with 160 lines of code (without comments and blank lines) for the same work',
    missing: () => undefined,
    make: () => inNode('bare'),
  },
  fastify: {
    about: `Fastify${fastifyVersion} with the same code for the work`,
    missing: noFastify,
    make: () => inNode('fastify', fastify),
  },
  'mcp-v1': {
    about: `@modelcontextprotocol/sdk${versionOf(mcpV1)} with its Express app`,
    missing: noPeer(mcpV1, 'mcp-v1'),
    make: () => ({ ...besidePackages('mcp-v1'), protocol: mcp }),
  },
  'mcp-v2': {
    about: `@modelcontextprotocol/server${versionOf(mcpV2)} with its adapter for node:http`,
    missing: noPeer(mcpV2, 'mcp-v2'),
    make: () => ({ ...besidePackages('mcp-v2'), protocol: mcp }),
  },
  openenv: {
    about: `the Python server of openenv${openenvVersion}, over its WebSocket`,
    missing: noPeer(openenvRequirements, 'openenv'),
    make: () => ({
      command: inCache('bench/openenv/bin/python'),
      args: [fileURLToPath(new URL('bench/servers/openenv_environment.py', root))],
      protocol: openenv,
    }),
  },
};

/** Journal of a server. */
export interface ServerJournal {
  location: string;
  mode: 'sync' | 'async';
}

/** Argument of `servers/ours.ts`: the number of environments, tools and tasks, the fast path, and the journal. */
export interface ServerSize {
  environments?: number;
  tools?: number;
  tasks?: number;
  fastPath?: boolean;
  durability?: 'replay';
  journal?: ServerJournal;
}

/** Our server, by default with one environment, three tools and one task. */
export function ours(size: ServerSize = {}): Omit<Contestant, 'name'> {
  return inNode('ours', JSON.stringify(size));
}

/** A server that responds to every request with one word. */
export const hello = (): Contestant => ({ name: 'hello', ...inNode('hello') });

/** @returns the contestants that can run here, and a line for each other one that says why not and what to do. */
export function findContestants(wanted: readonly ContestantName[]): { contestants: Contestant[]; missing: string[] } {
  const reasons = wanted.map((name) => ({ name, reason: contestants[name].missing() }));
  return {
    contestants: reasons
      .filter(({ reason }) => reason === undefined)
      .map(({ name }) => ({ name, ...contestants[name].make() })),
    missing: reasons.flatMap(({ name, reason }) => (reason === undefined ? [] : [`Without ${name}: ${reason}.`])),
  };
}

/**
 * Compiles a program of `bench/servers` and the files that it imports from there, and returns its path.
 *
 * @param folder Folder in .cache/bench, with a trailing slash. Default: .cache/bench itself.
 */
export const compileServer = (name: string, folder = ''): string =>
  compile(new URL(`bench/servers/${name}.ts`, root), new URL(`.cache/bench/${folder}`, root));

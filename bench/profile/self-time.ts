import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';

export interface Share {
  name: string;
  /** Part of the busy time, 0 to 1. */
  share: number;
}

export interface SelfTime {
  owners: Share[];
  functions: Share[];
  idleShare: number;
}

type Frame = Profiler.ProfileNode['callFrame'];

/**
 * Sums the self time of a profile by owner and by function. A native function has no source file, so its time counts
 * for the owner of the nearest caller that has one.
 */
export function selfTime({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): SelfTime {
  const micros = new Map<number, number>();
  for (const [index, id] of samples.entries()) micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[index] ?? 0));

  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  const ownerById = inheritOwners(nodes);
  let idle = 0;
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const time = micros.get(id) ?? 0;
    if (callFrame.functionName === '(idle)') {
      idle += time;
      continue;
    }
    busy += time;
    const owner = ownerById.get(id) ?? 'unknown';
    add(owners, owner, time);
    add(functions, functionName(callFrame, owner), time);
  }
  return { owners: sharesOf(owners, busy), functions: sharesOf(functions, busy), idleShare: idle / (idle + busy) };
}

function inheritOwners(nodes: readonly Profiler.ProfileNode[]): Map<number, string> {
  const owners = new Map<number, string>();
  // V8 lists a caller before the functions that it calls.
  for (const { id, callFrame, children = [] } of nodes) {
    const owner = ownerOf(callFrame) ?? owners.get(id) ?? 'node: outside JavaScript';
    owners.set(id, owner);
    for (const child of children) owners.set(child, owner);
  }
  return owners;
}

/** Packages that are reported as one. */
const packageGroups: Readonly<Record<string, string>> = {
  'body-parser': 'body-parser and raw-body',
  'raw-body': 'body-parser and raw-body',
};

/**
 * Finds the owner of a function: a package, one of our parts, a module of Node, or the garbage collector. Undefined for
 * a native function, which counts for its caller.
 */
function ownerOf({ functionName, url, scriptId, lineNumber }: Frame): string | undefined {
  if (functionName === '(garbage collector)') return 'gc';
  if (functionName === '(program)') return 'node: outside JavaScript';
  if (url === '') return scriptId === '0' ? undefined : 'compiled at run time (validators)';
  if (url.startsWith('node:')) return url;
  const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
  if (name !== undefined) return packageGroups[name] ?? name;
  const source = sourceOf(url, lineNumber);
  return source === undefined ? shortPath(url) : (/^(src\/[^/]+|generated)\//.exec(source)?.[1] ?? source);
}

function functionName(frame: Frame, owner: string): string {
  const { functionName: name, url, lineNumber } = frame;
  const file = sourceOf(url, lineNumber) ?? `${shortPath(url)}:${lineNumber + 1}`;
  return `${name === '' ? '(anonymous)' : name}  ${url === '' ? `native, for ${owner}` : file}`;
}

/** Shortens the URL of a file: starts at the name of the package, or at our own folder. */
function shortPath(url: string): string {
  return /(?:.*\/node_modules\/|.*\/dist\/|.*\/\.cache\/)(.+)$/.exec(url)?.[1] ?? url;
}

/** The start of a source file in a bundled file. */
interface BundledSource {
  readonly line: number;
  readonly source: string;
}

const sourcesByBundle = new Map<string, readonly BundledSource[]>();

/** Finds the source file of a line of the built package, by the comments with file names that the bundler writes. */
function sourceOf(url: string, lineNumber: number): string | undefined {
  if (!/^file:.*\/dist\/src\/.*\.js$/.test(url)) return undefined;
  const sources = sourcesByBundle.get(url) ?? readSources(url);
  sourcesByBundle.set(url, sources);
  return sources.findLast(({ line }) => line <= lineNumber)?.source;
}

const readSources = (url: string): BundledSource[] =>
  readFileSync(fileURLToPath(url), 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const source = /^\/\/ ((?:src|generated)\/\S+\.ts)$/.exec(text)?.[1];
      return source === undefined ? [] : [{ line, source }];
    });

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function sharesOf(sums: ReadonlyMap<string, number>, whole: number): Share[] {
  return [...sums]
    .map(([name, sum]) => ({ name, share: sum / whole }))
    .filter(({ share }) => share >= 0.0005)
    .sort((a, b) => b.share - a.share);
}

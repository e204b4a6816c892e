import type { Profiler } from 'node:inspector';
import { bundledSource } from './bundled-source.ts';

type Frame = Profiler.ProfileNode['callFrame'];

const packagePattern = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/;

/** Packages that are one thing to a reader. */
const groups: Readonly<Record<string, string>> = {
  'body-parser': 'body-parser and raw-body',
  'raw-body': 'body-parser and raw-body',
};

/**
 * Who a function belongs to: a package, one of our parts, a module of Node, the collector. Undefined for a native
 * function, which belongs to whoever called it.
 */
export function ownerOf({ functionName, url, scriptId, lineNumber }: Frame): string | undefined {
  if (functionName === '(garbage collector)') return 'gc';
  if (functionName === '(program)') return 'node: outside JavaScript';
  if (url === '') return scriptId === '0' ? undefined : 'compiled at run time (validators)';
  if (url.startsWith('node:')) return url;
  const name = packagePattern.exec(url)?.[1];
  if (name !== undefined) return groups[name] ?? name;
  const source = bundledSource(url, lineNumber);
  return source === undefined ? placeOf(url) : (/^(src\/[^/]+|generated)\//.exec(source)?.[1] ?? source);
}

/** Where a function stands: in one of our sources, or in a line of a file. */
export function functionPlace({ url, lineNumber }: Frame): string {
  return bundledSource(url, lineNumber) ?? `${placeOf(url)}:${lineNumber + 1}`;
}

/** The part of an address that tells something: from the package's name, or from our own folder on. */
function placeOf(url: string): string {
  return /(?:.*\/node_modules\/|.*\/dist\/|.*\/\.cache\/)(.+)$/.exec(url)?.[1] ?? url;
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const contestantNames = ['ours', 'reference', 'bare'] as const;
export type ContestantName = (typeof contestantNames)[number];

export interface Contestant {
  name: string;
  command: string;
  args: readonly string[];
  /** Whether its server may run on all cores. Default: on core 0, where this machine can pin processes. */
  usesAllCores?: boolean;
}

const root = new URL('../../', import.meta.url);
const python = fileURLToPath(new URL('.cache/python/bin/python', root));

/** The contestants that can run here, and for each other one the line that says why not and what to do. */
export function findContestants(wanted: readonly ContestantName[]): { contestants: Contestant[]; missing: string[] } {
  const missing: string[] = [];
  const contestants = wanted.filter((name) => {
    const reason = whyMissing(name);
    if (reason !== undefined) missing.push(reason);
    return reason === undefined;
  });
  return { contestants: contestants.map(contestant), missing };
}

function whyMissing(name: ContestantName): string | undefined {
  if (name === 'reference' && !existsSync(python)) {
    return 'Without the reference: no Python with ors-sdk in .cache/python (`make interop` prepares it).';
  }
  if (name === 'ours' && !isBuilt())
    return 'Without ours: ors-kit is not built (run `npm run build`, then this again).';
  return undefined;
}

function isBuilt(): boolean {
  try {
    return existsSync(createRequire(import.meta.url).resolve('ors-kit/server'));
  } catch {
    return false;
  }
}

function contestant(name: ContestantName): Contestant {
  if (name !== 'reference') return { name, command: process.execPath, args: [compiled(name)] };
  return { name, command: python, args: [fileURLToPath(new URL('bench/servers/reference.py', root))] };
}

/**
 * Writes a server of `bench/servers` as plain JavaScript and returns its path. A measured process must not carry a
 * TypeScript loader, and must take `ors-kit` from the built package, not from the sources.
 */
export function compiled(name: string): string {
  const source = readFileSync(new URL(`bench/servers/${name}.ts`, root), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const folder = new URL('.cache/bench/', root);
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(`${name}.mjs`, folder));
  writeFileSync(path, outputText);
  return path;
}

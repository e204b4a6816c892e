import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, isBuilt, NOT_BUILT } from '../process/compile.ts';

export const clientNames = ['ours', 'generated', 'ors-sdk', 'openreward'] as const;
export type ClientName = (typeof clientNames)[number];

/** The command line of a client that is measured. */
export interface ClientProgram {
  name: string;
  command: string;
  args: readonly string[];
}

const root = new URL('../../', import.meta.url);
const programs = new URL('programs/', import.meta.url);
const python = fileURLToPath(new URL('.cache/python/bin/python', root));
const pythonScripts: Partial<Record<ClientName, string>> = { 'ors-sdk': 'ors_sdk.py', openreward: 'openreward_sdk.py' };

/** @returns the clients that can run here, and a line for each other one that says why not and what to do. */
export function findClients(wanted: readonly ClientName[]): { programs: ClientProgram[]; missing: string[] } {
  if (!['ors-kit/server', 'ors-kit/client', 'ors-kit/openapi'].every(isBuilt)) {
    return { programs: [], missing: [`${NOT_BUILT}.`] };
  }
  const hasPython = existsSync(python);
  const names = wanted.filter((name) => hasPython || pythonScripts[name] === undefined);
  const missing = wanted
    .filter((name) => !names.includes(name))
    .map((name) => `Without ${name}: it is not in .cache/python (install it with \`sh scripts/python.sh\`).`);
  return { programs: names.map(clientProgram), missing };
}

function clientProgram(name: ClientName): ClientProgram {
  const script = pythonScripts[name];
  if (script === undefined) return { name, command: process.execPath, args: [compileProgram(name)] };
  return { name, command: python, args: [fileURLToPath(new URL(script, programs))] };
}

/** Compiles a program of `programs/` with the files that it imports, and returns its path. */
export const compileProgram = (name: string): string =>
  compile(new URL(`${name}.ts`, programs), new URL('.cache/bench/clients/', root));

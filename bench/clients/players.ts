import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const playerNames = ['ours', 'generated', 'ors-sdk', 'openreward'] as const;
export type PlayerName = (typeof playerNames)[number];

export interface Player {
  name: PlayerName;
  command: string;
  args: readonly string[];
}

const root = new URL('../../', import.meta.url);
const programs = new URL('programs/', import.meta.url);
const compiled = new URL('.cache/bench/clients/', root);
const python = fileURLToPath(new URL('.cache/python/bin/python', root));
const scripts: Partial<Record<PlayerName, string>> = { 'ors-sdk': 'ors_sdk.py', openreward: 'openreward_sdk.py' };

/** The players that can run here, and for each other one the line that says why not and what to do. */
export function findPlayers(wanted: readonly PlayerName[]): { players: Player[]; missing: string[] } {
  if (!isBuilt()) return { players: [], missing: ['ors-kit is not built (run `npm run build`, then this again).'] };
  compilePrograms();
  const hasPython = existsSync(python);
  const names = wanted.filter((name) => hasPython || scripts[name] === undefined);
  const missing = wanted
    .filter((name) => !names.includes(name))
    .map((name) => `Without ${name}: it is not in .cache/python (\`make interop\` prepares it).`);
  return { players: names.map(player), missing };
}

function player(name: PlayerName): Player {
  const script = scripts[name];
  if (script === undefined) return { name, command: process.execPath, args: [compiledProgram(name)] };
  return { name, command: python, args: [fileURLToPath(new URL(script, programs))] };
}

/** The path of a program that `findPlayers` compiled. */
export function compiledProgram(name: string): string {
  return fileURLToPath(new URL(`${name}.js`, compiled));
}

/** A measured process must not carry a TypeScript loader, and must take `ors-kit` from the built package. */
function compilePrograms(): void {
  mkdirSync(compiled, { recursive: true });
  for (const file of readdirSync(programs).filter((name) => name.endsWith('.ts'))) {
    const { outputText } = ts.transpileModule(readFileSync(new URL(file, programs), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        rewriteRelativeImportExtensions: true,
      },
    });
    writeFileSync(new URL(file.replace(/\.ts$/, '.js'), compiled), outputText);
  }
}

function isBuilt(): boolean {
  const resolve = createRequire(import.meta.url).resolve;
  try {
    return ['ors-kit/server', 'ors-kit/client', 'ors-kit/openapi'].every((name) => existsSync(resolve(name)));
  } catch {
    return false;
  }
}

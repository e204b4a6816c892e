import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  didYouMean,
  errorCode,
  errorMessage,
  hasCode,
  isHttpUrl,
  isInstance,
  nearestName,
  stripControls,
  truncate,
  withoutCredentials,
} from '../core/index.ts';
import { PACKAGE_FOLDER } from '../core/node/index.ts';
import type { Environment } from '../environment/index.ts';
import { isEnvironment } from './inline.ts';

/** Returns the `file:` URL of a module that a path or a URL names. @throws Error for a URL of a server. */
export function moduleUrl(module: string | URL): string {
  const name = String(module);
  if (isHttpUrl(name)) {
    const shown = withoutCredentials(name);
    throw new Error(`${shown} is a URL; pass the module of an environment, such as environment.ts`);
  }
  return name.startsWith('file:') ? name : pathToFileURL(resolve(name)).href;
}

/**
 * Imports a module and returns the environments that it exports, default export first.
 *
 * @param module a `file:` URL.
 * @throws Error with the path if the module does not exist, does not load, or exports no environment.
 */
export async function importEnvironments(module: string): Promise<Environment[]> {
  const path = fileURLToPath(module);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${relative('', path) || '.'} is a folder; name a file in it, such as environment.ts`);
  }
  const { default: first, ...others } = await importModule(module);
  const environments = [...new Set([first, ...Object.values(others)].flat())].filter(isEnvironment);
  if (environments.length > 0) return environments;
  throw new Error(`${relative('', path)} exports no environment; write: export default defineEnvironment({ ... })`);
}

/**
 * Imports a module of an author, with tsx if it is TypeScript.
 *
 * @param module a `file:` URL.
 * @throws Error with the path if the module does not exist, is not JavaScript or TypeScript, or does not load. If the
 *   location of the mistake is known, its `codeFrame` shows the lines around it.
 */
export async function importModule(module: string): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(module);
  if (!existsSync(path)) throw new Error(`there is no file ${path}${similarFile(path)}`);
  assertIsScript(path);
  if (/\.[mc]?tsx?$/.test(path)) await prepareTypeScript(path);
  return import(module).catch((cause: unknown) => {
    const { text, location } = describeLoadError(cause, path);
    const error = new Error(`${relative('', path)} does not load: ${text}`, { cause });
    throw Object.assign(error, { codeFrame: location && codeFrame(location) });
  });
}

/** Returns a suggestion if the folder of a missing file has a file with a similar name. */
function similarFile(path: string): string {
  try {
    const guess = didYouMean(basename(path), readdirSync(dirname(path)));
    return guess === '' ? '; check the path' : `.${guess}`;
  } catch {
    return '; its folder does not exist either';
  }
}

/** @throws Error for a file in another language, with what to do instead. */
function assertIsScript(path: string): void {
  const extension = extname(path).toLowerCase();
  if (extension === '' || /^\.[mc]?[jt]sx?$/.test(extension)) return;
  const file = relative('', path);
  if (extension === '.py') {
    const advice = 'start it with Python, and pass the URL of its server to ors call, play, validate or conformance';
    throw new Error(`${file} is a Python module, and ors runs TypeScript and JavaScript; ${advice}`);
  }
  throw new Error(`${file} is not a module; pass a .ts, .js or .mjs file`);
}

async function prepareTypeScript(path: string): Promise<void> {
  // tsx reads such a path as a URL with a query.
  if (path.includes('?')) {
    // From Node 22.18 on, true for the types that it removes itself.
    if ((process.features as { typescript?: unknown }).typescript) return;
    const advice = 'rename the folder, or use Node 22.18 or newer';
    throw new Error(`${relative('', path)} does not load: tsx does not support a path with '?'; ${advice}`);
  }
  try {
    const { register } = await import('tsx/esm/api');
    register();
  } catch (cause) {
    throw new Error('TypeScript modules need the package tsx; install it with: npm install tsx', { cause });
  }
}

/** Location in a file; columns count from 1. */
interface CodeLocation {
  readonly file: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** Column that Node marks below the line, if the location itself has none. */
  readonly mark?: number | undefined;
}

interface LoadErrorDescription {
  /** One line, with the location if it is known. */
  readonly text: string;
  readonly location?: CodeLocation | undefined;
}

/** Exports of the package that environments import. */
const EXPORTS = ['defineEnvironment', 'defineTool', 'ToolError'];

/** Describes why a module does not load. */
function describeLoadError(cause: unknown, path: string): LoadErrorDescription {
  if (!isInstance(cause, Error)) return { text: errorMessage(cause) };
  // In a CommonJS package, TypeScript is compiled to CommonJS, which cannot import this package.
  if (errorCode(cause) === 'ERR_REQUIRE_CYCLE_MODULE') {
    return { text: 'it is CommonJS by its package.json; run there: npm pkg set type=module' };
  }
  const missing = missingDependency(cause, path);
  if (missing !== undefined) return { text: missing };
  const missingImport = describeMissingImport(cause);
  if (missingImport !== undefined) return missingImport;
  const [, file, line, column, text] = cause.message.match(/^(.+?):(\d+):(\d+): ERROR: (.*)$/m) ?? [];
  if (file !== undefined) {
    // The compiler counts columns from 0.
    const location = { file, line: Number(line), column: Number(column) + 1 };
    return { text: `${text} (${relative('', file)}:${line}:${column})`, location };
  }
  const [message = ''] = cause.message.split('\n');
  const [, missingExport] = message.match(/^The requested module 'ors-kit' .* export named '([^']+)'$/) ?? [];
  const exportAdvice = missingExport === undefined ? '' : didYouMean(missingExport, EXPORTS);
  const firstLine = exportAdvice === '' ? message : `${message}.${exportAdvice}`;
  const location = authorLocation(cause.stack ?? '') ?? syntaxErrorLocation(cause, path);
  return { text: location === undefined ? firstLine : `${firstLine} (${formatLocation(location)})`, location };
}

/** Describes a package that the module, or a file that it imports, needs and that is not installed. */
function missingDependency(cause: Error, path: string): string | undefined {
  if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND')) return undefined;
  const [, imported, importer] = cause.message.match(/^Cannot find package '([^']+)' imported from (.+)$/m) ?? [];
  const [, required] = cause.message.match(/^Cannot find module '([^'./\\][^']*)'/m) ?? [];
  const name = imported ?? required;
  if (name === undefined || isAbsolute(name)) return undefined;
  const [scope = '', rest] = name.split('/');
  const packageName = scope.startsWith('@') && rest !== undefined ? `${scope}/${rest}` : scope;
  const file = relative('', importer === undefined || importer.startsWith('file:') ? path : importer);
  const similar = didYouMean(packageName, ['ors-kit']);
  const advice = similar === '' ? `; run: npm install ${packageName}` : `.${similar}`;
  return `${file} imports the package ${packageName}, which is not installed${advice}`;
}

/** Describes the import of a file that does not exist. */
function describeMissingImport(cause: Error): LoadErrorDescription | undefined {
  if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND')) return undefined;
  const [, missing, importer] = cause.message.match(/^Cannot find module '(.+)' imported from (.+)$/m) ?? [];
  if (missing === undefined || importer === undefined || !isAbsolute(missing)) return undefined;
  const file = importer.startsWith('file:') ? fileURLToPath(importer) : importer;
  const found = findImport(file, missing);
  const specifier = found?.specifier ?? relative('', missing);
  const importing = found === undefined ? relative('', file) : formatLocation(found.location);
  const text = `${importing} imports '${specifier}', which does not exist${similarImport(specifier, missing)}`;
  return { text, location: found?.location };
}

/** Finds where a file imports a path; tsx reports a path without its extension, or with another one. */
function findImport(file: string, path: string): { specifier: string; location: CodeLocation } | undefined {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
  for (const [index, line] of lines.entries()) {
    for (const match of line.matchAll(/(['"])(\.{0,2}\/.*?)\1/g)) {
      const [, , specifier = ''] = match;
      if (withoutExtension(resolve(dirname(file), specifier)) !== withoutExtension(path)) continue;
      return { specifier, location: { file, line: index + 1, column: match.index + 1 } };
    }
  }
  return undefined;
}

const withoutExtension = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '');

/** Returns a suggestion if a file with a similar name exists. */
function similarImport(specifier: string, missing: string): string {
  const folder = dirname(missing);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.([cm]?[jt]sx?|json)$/.test(name)) : [];
  const near = nearestName(withoutExtension(basename(missing)), files.map(withoutExtension));
  const name = files.find((each) => withoutExtension(each) === near);
  return name === undefined
    ? '; check the path'
    : `. Did you mean '${specifier.slice(0, specifier.lastIndexOf('/') + 1)}${name}'?`;
}

const formatLocation = ({ file, line, column }: CodeLocation): string =>
  `${relative('', file)}:${line}${column === undefined ? '' : `:${column}`}`;

/** Returns the first location in author code of a stack: a frame, or the `file:line` that Node writes above it. */
function authorLocation(stack: string): CodeLocation | undefined {
  const lines = stack.split('\n');
  for (const [index, line] of lines.entries()) {
    const [, name, position = '', column] =
      line.match(/^(?:.*\(| +at (?:async )?)?((?:file:\/\/|\/|[A-Z]:\\).+?):(\d+)(?::(\d+))?\)?$/) ?? [];
    if (name === undefined) continue;
    const file = name.startsWith('file:') ? fileURLToPath(name.replace(/\?.*$/, '')) : name;
    if (!isAuthorFile(file)) continue;
    // Node marks the place of a syntax error two lines below.
    const mark = (lines[index + 2] ?? '').search(/\^+\s*$/) + 1;
    return { file, line: Number(position), column: Number(column) || undefined, mark: mark || undefined };
  }
  return undefined;
}

/** Returns the location of a syntax error in a JavaScript module, which Node tells only programs that it starts. */
function syntaxErrorLocation(cause: Error, path: string): CodeLocation | undefined {
  if (!isInstance(cause, SyntaxError) || !/\.m?js$/.test(path)) return undefined;
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: CHECK_MS });
  return authorLocation(stderr ?? '');
}

const CHECK_MS = 10_000;

/** Lines of code that are shown before and after the location. */
const FRAME_LINES = 2;
const MAX_FRAME_WIDTH = 200;

/** Formats the lines around a location, with a mark below its column; undefined if the file cannot be read. */
function codeFrame({ file, line, mark, column = mark }: CodeLocation): string | undefined {
  let code: readonly string[];
  try {
    code = readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return undefined;
  }
  const first = Math.max(1, line - FRAME_LINES);
  const shown = code.slice(first - 1, line + FRAME_LINES);
  const width = String(first + shown.length - 1).length;
  const rows = shown.flatMap((text, index) => {
    const isHere = first + index === line;
    const number = `${isHere ? '>' : ' '} ${String(first + index).padStart(width)}`;
    const row = `${number} | ${truncate(stripControls(text), MAX_FRAME_WIDTH)}`.trimEnd();
    if (!isHere || column === undefined || column > MAX_FRAME_WIDTH) return [row];
    // Tabs keep their width.
    const margin = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
    return [row, `${' '.repeat(number.length)} | ${margin}^`];
  });
  return rows.map((row) => `${row}\n`).join('');
}

/** Returns true if a file belongs to the author, not to this package or another one. */
export function isAuthorFile(path: string): boolean {
  return (
    !/[\\/]node_modules[\\/]/.test(path) &&
    !/^((src|generated|dist)[\\/]|package\.json$)/.test(relative(PACKAGE_FOLDER, path))
  );
}

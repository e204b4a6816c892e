import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import {
  fieldsOf,
  hasCode,
  isHttpUrl,
  joinWords,
  oneLine,
  plural,
  shellCommand,
  tryParseJson,
} from '../../core/index.ts';
import { createFile, fileProblem, makeFolder, PACKAGE_FOLDER, unlessMissing } from '../../core/node/index.ts';
import { RESERVED_NAMES } from '../../protocol/index.ts';
import { hasNodeSqlite } from '../../trace/store/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { OWN_RANGE, type Project, type ProjectFile, projectFiles } from '../init/project-files.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

const MAX_LISTED_NAMES = 5;
/** Valid as the name of an environment, and in lower case as the name of a package. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/;
/** npm refuses a package that depends on a package with the same name. */
const DEPENDENCY_NAMES: ReadonlySet<string> = new Set(['ors-kit', 'tsx', 'typescript', 'zod', 'node_modules']);

export const initCommand = defineCommand({
  name: 'init',
  arguments: [['<folder>', 'folder of the project; must be empty or missing']],
  flags: {
    '--name <name>': 'name of the environment and its package (default: that of the folder)',
    '--js': 'JavaScript instead of TypeScript',
    '--force': 'add the missing files to a folder that is not empty',
    '--ors-kit <version or .tgz>': 'ors-kit to depend on (default: the one that runs this command)',
  },
  details: `The environment is small and complete: tasks with a hidden answer, two tools, rewards, solve. The project has its tests, a
Dockerfile, and a GitHub Action that tests and validates it and checks its server against the standard. No file is
overwritten.`,
  examples: [
    'ors init my-environment',
    'ors init . --name riddles --js',
    'ors init my-environment --ors-kit ./ors-kit-0.1.0.tgz',
  ],
  async run(folder, { name, js, force, orsKit }) {
    if (folder.trim() === '') throw new CliError("the folder is empty text; '.' is the current folder");
    const project: Project = {
      name: chooseName(folder, name),
      language: js ? 'js' : 'ts',
      orsKit: orsKit === undefined ? await ownDependency(folder) : resolveDependency(orsKit, folder),
      needsLibsql: !hasNodeSqlite(),
    };
    if (!force) await assertEmptyFolder(folder);
    const result = await writeProject(folder, await projectFiles(project));
    const terminal = openTerminal();
    terminal.print(nextSteps(folder, project, result, terminal));
  },
});

/** Returns the given name, or one made from that of the folder. @throws CliError if it is not valid. */
function chooseName(folder: string, given: string | undefined): string {
  if (given !== undefined) return assertName(given, 'pass another one with --name');
  const own = basename(resolve(folder));
  const name = own.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  return assertName(name === '' ? own : name.slice(0, 64).replace(/[^A-Za-z0-9]+$/, ''), 'pass one with --name');
}

function assertName(name: string, advice: string): string {
  const shown = oneLine(name);
  if (!NAME.test(name)) {
    const expected = "expected 1 to 64 letters, digits, '-', '_' or '.', beginning and ending with a letter or digit";
    throw new CliError(`invalid name '${shown}': ${expected}; ${advice}`);
  }
  if (RESERVED_NAMES.has(name.toLowerCase())) {
    throw new CliError(`'${shown}' is the name of a path of the protocol; ${advice}`);
  }
  if (DEPENDENCY_NAMES.has(name.toLowerCase())) {
    throw new CliError(`'${shown}' is the name of a package that the project needs; ${advice}`);
  }
  return name;
}

/** Returns the entry of package.json; a packed ors-kit is a path relative to the project. @throws CliError */
function resolveDependency(orsKit: string, folder: string): string {
  if (isHttpUrl(orsKit)) return orsKit;
  if (!/\.t(ar\.)?gz$/.test(orsKit)) {
    if (/^[\w.^~<>=|* -]+$/.test(orsKit)) return orsKit;
    const expected = `expected a version such as ${OWN_RANGE}, or a packed .tgz`;
    throw new CliError(`invalid --ors-kit '${oneLine(orsKit)}': ${expected}`);
  }
  const path = orsKit.replace(/^file:/, '');
  if (!existsSync(path)) throw new CliError(`there is no file '${oneLine(path)}'; create it with npm pack`);
  return fileDependency(path, folder);
}

const fileDependency = (path: string, folder: string): string =>
  `file:${relative(resolve(folder), resolve(path)).split(sep).join('/')}`;

/**
 * Returns the entry of package.json for the running ors-kit: a checkout, the file or URL that npm installed it from, or else
 * the range of its version in the registry.
 */
async function ownDependency(folder: string): Promise<string> {
  const modules = dirname(PACKAGE_FOLDER);
  if (basename(modules) !== 'node_modules') return fileDependency(PACKAGE_FOLDER, folder);
  const text = await unlessMissing(readFile(join(modules, '.package-lock.json'), 'utf8'), '');
  const { packages } = fieldsOf(tryParseJson(text));
  const { resolved } = fieldsOf(fieldsOf(packages)['node_modules/ors-kit']);
  if (typeof resolved !== 'string' || REGISTRY_FILE.test(resolved)) return OWN_RANGE;
  if (!resolved.startsWith('file:')) return resolved;
  return fileDependency(join(dirname(modules), resolved.slice('file:'.length)), folder);
}

/** URL of a package in a registry. */
const REGISTRY_FILE = /^https?:.*\/ors-kit\/-\/ors-kit-[^/]*\.tgz$/;

/** @throws CliError if the folder has files; `.git` does not count. */
async function assertEmptyFolder(folder: string): Promise<void> {
  const files = (await listFiles(folder)).filter((name) => name !== '.git');
  if (files.length === 0) return;
  const shown = files.map((name) => `'${oneLine(name)}'`);
  const names = joinWords(shown, { max: MAX_LISTED_NAMES });
  const advice = 'name another folder, or add the missing files with --force';
  throw new CliError(`the folder '${oneLine(folder)}' is not empty: it has ${names}; ${advice}`);
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await unlessMissing(readdir(folder), [])).sort();
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) throw new CliError(`'${oneLine(folder)}' is a file; name a folder`);
    throw error;
  }
}

/** Writes the files that do not exist yet; `kept` existed. @throws CliError if a file cannot be written. */
async function writeProject(folder: string, files: readonly ProjectFile[]) {
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const target = join(folder, path);
    try {
      await makeFolder(dirname(target));
      const isNew = await createFile(target, text);
      (isNew ? written : kept).push(path);
    } catch (error) {
      throw new CliError(`cannot write '${oneLine(target)}': ${fileProblem(error, 'write')}`, { cause: error });
    }
  }
  return { written, kept };
}

function nextSteps(
  folder: string,
  { name, language, orsKit, needsLibsql }: Project,
  { written, kept }: Awaited<ReturnType<typeof writeProject>>,
  terminal: Terminal,
): string {
  const path = oneLine(folder).replace(/(?<=.)[\\/]+$/, '');
  const lines = [
    `${terminal.style('bold', name)}: wrote ${plural(written.length, 'file')} to ${path}`,
    ...(kept.length > 0 ? [`kept unchanged: ${kept.join(', ')}`] : []),
    ...(kept.includes('package.json') ? [packageHint(language, orsKit)] : [`it depends on ors-kit ${oneLine(orsKit)}`]),
    ...(needsLibsql ? [`and on libsql, since Node ${process.version} has no SQLite for traces`] : []),
    '',
    'Next:',
    ...(resolve(folder) === resolve('.') ? [] : [`  ${shellCommand('cd', path.startsWith('-') ? `./${path}` : path)}`]),
    '  npm install',
    '  npm test              run its tests',
    '  npm run validate      find mistakes before you train on it',
    '  npm run conformance   check its server against the standard',
    '  npm start             serve it, and record every episode; then open http://127.0.0.1:8080/',
    '  npm run rollout       in another terminal: play all test tasks; ends with a link to the run',
    '',
    `Its code is in environment.${language}; README.md explains the rest.`,
  ];
  return `${lines.join('\n')}\n`;
}

function packageHint(language: Project['language'], orsKit: string): string {
  const own = orsKit.includes(':') ? orsKit : `ors-kit@${orsKit}`;
  const install = shellCommand('npm', 'install', own, ...(language === 'ts' ? ['tsx', 'zod'] : ['zod']));
  return `package.json needs: npm pkg set type=module && ${install}; copy the scripts from a project in a new folder`;
}

import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { Command } from 'commander';
import { isHttpUrl, oneLine } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { describeNextSteps } from '../init/next-steps.ts';
import { OWN_RANGE } from '../init/package-json.ts';
import type { Project } from '../init/project.ts';
import { projectFiles } from '../init/project-files.ts';
import { chooseProjectName } from '../init/project-name.ts';
import { assertEmptyFolder, writeProject } from '../init/write-project.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { openTerminal } from '../terminal/terminal.ts';

interface InitFlags {
  readonly name?: string;
  readonly js?: true;
  readonly force?: true;
  readonly orsKit?: string;
}

const HELP = `
The environment is small and whole: tasks with a hidden answer, two tools, rewards, solve. With it come its tests, a
Dockerfile, and a GitHub Action that tests and validates it and holds its server to the standard. No file is written over.

Examples:
  $ ors init my-environment
  $ ors init . --name riddles --js
  $ ors init my-environment --ors-kit ./ors-kit-0.1.0.tgz`;

/** `ors init <folder>`. */
export function initCommand(): Command {
  return new Command('init')
    .description('Begin a project: an environment, its tests, a Dockerfile and a GitHub Action.')
    .argument('<folder>', 'where it is made; it must be empty, or not there')
    .option('--name <name>', 'of the environment and its package (default: that of the folder)')
    .option('--js', 'JavaScript instead of TypeScript')
    .option('--force', 'add the files that are not there to a folder that is not empty')
    .option('--ors-kit <version or .tgz>', `the ors-kit that it needs (default: ${OWN_RANGE})`)
    .addHelpText('after', HELP)
    .action((folder: string, flags: InitFlags) => reportFailure(false, () => run(folder, flags)));
}

async function run(folder: string, { name, js, force, orsKit = OWN_RANGE }: InitFlags): Promise<void> {
  if (folder.trim() === '') throw new CliError("no folder is named; '.' is the one that you are in");
  const project: Project = {
    name: chooseProjectName(folder, name),
    language: js ? 'js' : 'ts',
    orsKit: dependency(orsKit, folder),
  };
  if (!force) await assertEmptyFolder(folder);
  const result = await writeProject(folder, await projectFiles(project));
  const terminal = openTerminal();
  terminal.print(describeNextSteps(folder, project, result, terminal));
}

/** A packed package is named by its place, seen from the project. @throws Failure if it is not there. */
function dependency(orsKit: string, folder: string): string {
  if (isHttpUrl(orsKit)) return orsKit;
  if (!/\.t(ar\.)?gz$/.test(orsKit)) {
    if (/^[\w.^~<>=|* -]+$/.test(orsKit)) return orsKit;
    throw new CliError(`'${oneLine(orsKit)}' is no version; give one such as ${OWN_RANGE}, or a packed .tgz`);
  }
  const path = orsKit.replace(/^file:/, '');
  if (!existsSync(path)) throw new CliError(`there is no file '${oneLine(path)}'; npm pack makes it`);
  return `file:${relative(resolve(folder), resolve(path)).split(sep).join('/')}`;
}

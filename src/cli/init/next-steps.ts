import { resolve } from 'node:path';
import { oneLine, plural, shellCommand } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Project } from './project.ts';
import type { WrittenProject } from './write-project.ts';

/** What was made, and what to do next. */
export function describeNextSteps(
  folder: string,
  { name, language }: Project,
  { written, kept }: WrittenProject,
  terminal: Terminal,
): string {
  const place = oneLine(folder).replace(/(?<=.)[\\/]+$/, '');
  const lines = [
    `${terminal.style('bold', name)}: wrote ${plural(written.length, 'file')} to ${place}`,
    ...(kept.length > 0 ? [`left as they were: ${kept.join(', ')}`] : []),
    ...(kept.includes('package.json') ? [needs(language)] : []),
    '',
    'Next:',
    ...(resolve(folder) === resolve('.')
      ? []
      : [`  ${shellCommand('cd', place.startsWith('-') ? `./${place}` : place)}`]),
    '  npm install',
    '  npm test              its tests',
    '  npm run validate      what is wrong with it, before anybody trains on it',
    '  npm run conformance   its server, held to the standard',
    '  npm start             serves it; then, in another terminal: npm run rollout',
    '',
    `Its code is in environment.${language}; README.md has the rest.`,
  ];
  return `${lines.join('\n')}\n`;
}

function needs(language: Project['language']): string {
  const packages = language === 'ts' ? 'ors-kit tsx zod' : 'ors-kit zod';
  return `package.json needs: npm pkg set type=module && npm install ${packages}; its scripts are those of a new folder`;
}

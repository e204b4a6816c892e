import { oneLine, plural } from '../../core/index.ts';
import { toolDetails, toolLines } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';
import type { DescribedSplit, EnvironmentDescription, ServerDescription } from './describe.ts';

/** A server at a glance. */
export function showServer({ url, dialect, environments }: ServerDescription, terminal: Terminal): string {
  const software = dialect.name === 'unknown' ? 'software unknown to ors-kit' : dialect.name;
  const sections = environments.map(({ name, splits, tools }) => {
    const counts = splits.map((split) => `${oneLine(split.name)} (${shownCount(split)})`).join(', ');
    const title = terminal.style('bold', oneLine(name));
    const line = wrapText(`splits  ${counts || 'none'}`, terminal.width, '  ');
    return `\n${title}\n${line}\n${toolLines(tools, terminal, '  ')}`;
  });
  return `${url} runs ${oneLine(`${software} ${dialect.version ?? ''}`)}\n${sections.join('') || '\nIt has no environments.\n'}`;
}

/** An environment with everything that is known of its splits and tools. */
export function showEnvironment({ name, splits, tools }: EnvironmentDescription, terminal: Terminal): string {
  const rows = splits.map((split) => [oneLine(split.name), oneLine(split.type), shownCount(split)] as const);
  const first = Math.max(0, ...rows.map(([split]) => split.length));
  const second = Math.max(0, ...rows.map(([, type]) => type.length));
  const lines = rows.map(([split, type, tasks]) => `    ${split.padEnd(first)}  ${type.padEnd(second)}  ${tasks}\n`);
  const title = terminal.style('bold', oneLine(name));
  const details = toolDetails(tools, terminal, '    ');
  return `${title}\n\n  splits\n${lines.join('') || '    none\n'}\n  tools\n${details || '    none\n'}`;
}

function shownCount({ num_tasks: count }: DescribedSplit): string {
  if (count === null) return 'tasks not counted';
  return plural(count, 'task');
}

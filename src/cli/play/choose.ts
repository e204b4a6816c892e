import { oneLine } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { LinePrompt } from './questions.ts';

/** Asks for one of several names, by name or by its number in the list, until it is one; the only one is not asked for. */
export async function chooseName(
  what: string,
  names: readonly string[],
  questions: LinePrompt,
  terminal: Terminal,
): Promise<string> {
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  terminal.print(`${formatNumberedList(names, terminal)}`);
  for (;;) {
    const line = (await questions.ask(`${what}? `)).trim();
    const found = resolveChoice(line, names);
    if (found !== undefined) return found;
    terminal.print(`  '${oneLine(line)}' is none of them; write a number from 1 to ${names.length}, or a name\n`);
  }
}

/** The name that a line means, by its number from 1 or by itself. */
export const resolveChoice = (line: string, names: readonly string[]): string | undefined =>
  names.find((name) => name === line) ?? (/^[1-9]\d*$/.test(line) ? names[Number(line) - 1] : undefined);

/** Names with their numbers, a line each. */
export function formatNumberedList(names: readonly string[], terminal: Terminal): string {
  const column = String(names.length).length;
  const line = (name: string, index: number) =>
    `  ${String(index + 1).padStart(column)}  ${terminal.style('cyan', oneLine(name))}\n`;
  return names.map(line).join('');
}

import { oneLine, stripControls, truncate } from '../../core/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import { type Parameter, parametersOf } from '../remote/tool-input.ts';
import type { Terminal } from './terminal.ts';
import { safeJson, wrapText } from './text.ts';

/** Formats a line per tool: its name and the beginning of its description. */
export function toolLines(tools: readonly ToolSpec[], terminal: Terminal, indent: string): string {
  const names = tools.map(({ name }) => oneLine(name));
  const column = Math.max(0, ...names.map((name) => name.length));
  const width = terminal.width - indent.length - column - 2;
  const lines = tools.map(({ description }, index) => {
    const padding = ' '.repeat(column - (names[index]?.length ?? 0) + 2);
    return `${indent}${terminal.style('cyan', names[index] ?? '')}${padding}${truncate(oneLine(description), width)}\n`;
  });
  return lines.join('');
}

/** Formats tools with their parameters. */
export function toolDetails(tools: readonly ToolSpec[], terminal: Terminal, indent: string): string {
  return tools
    .map(({ name, description, input_schema }) => {
      const parameters = parametersOf(input_schema).map((parameter) =>
        parameterLines(parameter, terminal, `${indent}    `),
      );
      const about = wrapText(stripControls(description), terminal.width, `${indent}  `);
      return `${indent}${terminal.style('cyan', oneLine(name))}\n${about}\n${parameters.join('')}`;
    })
    .join('\n');
}

function parameterLines(parameter: Parameter, terminal: Terminal, indent: string): string {
  const name = oneLine(parameter.name);
  const [head = '', ...rest] = wrapText(`${name}  ${describeParameter(parameter)}`, terminal.width, indent).split('\n');
  const first = head.replace(name, () => terminal.style('bold', name));
  const about = parameter.description
    ? [wrapText(stripControls(parameter.description), terminal.width, `${indent}  `)]
    : [];
  return `${[first, ...rest.map((line) => `  ${line}`), ...about].join('\n')}\n`;
}

/** Formats the type of a parameter, whether it is required, and its default. */
export function describeParameter({ type, required, default: value }: Parameter): string {
  const state = value === undefined ? (required ? 'required' : 'optional') : `default ${safeJson(value)}`;
  return `${oneLine(type)}, ${state}`;
}

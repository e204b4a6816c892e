/** A longer line is data and not for reading. */
const MAX_LINE_LENGTH = 20_000;

/**
 * Breaks a text between words, so that lines with their indent fit into the width. Longer words stay whole, and the lines of an
 * indented line are indented too.
 */
export function wrapText(text: string, width: number, indent = ''): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width - indent.length))
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (line.length > MAX_LINE_LENGTH) return [line];
  const own = /^ */.exec(line)?.[0] ?? '';
  const margin = own.length < width / 2 ? own : '';
  const lines: string[] = [];
  let rest = margin + line.trim();
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > margin.length ? space : rest.indexOf(' ', width);
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = margin + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

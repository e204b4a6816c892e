import type { Line } from '../../core/index.ts';

interface OpenDocument {
  readonly number: number;
  texts: string[];
  size: number;
  reason?: string;
}

/**
 * Joins the lines of indented JSON documents: a line `{`, lines that begin with white space, a line `}`. Other lines go
 * through as they are; one between them ends a document that is broken then.
 *
 * @param isAllowed whether a document may begin now; elsewhere a line `{` is just a broken one.
 */
export async function* joinIndented(
  lines: AsyncIterable<Line>,
  maxSize: number,
  isAllowed: () => boolean,
): AsyncGenerator<Line> {
  let open: OpenDocument | undefined;
  for await (const line of lines) {
    if (!open && line.text?.trimEnd() === '{' && isAllowed()) open = { number: line.number, texts: ['{'], size: 1 };
    else if (!open) yield line;
    else if (line.text === undefined) open.reason ??= `${line.reason} (line ${line.number})`;
    else if (line.text.trimEnd() === '}' || /^\s|^$/.test(line.text)) {
      add(open, line.text, maxSize);
      if (line.text.trimEnd() !== '}') continue;
      yield close(open);
      open = undefined;
    } else {
      yield close(open);
      open = undefined;
      yield line;
    }
  }
  if (open) yield close(open);
}

function add(open: OpenDocument, text: string, maxSize: number): void {
  open.size += text.length + 1;
  if (open.size > maxSize) open.reason ??= `the document is longer than ${maxSize} bytes`;
  if (open.reason === undefined) open.texts.push(text);
  else open.texts = [];
}

const close = ({ number, texts, reason }: OpenDocument): Line =>
  reason === undefined ? { number, text: texts.join('\n') } : { number, reason };

import { styleText } from 'node:util';

type TextStyleName = 'bold' | 'dim' | 'cyan' | 'green' | 'yellow' | 'red';

const WIDTH_WITHOUT_TERMINAL = 80;
const MIN_WIDTH = 40;

/** Where a command writes what people read. */
export interface Terminal {
  /** Whether somebody looks at it; false for a pipe or a file. */
  readonly isInteractive: boolean;
  /** In characters; 80 where there is no terminal. */
  readonly width: number;
  /** The text in a style; as it is where colours are not wanted (NO_COLOR, a pipe). */
  style(style: TextStyleName, text: string): string;
  print(text: string): void;
}

/** Standard output as a terminal. */
export function openTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const isInteractive = stream.isTTY === true;
  const hasColours = isInteractive && stream.hasColors();
  return {
    isInteractive,
    get width() {
      return Math.max(MIN_WIDTH, (isInteractive && stream.columns) || WIDTH_WITHOUT_TERMINAL);
    },
    style: (style, text) => (hasColours ? styleText(style, text) : text),
    print: (text) => {
      stream.write(text);
    },
  };
}

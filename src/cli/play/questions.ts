import { createInterface } from 'node:readline';
import { Condition } from '../../core/index.ts';

/** The player has left: the input has ended. */
export class InputEndedError extends Error {
  override readonly name = 'InputEnded';
}

/** Asks a person, or whatever writes into standard input, line by line. */
export interface LinePrompt extends Disposable {
  /** The next line. @throws InputEnded if there is none; the signal's reason. */
  ask(question: string): Promise<string>;
}

interface PromptStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** Ctrl-C on a terminal, which is no signal while lines are edited. */
  readonly onInterrupt: () => void;
}

/** Lines that come before they are asked for, as out of a pipe, wait for their question. */
export function createLinePrompt({ input, output, signal, onInterrupt }: PromptStreams): LinePrompt {
  const isTerminal = input.isTTY === true && output.isTTY === true;
  const lines: string[] = [];
  let hasEnded = false;
  const changed = new Condition();
  const reader = createInterface({ input, output, terminal: isTerminal });
  reader.on('line', (line) => {
    lines.push(line);
    changed.notify();
  });
  reader.on('close', () => {
    hasEnded = true;
    changed.notify();
  });
  reader.on('SIGINT', onInterrupt);

  // The editor of lines must know what stands before the cursor; without it, lines may be there already.
  const show = (question: string) => {
    if (!isTerminal || hasEnded) return void output.write(question);
    reader.setPrompt(question);
    reader.prompt();
  };
  const nextLine = async () => {
    await changed.until(() => lines.length > 0 || hasEnded, { signal });
    signal.throwIfAborted();
    const line = lines.shift();
    if (line === undefined) throw new InputEndedError();
    return line;
  };

  return {
    async ask(question) {
      show(question);
      const line = await nextLine();
      // What came out of a pipe is shown, so that the output can be read.
      if (!isTerminal) output.write(`${line}\n`);
      return line;
    },
    [Symbol.dispose]() {
      reader.close();
    },
  };
}

import { createInterface } from 'node:readline';
import { Condition, withoutByteOrderMark } from '../../core/index.ts';

/** The input has ended: the player has left. */
export class InputEndedError extends Error {
  override readonly name = 'InputEnded';
}

/** Reads lines from a person or a pipe. */
export type LinePrompt = ReturnType<typeof createLinePrompt>;

interface PromptStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** Handles Ctrl-C on a terminal, which is not a signal while readline edits a line. */
  readonly onInterrupt: () => void;
}

/** Creates a prompt. Lines that arrive early, as from a pipe, are queued. */
export function createLinePrompt({ input, output, signal, onInterrupt }: PromptStreams) {
  const isTerminal = input.isTTY === true && output.isTTY === true;
  const lines: string[] = [];
  let hasEnded = false;
  const changed = new Condition();
  const reader = createInterface({ input, output, terminal: isTerminal });
  let isFirst = true;
  reader.on('line', (line) => {
    // Some shells begin piped text with a byte order mark.
    lines.push(isFirst ? withoutByteOrderMark(line) : line);
    isFirst = false;
    changed.notify();
  });
  reader.on('close', () => {
    hasEnded = true;
    changed.notify();
  });
  reader.on('SIGINT', onInterrupt);

  // On a terminal, readline needs to know the prompt; from a pipe, the answer may have arrived already.
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
    /** Returns the next line. @throws InputEndedError if there is none; the signal's reason. */
    async ask(question: string): Promise<string> {
      show(question);
      const line = await nextLine();
      // A pipe does not echo its input.
      if (!isTerminal) output.write(`${line}\n`);
      return line;
    },
    [Symbol.dispose]() {
      reader.close();
    },
  };
}

import { Writable } from 'node:stream';
import { type Level, type Logger, pino } from 'pino';

/** Lines of a log. */
export interface LogLines {
  readonly log: Logger;
  /** As text, line by line. */
  readonly text: () => string;
  /** The lines with this message. */
  // biome-ignore lint/suspicious/noExplicitAny: lines of every shape
  readonly lines: (message: string) => any[];
  // biome-ignore lint/suspicious/noExplicitAny: lines of every shape
  readonly all: () => any[];
}

/** Matches the warning of a blocked event loop, which a busy machine also causes. */
export const isOfTheMachine = ({ msg }: { readonly msg?: unknown }): boolean =>
  /blocked the event loop|the event loop was blocked/.test(String(msg));

export function logLines(level: Level): LogLines {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const all = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    log: pino({ level }, stream),
    text: () => text,
    all,
    lines: (message) => all().filter(({ msg }) => msg === message),
  };
}

import { describeThrown } from '../../hosting/index.ts';

export interface UncaughtErrorCollector extends Disposable {
  /** What was thrown since the last time. */
  take(): string[];
}

/** Hears what is thrown where nobody catches it, which would end a process that serves. */
export function collectUncaughtErrors(): UncaughtErrorCollector {
  const heard: string[] = [];
  const hear = (thrown: unknown) => void heard.push(describeThrown(thrown, 'message'));
  process.on('uncaughtException', hear);
  return {
    take: () => heard.splice(0),
    [Symbol.dispose]: () => void process.off('uncaughtException', hear),
  };
}

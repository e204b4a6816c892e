import { describeThrown } from '../../hosting/index.ts';
import { attributeUnhandledError } from '../../rollout/index.ts';

/**
 * Keeps a run alive where the code of an agent throws and nothing catches it: the episode that did fails, and where
 * nobody knows which it was, it is told.
 */
export function handleUnhandledErrors(notify: (line: string) => void): Disposable {
  const hear = (error: unknown) => {
    if (attributeUnhandledError(error)) return;
    notify(
      `the code of the agent threw where nothing caught it, and the run goes on: ${describeThrown(error, 'message')}`,
    );
  };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', hear);
      process.off('unhandledRejection', hear);
    },
  };
}

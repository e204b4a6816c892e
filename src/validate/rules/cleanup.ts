import { plural } from '../../core/index.ts';
import type { ValidationRule } from '../finding.ts';

export const cleanupSucceeds: ValidationRule = {
  name: 'cleanup-succeeds',
  levels: ['error'],
  sentence: 'teardown and the functions of onCleanup succeed, however the episode ends',
  *check({ lifecycles }) {
    const reported = new Set<string>();
    for (const { how, split, index, failures } of lifecycles) {
      for (const failure of failures) {
        if (reported.has(failure)) continue;
        reported.add(failure);
        yield { split, index, message: `in an episode that was ${how}, ${failure}; clean up only what exists` };
      }
    }
  },
};

/** Nouns for the kinds of `process.getActiveResourcesInfo()`. */
const RESOURCES: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  Immediate: 'immediate',
  ProcessWrap: 'child process',
  TCPSocketWrap: 'connection',
  TCPServerWrap: 'listening port',
  PipeWrap: 'pipe',
  FSEventWrap: 'file watcher',
  MessagePort: 'worker or message port',
  UDPWrap: 'UDP socket',
};

export const nothingIsLeft: ValidationRule = {
  name: 'nothing-is-left',
  levels: ['error'],
  sentence: 'An episode leaves no timer, process, connection or file watcher behind',
  *check({ lifecycles }) {
    for (const { how, split, index, leakedResources, episodes } of lifecycles) {
      for (const { kind, count } of leakedResources) {
        const leaked = `${plural(count, RESOURCES[kind] ?? kind)} more than before kept the process alive`;
        const advice = 'register its release with onCleanup, next to the code that creates it';
        yield { split, index, message: `after ${episodes} episodes that were ${how}, ${leaked}; ${advice}` };
      }
    }
  },
};

export const errorsAreCaught: ValidationRule = {
  name: 'errors-are-caught',
  levels: ['error'],
  sentence: 'The code of the environment has no uncaught exception and no unhandled rejection',
  *check({ uncaught }) {
    for (const error of new Set(uncaught)) {
      const advice = 'await promises, and catch errors in callbacks, since it would end a server';
      yield { message: `uncaught ${error}; ${advice}` };
    }
  },
};

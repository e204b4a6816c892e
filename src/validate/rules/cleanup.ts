import { plural } from '../../core/index.ts';
import { uniqueBy } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

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

export const cleanupRules: readonly ValidationRule[] = [
  {
    name: 'cleanup-succeeds',
    levels: ['error'],
    sentence: 'teardown and the functions of onCleanup succeed, however the episode ends',
    *check({ lifecycles }) {
      const failed = lifecycles.flatMap(({ failures, ...rest }) => failures.map((failure) => ({ ...rest, failure })));
      for (const { how, split, index, failure } of uniqueBy(failed, (each) => each.failure)) {
        yield { split, index, message: `in an episode that was ${how}, ${failure}; clean up only what exists` };
      }
    },
  },
  {
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
  },
  {
    name: 'errors-are-caught',
    levels: ['error'],
    sentence: 'The code of the environment has no uncaught exception and no unhandled rejection',
    *check({ uncaught }) {
      for (const error of new Set(uncaught)) {
        const advice = 'await promises, and catch errors in callbacks, since it would end a server';
        yield { message: `uncaught ${error}; ${advice}` };
      }
    },
  },
];

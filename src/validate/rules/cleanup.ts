import { plural } from '../../core/index.ts';
import { noSource, uniqueBy } from '../evidence.ts';
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
    explanation:
      'A failed cleanup leaves files, processes or containers behind in a long training run. An episode is ' +
      'played to its end, deleted during a call, and deleted during setup. Clean up only what exists.',
    untested: noSource,
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
    explanation:
      'Each leftover timer, connection or process adds up over thousands of episodes. Resources of the ' +
      'process are counted after several episodes. Register the release with onCleanup, next to the code ' +
      'that creates the resource.',
    untested: noSource,
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
    explanation:
      'An uncaught error ends the server, and with it the episodes of everyone. All code of the ' +
      'environment is watched while it is played. Await promises, and catch errors in callbacks.',
    untested: noSource,
    *check({ uncaught }) {
      for (const error of new Set(uncaught)) {
        const advice = 'await promises, and catch errors in callbacks, since it would end a server';
        yield { message: `uncaught ${error}; ${advice}` };
      }
    },
  },
];

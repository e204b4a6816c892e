import { plural } from '../../core/index.ts';
import type { ValidationRule } from '../finding.ts';

const WORDS: Readonly<Record<string, string>> = {
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
        const what = plural(count, WORDS[kind] ?? kind);
        const advice = 'register what ends it with onCleanup, where it is made';
        const message = `after ${episodes} episodes that were ${how}, ${what} more than before kept the process alive; ${advice}`;
        yield { split, index, message };
      }
    }
  },
};

/**
 * A server in a separate process, so that only the server is measured: `node --expose-gc --import tsx server.ts
 * <Start as JSON>`, with a channel for questions.
 */
import { existsSync, readdirSync } from 'node:fs';
import { loadEnvironments, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { heapInUse } from './heap-in-use.ts';
import { type Question, type Said, type Start, THREADS, type Weight } from './messages.ts';

const { isolation, settings, isClockOurs }: Start = JSON.parse(process.argv[2] ?? '');

let time = 0;
const environments = await loadEnvironments([new URL('environment.ts', import.meta.url)], {
  isolation,
  threads: THREADS,
});
// Warnings of a blocked event loop are expected: 10,000 setups, and a tool that writes 64 MiB.
const log = pino({ level: 'error' }, process.stderr);
const server = await serve(environments, { port: 0, log, ...settings, ...(isClockOurs && { now: () => time }) });

const entries = (folder: string) => (existsSync(folder) ? readdirSync(folder).length : undefined);

async function weigh(): Promise<Weight> {
  const heap = await heapInUse();
  const { external, arrayBuffers, rss } = process.memoryUsage();
  return {
    heap,
    external,
    arrayBuffers,
    rss,
    handles: process.getActiveResourcesInfo().sort(),
    threads: entries('/proc/self/task'),
    openFiles: entries('/proc/self/fd'),
    sessions: server.sessionCount,
  };
}

async function answer(question: Question): Promise<Said> {
  if (question.ask === 'weigh') return weigh();
  time += question.ms;
  server.sweep();
  return { sessions: server.sessionCount };
}

const say = (said: Said) => process.send?.(said);
process.on('message', async (question: Question) => say(await answer(question)));
// Exit with the parent process.
process.on('disconnect', () => process.exit());
say({ url: server.url });

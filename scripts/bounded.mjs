/**
 * Runs a command, and ends it with everything that it started when it takes too long.
 *
 *   node scripts/bounded.mjs <seconds> <command> [argument...]
 *
 * Exits as the command does, or with 124 when its time is over. Ctrl-C reaches the command once.
 */
import { spawn } from 'node:child_process';

const [seconds, command, ...args] = process.argv.slice(2);
// A group of its own: what the command started in turn can be ended with it.
const child = spawn(command, args, { stdio: 'inherit', detached: true });

const signalGroup = (signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
};
const timer = setTimeout(() => {
  console.error(`${[command, ...args].join(' ')}: not done after ${seconds} s; ending it`);
  process.exitCode = 124;
  signalGroup('SIGKILL');
}, Number(seconds) * 1_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signalGroup(signal));

child.on('error', (error) => {
  clearTimeout(timer);
  console.error(`${command} does not start: ${error.message}`);
  process.exitCode = 127;
});
child.on('exit', (code) => {
  clearTimeout(timer);
  process.exitCode ??= code ?? 1;
});

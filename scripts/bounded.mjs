/**
 * Runs a command with a timeout, after which it and its child processes are killed.
 *
 *   node scripts/bounded.mjs <seconds> <command> [argument...]
 *
 * Exits with the code of the command, or with 124 after a timeout. Ctrl-C is forwarded to the command once.
 */
import { spawn } from 'node:child_process';

const [seconds, command, ...args] = process.argv.slice(2);
// In a separate process group, so that its child processes can be killed too.
const child = spawn(command, args, { stdio: 'inherit', detached: true });

const signalGroup = (signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already exited.
  }
};
const timer = setTimeout(() => {
  console.error(`${[command, ...args].join(' ')}: timeout after ${seconds} s`);
  process.exitCode = 124;
  signalGroup('SIGKILL');
}, Number(seconds) * 1_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => signalGroup(signal));

child.on('error', (error) => {
  clearTimeout(timer);
  console.error(`cannot start ${command}: ${error.message}`);
  process.exitCode = 127;
});
child.on('exit', (code) => {
  clearTimeout(timer);
  process.exitCode ??= code ?? 1;
});

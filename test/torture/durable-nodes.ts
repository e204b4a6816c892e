import { setTimeout as delay } from 'node:timers/promises';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { freePorts } from '../support/free-ports.ts';

/** A supervisor tries this often to start a server: it cannot open its journal while PostgreSQL is down. */
const MAX_STARTS = 60;

export interface DurableNodes extends AsyncDisposable {
  readonly addresses: readonly string[];
  /** Kills a node, and starts it again. `onKill` is called once it is dead. */
  readonly kill: (index: number, onKill: () => void) => Promise<void>;
  /** Returns the output of all processes. */
  readonly said: () => string;
}

/** Starts servers of the durable games with one journal, and the tags 0000, 0001, ... */
export async function startDurableNodes(count: number, journal: string): Promise<DurableNodes> {
  const first = await freePorts(count);
  const all: RunningCommand[] = [];
  const running: RunningCommand[] = [];
  const endWithProcess = () => {
    for (const command of all) command.child.kill('SIGKILL');
  };
  process.once('exit', endWithProcess);

  async function start(index: number): Promise<void> {
    const flags = ['--journal', journal, '--log-level', 'warn'];
    const env = { PORT: String(first + index), ORS_NODE_TAG: index.toString(16).padStart(4, '0') };
    for (let starts = 1; ; starts++) {
      const command = startCommand([...ORS, 'serve', 'test/torture/durable-games.ts', ...flags], env);
      all.push(command);
      running[index] = command;
      try {
        await command.says(/ors serves /);
        return;
      } catch (error) {
        await command[Symbol.asyncDispose]();
        if (starts === MAX_STARTS) throw error;
        await delay(500);
      }
    }
  }
  const dispose = async () => {
    process.off('exit', endWithProcess);
    await Promise.all(all.map((command) => command[Symbol.asyncDispose]()));
  };
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    addresses: Array.from({ length: count }, (_, index) => `127.0.0.1:${first + index}`),
    async kill(index, onKill) {
      await running[index]?.[Symbol.asyncDispose]();
      onKill();
      await start(index);
    },
    said: () => all.map((command) => command.said()).join(''),
    [Symbol.asyncDispose]: dispose,
  };
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { message } from '../trace/model/store.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { type Program, start } from './program.ts';

const WANTED = 10_000;
const ENOUGH = 1_000;
/** Files and sockets that a server has open without followers. */
const OTHERS = 500;
const ROUNDS = 2;
const PROCESSES = 2;
/** Blocks per append. */
const BLOCKS = 5;
const KIB = 1024;

const { stdout: limit } = await promisify(execFile)('sh', ['-c', 'ulimit -Hn']);
const allowed = limit.trim() === 'unlimited' ? WANTED : Number(limit) - OTHERS;
const FOLLOWERS = Math.min(WANTED, Math.floor(allowed / 100) * 100);
const missing =
  sqliteMissing ?? (FOLLOWERS >= ENOUGH ? undefined : `${ENOUGH} followers need more than ${limit.trim()} open files`);

interface Weight {
  readonly watching: number;
  readonly sockets: number;
  readonly held: number;
  readonly rss: number;
}

const weigh = async (server: Program): Promise<Weight> => JSON.parse(await server.ask('weigh'));

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Sends a line to all programs and returns their replies. */
const askAll = (programs: readonly Program[], question: string): Promise<string[]> =>
  Promise.all(programs.map((program) => program.ask(question)));

/** Waits until a server has closed the streams of all followers. */
const untilAlone = (server: Program): Promise<Weight> =>
  until(
    async () => {
      const weight = await weigh(server);
      return weight.watching === 0 && weight.sockets === 0 && weight;
    },
    'a server without followers',
    240_000,
  );

testUnless(missing)(
  `serves ${FOLLOWERS} followers that disconnect, ${ROUNDS} times: readers receive all in order, and nothing is leaked`,
  async () => {
    await using folder = await newFolder();
    await using server = start('serve.ts', [join(folder.path, 'traces.db')]);
    const traces = `${await server.line()}/v1/organizations/default/traces`;
    const send = async (url: string, body: unknown) => {
      const headers = { 'Content-Type': 'application/json', Connection: 'close' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      expect([response.status, await response.text()]).toEqual([201, expect.anything()]);
    };
    const held: number[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const id = `tr_${round}`;
      let written = 0;
      const append = async (times: number) => {
        for (let time = 0; time < times; time++) {
          const blocks = Array.from({ length: BLOCKS }, () => message({ id: `tb_${round}_${++written}` }));
          await send(`${traces}/${id}/blocks`, { blocks });
        }
      };
      await send(traces, { id });
      await append(1);
      const each = String(FOLLOWERS / PROCESSES);
      const url = `${traces}/${id}/stream`;
      const programs = Array.from({ length: PROCESSES }, () => start('follow-many.ts', [url, each, `tb_${round}_`]));
      await using _all = {
        [Symbol.asyncDispose]: async () => void (await Promise.all(programs.map((one) => one.kill()))),
      };

      const [there] = await Promise.all([Promise.all(programs.map((program) => program.line())), append(5)]);
      const full = await weigh(server);
      await append(2);
      const before = await askAll(programs, `until ${written}`);
      const [left] = await Promise.all([askAll(programs, `drop ${FOLLOWERS / PROCESSES / 2}`), append(2)]);
      const after = await askAll(programs, `until ${written}`);
      // The others disappear without closing their connections.
      await Promise.all(programs.map((program) => program.kill()));
      const alone = await untilAlone(server);

      held.push(alone.held);
      expect(there).toEqual(programs.map(() => each));
      expect(full).toMatchObject({ watching: FOLLOWERS });
      expect(left).toEqual(programs.map(() => String(FOLLOWERS / PROCESSES / 2)));
      for (const said of [...before, ...after]) expect(JSON.parse(said)).toMatchObject({ disordered: 0, beyond: 0 });
      report(
        `${full.watching} followers: ${mib(full.held)} held, rss ${mib(full.rss)}; ` +
          `without them ${mib(alone.held)}, rss ${mib(alone.rss)}; ${written} blocks in order for all who read`,
      );
    }

    // The first rounds also allocate what the process keeps: compiled code and socket buffers.
    const [first = 0, second = 0] = held;
    expect((second - first) / FOLLOWERS).toBeLessThan(KIB / 4);
  },
);

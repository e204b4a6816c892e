import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { start } from './program.ts';

const WRITES = 20 + 20 * 20;

const strace = (calls: string, path: string): string[] => ['strace', '-f', '-y', '-e', `trace=${calls}`, '-o', path];

async function whyNot(): Promise<string | undefined> {
  if (sqliteMissing !== undefined) return sqliteMissing;
  const [command = '', ...args] = [...strace('fdatasync', '/dev/null'), 'true'];
  return await promisify(execFile)(command, args).then(
    () => undefined,
    () => 'what a process asks of the disk is seen by strace, which is not installed or not allowed here',
  );
}

testUnless(await whyNot())('syncs the log to disk between a write and its acknowledgement', async () => {
  await using folder = await newFolder();
  const [path, seen] = [join(folder.path, 'traces.db'), join(folder.path, 'calls')];
  const around = strace('fsync,fdatasync,write,pwrite64,pwritev', seen);
  await using program = start('write-and-say.ts', [path], around);

  await expect(program.end()).rejects.toThrow('SIGKILL');

  const calls = (await readFile(seen, 'utf8')).split('\n');
  let [isDirty, syncs, acknowledgements, tooEarly] = [false, 0, 0, 0];
  for (const call of calls) {
    const isOfLog = call.includes('traces.db-wal');
    if (isOfLog && /\bf(data)?sync\(/.test(call)) {
      syncs++;
      isDirty = false;
    } else if (isOfLog) isDirty = true;
    else if (call.includes('"acknowledged')) {
      acknowledgements++;
      if (isDirty) tooEarly++;
    }
  }
  report(`${acknowledgements} acknowledgements after ${syncs} syncs of the log, ${tooEarly} of them too early`);
  expect([acknowledgements, tooEarly]).toEqual([WRITES, 0]);
  expect(syncs).toBeGreaterThanOrEqual(2 * 20);
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { start } from './program.ts';

/** Command prefix that mounts a small disk for one command. */
const onSmallDisk = (folder: string): string[] => [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=12m tmpfs ${folder} && exec "$@"`,
  'sh',
];

async function whyNot(): Promise<string | undefined> {
  if (sqliteMissing !== undefined) return sqliteMissing;
  await using folder = await newFolder();
  const [command = '', ...args] = [...onSmallDisk(folder.path), 'true'];
  return await promisify(execFile)(command, args).then(
    () => undefined,
    () => 'a small disk needs unshare and a mount in a separate namespace, which are not permitted here',
  );
}

testUnless(await whyNot())(
  'reports a full disk as overload, loses nothing, and recovers when there is space',
  async () => {
    await using folder = await newFolder();
    await using program = start('fill-disk.ts', [folder.path], onSmallDisk(folder.path));

    const result = JSON.parse(await program.end());

    report(`full disk: ${JSON.stringify(result)}`);
    expect(result).toMatchObject({ others: '', missing: 0, more: 0, problems: [] });
    expect(result.overloaded).toBeGreaterThanOrEqual(50);
    expect(result.whenFull).toBeGreaterThan(10);
    expect(result.after).toBeGreaterThanOrEqual(100);
  },
);

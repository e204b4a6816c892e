import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/engine.ts';
import { orsInProcess } from '../../support/command-in-process.ts';
import { describeUnless } from '../../support/optional.ts';
import { sqliteMissing } from '../../trace/store/stores.ts';
import { addConversation, inFile, KNOWN } from './stage.ts';

describeUnless(sqliteMissing)('a file of traces', () => {
  test('is verified, both intact and damaged', async () => {
    await using stage = await inFile();
    await addConversation(stage);
    const [, path = ''] = stage.flags;

    const right = await stage.traces('verify');
    const database = loadEngine().open(path);
    database.exec('UPDATE trace_rows SET bytes = bytes + 1');
    database.close();
    const wrong = await stage.traces('verify');
    const json = await stage.traces('verify', '--json');

    expect(right).toEqual({ code: 0, stdout: `${path}: 1 trace, 9 blocks, 0 blobs; all is right\n`, stderr: '' });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(new RegExp(`^${KNOWN} has bytes .*\n.*: 1 trace, 9 blocks, 0 blobs; findings: 1\n$`));
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ traces: 1, findings: [expect.stringContaining('has bytes')] });
  });

  test('is copied while it is open, but never over an existing file', async () => {
    await using stage = await inFile();
    await addConversation(stage);
    const [, path = ''] = stage.flags;
    const copy = join(stage.folder, 'copy.db');
    await writeFile(`${copy}.part`, 'of a copy that was broken off');

    const copied = await stage.traces('backup', copy);
    const again = await stage.traces('backup', copy);
    const { stdout } = await stage.traces('ls', '--json');
    const fromCopy = await orsInProcess(['traces', 'ls', '--json', '--db', copy]);

    expect(copied).toEqual({ code: 0, stdout: `copied ${path} to ${copy}\n`, stderr: '' });
    expect(again).toMatchObject({ code: 1, stderr: `ors: ${copy} exists; name a new file for the copy\n` });
    expect(fromCopy.stdout).toBe(stdout);
  });

  test('is rejected if it is not a database', async () => {
    await using stage = await inFile();
    const other = join(stage.folder, 'other.db');
    await writeFile(
      other,
      'this is not a database, and it is long enough to be recognized as something else'.repeat(20),
    );

    const { code, stderr } = await orsInProcess(['traces', 'ls', '--db', other]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^ors: .*other\.db.*\n$/);
  });
});

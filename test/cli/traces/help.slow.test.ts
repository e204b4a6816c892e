import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { ORS, startCommand } from '../../support/command.ts';
import { orsInProcess } from '../../support/command-in-process.ts';
import { testUnless } from '../../support/optional.ts';
import { sqliteMissing } from '../../trace/store/stores.ts';
import { COMMANDS, examplesOf } from './examples.ts';
import { addConversation, inFile, message, type Stage } from './stage.ts';

/** Creates the files, traces and programs that the examples use. */
async function prepare({ folder, store, append }: Stage): Promise<void> {
  for (const name of ['runs', 'bin', 'backups']) await mkdir(join(folder, name));
  const programs = { ors: `exec '${ORS.join("' '")}' "$@"`, jq: 'exec cat', less: 'exec cat' };
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${line}\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  const lines = `{"trace":{"id":"tr_imported"}}\n${JSON.stringify({ block: message('tb_i', 'hello') })}\n`;
  await writeFile(join(folder, 'first-run.jsonl'), lines);
  await writeFile(join(folder, 'runs', '1.jsonl.gz'), gzipSync(lines));
  await store.createTrace('default', { id: 'tr_01k2m3n4p5q6r7s8t9v0w1x2y4', run: 'first-run' });
  await append('tr_01k2m3n4p5q6r7s8t9v0w1x2y4', message('tb_e', 'hello'));
  await store.createTrace('default', { id: 'tr_scratch', run: 'scratch' });
}

testUnless(sqliteMissing)('runs the examples of --help', async () => {
  await using stage = await inFile();
  await addConversation(stage);
  const [, db = ''] = stage.flags;
  await using server = startCommand([...ORS, 'traces', 'serve', '--db', db, '--port', '0']);
  const [, url = ''] = await server.says(/ on (http:\S+);/);
  await prepare(stage);
  const helps = await Promise.all([...COMMANDS, 'keys'].map((command) => orsInProcess(['traces', command, '--help'])));
  let key = '';

  for (const example of helps.flatMap(({ stdout }) => examplesOf(stdout))) {
    const line = example
      .replaceAll('http://127.0.0.1:8090', url)
      .replaceAll('/backups/', 'backups/')
      .replace(/key_\S+/, key)
      // This command fails because it cannot ask for confirmation; another example passes --yes.
      .replace(/^(ors traces delete \S+)$/, '$1 || true');
    await using command = startCommand(['sh', '-c', `set -e; cd '${stage.folder}'; PATH="$PWD/bin:$PATH"; ${line}`]);
    command.child.stdin?.end();
    const { code, stdout, stderr } = await command.result;
    key = /key_\S+/.exec(stderr)?.[0] ?? key;
    expect({ line, code, stdout, stderr }).toEqual({ line, code: 0, stdout, stderr });
  }
});

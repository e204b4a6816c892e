import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Copies the built package to a folder without optional packages. */
async function bare() {
  const folder = await mkdtemp(join(tmpdir(), 'ors-bare-'));
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  await symlink(join(root, 'generated'), join(folder, 'generated'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('rejects with the command that installs the MCP SDK if it is missing', async () => {
  await using place = await bare();
  const program = `
    import { fromMcp, serveMcp } from 'ors-kit/bridges/mcp';
    const lab = fromMcp({ name: 'lab', splits: { train: [{}] }, connect: { command: 'none' }, prompt: () => 'Go.' });
    const setup = () => lab.hooks.setup({ task: {}, secrets: {}, sessionId: '1', signal: new AbortController().signal });
    const tell = (work) => work().catch(({ message }) => console.log(message));
    await tell(() => serveMcp({}));
    await tell(setup);
  `;
  await writeFile(join(place.folder, 'program.mjs'), program);

  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: place.folder });

  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'an MCP server needs the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk',
    'fromMcp needs the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk',
  ]);
});

import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFileOutput } from '../../../src/cli/terminal/text-output.ts';
import { ORS, startCommand } from '../../support/command.ts';
import { orsInProcess } from '../../support/command-in-process.ts';
import { describeUnless } from '../../support/optional.ts';
import { until } from '../../support/until.ts';
import { newFolder } from '../../trace/store/stores.ts';
import {
  addConversation,
  addRewards,
  behindServer,
  call,
  KNOWN,
  message,
  PLACES,
  result,
  type Stage,
} from './stage.ts';

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns a trace and its blocks without timestamps and metadata. */
async function contentOf({ store }: Stage, id: string) {
  const { name, run, environment, split, step, tags, status, reward_sum } = await store.trace('default', id);
  const blocks = (await store.blocks('default', id)).map(({ block }) => {
    const { created_at: _, updated_at: __, metadata: ___, ...content } = block;
    return content;
  });
  return { name, run, environment, split, step, tags, status, reward_sum, blocks };
}

for (const { place, open, missing } of PLACES) {
  describeUnless(missing)(`traces ${place}`, () => {
    test('are unchanged after an export and an import; a second import adds nothing', async () => {
      await using from = await open();
      await using to = await open();
      await addConversation(from);
      await addRewards(from, [1, 2]);
      const file = join(from.folder, 'first-run.jsonl');

      const exported = await from.traces('export', '--run', 'first-run', '--out', file);
      const imported = await to.traces('import', file);
      const again = await to.traces('import', file, '--json');

      expect(exported).toEqual({ code: 0, stdout: `wrote 1 trace to ${file}\n`, stderr: '' });
      expect(imported).toEqual({ code: 0, stdout: 'imported 1 trace with 9 new blocks\n', stderr: '' });
      expect(JSON.parse(again.stdout)).toEqual({ traces: 1, blocks: 0, replayed: 9, failed_count: 0, failed: [] });
      expect(await contentOf(to, KNOWN)).toEqual(await contentOf(from, KNOWN));
      expect(await isThere(`${file}.part`)).toBe(false);
    });

    test('are exported by id, in the order of the ids, in each format', async () => {
      await using stage = await open();
      await addRewards(stage, [1, 2, 3]);
      const lines = async (format: string) => {
        const { code, stdout } = await stage.traces('export', 'tr_2', '0', '--format', format);
        return [
          code,
          ...stdout
            .trimEnd()
            .split('\n')
            .map((line) => Object.keys(JSON.parse(line))[0]),
        ];
      };

      expect(await lines('jsonl')).toEqual([0, 'trace', 'block', 'trace', 'block']);
      expect(await lines('openai')).toEqual([0, 'messages', 'messages']);
      expect(await lines('sharegpt')).toEqual([0, 'conversations', 'conversations']);
      expect(await lines('atif')).toEqual([0, 'schema_version', 'schema_version']);
      expect(await lines('otlp-json')).toEqual([0, 'resourceSpans', 'resourceSpans']);
    });

    test('that do not exist leave the file of an earlier export unchanged', async () => {
      await using stage = await open();
      const file = join(stage.folder, 'old.jsonl');
      await writeFile(file, 'old');

      const answers = [
        await stage.traces('export', 'nope', '--out', file),
        await stage.traces('export', '--run', 'nope', '--out', file),
        await stage.traces('export', '--out', file),
        await stage.traces('export', 'a', '--run', 'b', '--out', file),
      ];

      expect(answers.map(({ code, stderr }) => [code, stderr.replace(/;.*/s, '')])).toEqual([
        [1, 'ors: there is no trace tr_nope in this organization'],
        [1, expect.stringMatching(/^ors: --run: there is no run "nope"/)],
        [1, 'ors: no traces selected'],
        [1, 'ors: pass either trace ids or --run and other filters, not both\n'],
      ]);
      expect(await readFile(file, 'utf8')).toBe('old');
      expect(await isThere(`${file}.part`)).toBe(false);
    });

    test('that are rejected are reported with file and line, and the rest is imported', async () => {
      await using stage = await open();
      const file = join(stage.folder, 'mixed.jsonl');
      const orphan = { ...call('tb_9', 'tb_nowhere') };
      const lines = [
        '{"trace":{"id":"tr_a"}}',
        JSON.stringify({ block: message('tb_1', 'hello') }),
        'no JSON',
        '{"trace":{"id":"tr_b"}}',
        JSON.stringify({ block: orphan }),
        '{"trace":{"id":"tr_c"}}',
        JSON.stringify({ block: message('tb_2', 'hello') }),
      ];
      await writeFile(file, lines.join('\n'));

      const text = await stage.traces('import', file);
      const json = await stage.traces('import', file, '--json');

      expect([text.code, text.stdout]).toEqual([1, 'imported 3 traces with 2 new blocks; not imported: 2\n']);
      const [first, second] = text.stderr.split('\n');
      expect(first).toBe(`ors: ${file} line 3, tr_a: not imported: the line is not JSON`);
      expect(second).toMatch(new RegExp(`^ors: ${file} line 5, block tb_9 of tr_b: not imported: .*parent`));
      expect(json.code).toBe(1);
      expect(JSON.parse(json.stdout)).toMatchObject({
        ...{ traces: 3, blocks: 0, replayed: 2, failed_count: 2 },
        failed: [
          { file, line: 3, trace_id: 'tr_a', block_id: null, error: { code: 'BAD_JSON' } },
          { file, line: 5, trace_id: 'tr_b', block_id: 'tb_9', error: { code: 'VALIDATION' } },
        ],
      });
    });

    test('with large contents are imported whole, even from standard input', async () => {
      await using stage = await open();
      const text = 'x'.repeat(5 * 1024 * 1024);
      const blocks = [
        message('tb_1', text.slice(0, 100_000)),
        message('tb_2', 'ok', 'assistant'),
        call('tb_3', 'tb_2'),
        result('tb_3', { output: text }),
        ...Array.from({ length: 1500 }, (_, at) => message(`tb_m${at}`, 'small')),
      ];
      const input = [{ trace: { id: 'tr_big' } }, ...blocks.map((block) => ({ block }))].map((line) =>
        JSON.stringify(line),
      );

      const imported = await orsInProcess(['traces', 'import', '-', ...stage.flags], { input: input.join('\n') });
      const { stdout } = await stage.traces('show', 'big', '--json');
      const { messages } = JSON.parse(stdout);

      expect(imported).toMatchObject({ code: 0, stderr: '' });
      expect(messages).toHaveLength(1502);
      expect(messages[0].payload.content).toBe(text.slice(0, 100_000));
      expect(messages[1].tool_calls[0].assembled.value).toBe(text);
    });
  });
}

test('reports the stored traces when an interrupt ends an import', async () => {
  await using stage = await behindServer();
  await using command = startCommand([...ORS, 'traces', 'import', '-', ...stage.flags]);
  const { stdin } = command.child;
  const line = (at: number) => `{"trace":{"id":"tr_${at}"}}\n`;

  stdin?.write(line(0) + line(1));
  await until(async () => (await stage.store.traces('default', { limit: 9 })).items.length === 1);
  command.child.kill('SIGINT');
  const { code, stdout, stderr } = await command.result;
  const { items } = await stage.store.traces('default', { limit: 9 });

  expect([code, stderr]).toEqual([130, 'ors: interrupted\n']);
  expect(stdout).toBe('imported 1 trace with 0 new blocks\n');
  expect(items).toHaveLength(1);
});

test('retries an import until the server answers', async () => {
  await using stage = await behindServer();
  let fails = 2;
  const { createServer } = await import('node:http');
  const [, url = ''] = stage.flags;
  const proxy = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url?.endsWith('/blocks') && fails-- > 0) return void request.socket.destroy();
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const lines = `{"trace":{"id":"tr_a"}}\n${JSON.stringify({ block: message('tb_1', 'hello') })}\n`;

  const { code, stdout, stderr } = await orsInProcess(['traces', 'import', '-', '--url', `http://127.0.0.1:${port}`], {
    input: lines,
  });
  proxy.closeAllConnections();
  proxy.close();

  expect([code, stdout]).toEqual([0, 'imported 1 trace with 1 new block\n']);
  expect(stderr).toMatch(/^ors: no response to POST .*; retrying\n$/);
});

test('writes an unfinished file under a temporary name, and keeps what was written', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'out.jsonl');

  {
    await using output = await openFileOutput(file);
    await output.write('half\n');
  }
  const [unfinished, part] = [await isThere(file), await readFile(`${file}.part`, 'utf8')];
  {
    await using output = await openFileOutput(file);
    await output.write('whole\n');
    await output.finish();
  }

  expect([unfinished, part]).toEqual([false, 'half\n']);
  expect([await readFile(file, 'utf8'), await isThere(`${file}.part`)]).toEqual(['whole\n', false]);
});

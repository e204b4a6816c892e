import { expect, test } from '@jest/globals';
import { csvRow } from '../../../src/core/index.ts';
import { addRewards, behindServer } from './stage.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+a', "'+a"],
  ['-a', "'-a"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  [null, ''],
  [-1, '-1'],
])('the cell %j is written as %j', (cell, written) => {
  expect(csvRow([cell, 0])).toBe(`${written},0\r\n`);
});

test('ls --csv gives all traces with all fields', async () => {
  await using stage = await behindServer();
  await addRewards(stage, [1, null, -0.5]);
  await stage.store.createTrace('default', { id: 'tr_odd', run: '=cmd|x', name: 'a, "b"', tags: ['x', 'y'] });

  const { stdout } = await stage.traces('ls', '--csv', '--order', 'asc');
  const [header, ...rows] = stdout.split('\r\n');

  expect(header).toMatch(/^id,name,run,environment,.*,reward_sum,.*,updated_at,tags$/);
  expect(rows.slice(0, 3).map((row) => row.split(',')[13])).toEqual(['1', '', '-0.5']);
  expect(rows[3]).toMatch(/^tr_odd,"a, ""b""",'=cmd\|x,.*,x y$/);
  expect(rows.slice(4)).toEqual(['']);
});

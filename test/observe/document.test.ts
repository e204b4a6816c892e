import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { call, create, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { scrape } from './scrape.ts';

const document = readFileSync('docs/operating.md', 'utf8');
const TABLE = /\| Metric \|[\s\S]*?\n\n/.exec(document)?.[0] ?? '';

test('documents every metric with its labels, and no other, in docs/operating.md', async () => {
  await using server = await start(lab().environment);
  await call(server, await create(server), 'echo', { text: 'a' });
  const { text } = await scrape(server);

  const rows = TABLE.split('\n').flatMap((line) => {
    const [, names = '', labels = ''] = line.split('|');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, labels.trim()]);
  });

  const types = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  expect(rows.map(([name]) => name).sort()).toEqual(types.sort());
  for (const [name, labels] of rows) {
    const [, written] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, 'm').exec(text) ?? [];
    // Some have no values before something happens.
    if (written === undefined) continue;
    const names = [...written.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le');
    expect([name, names.join(', ')]).toEqual([name, labels]);
  }
});

test('provides the metrics of the documented alerts', () => {
  const asked = [...document.matchAll(/rate\((\w+?)(?:_count|_bucket)?[{[]/g)].map(([, name]) => name);

  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((name) => !TABLE.includes(`\`${name}\``))).toEqual([]);
});

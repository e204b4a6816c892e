import { expect } from '@jest/globals';
import { storeParts } from '../../bench/traces/parts.ts';
import { sqlite } from '../../bench/traces/sqlite.ts';
import type { RoundContext } from '../../bench/traces/store-measure.ts';
import { testUnless } from '../support/optional.ts';

const missing = process.versions.sqlite === undefined ? 'this Node has no node:sqlite' : undefined;
const round: RoundContext = { blocks: 500, progress: () => {} };

/** Leaves out the parts that cannot be shortened, or that need other software. */
testUnless(missing).each([
  ['singles', ['T2', 'T2', 'T2', 'T2']],
  ['reads', ['T3', 'T3', 'T3', 'T4', 'T4']],
  ['tail', ['T5']],
  ['restart', ['T6', 'T6', 'T6', 'T6']],
  ['export', ['T8', 'T8']],
  ['formats', ['T8', 'T8', 'T8', 'T8', 'T8', 'T8']],
])('measures a figure for each goal in a small round of the part %s', async (name, marks) => {
  const part = storeParts.find((each) => each.name === name);

  const rows = (await part?.measure(sqlite, round)) ?? [];

  expect(rows.flatMap(({ mark }) => mark ?? [])).toEqual(marks);
  const unmeasured = rows.filter(({ figures }) => !Object.values(figures).every(Number.isFinite));
  expect(unmeasured).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { killAndResume } from './kill-and-resume.ts';

test('records each episode once in rewards.jsonl and in the store if a run is killed repeatedly', async () => {
  const survived = await killAndResume({ kills: 2, tasks: 75 });

  expect([survived.code, survived.stderr]).toEqual([0, '']);
  expect(survived.kills).toBe(2);
  expect(survived.rewards).toHaveLength(survived.planned);
  expect(new Set(survived.rewards).size).toBe(survived.planned);
  expect(survived.stored).toEqual(survived.named);
  expect(survived.problems).toEqual([]);
});

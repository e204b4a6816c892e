import { expect, test } from '@jest/globals';
import { killAndResume } from '../rollout/kill-and-resume.ts';

test('has each episode once, in rewards.jsonl and in the store, after a run was killed twenty times', async () => {
  const survived = await killAndResume({ kills: 20, tasks: 150 });

  expect([survived.code, survived.stderr]).toEqual([0, '']);
  expect(survived.kills).toBe(20);
  expect(survived.rewards).toHaveLength(survived.planned);
  expect(new Set(survived.rewards).size).toBe(survived.planned);
  expect(survived.stored).toEqual(survived.named);
  expect(survived.problems).toEqual([]);
});

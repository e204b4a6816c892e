import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assume } from '../../verdict.ts';
import { NO_SPLIT } from './requests.ts';

const TYPES: readonly unknown[] = ['train', 'validation', 'test'];
/** The split of the fixture for which no type is declared. */
const CUSTOM = 'hard';

export const splitChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/splits',
    title: '/splits is an array of objects with a name and a type of train, validation or test',
    requirement: 'ORS-DISC-009',
    profile: 'discovery',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        const path = probe.path('splits', name);
        const { json } = (await probe.send('GET', path, { follow: true })).requireSuccess(`GET ${path}`);
        assertConforms(Array.isArray(json), `GET ${path} gave no array but ${previewJson(json)}`);
        for (const [index, split] of json.entries()) {
          assertConforms(isRecord(split), `split ${index} of '${name}' is no object but ${previewJson(split)}`);
          assertConforms(
            typeof split.name === 'string',
            `split ${index} of '${name}' has the name ${previewJson(split.name)}`,
          );
          assertConforms(
            TYPES.includes(split.type),
            `split '${split.name}' of '${name}' has the type ${previewJson(split.type)}`,
          );
        }
      }
    },
  },
  {
    id: 'discovery/custom-split',
    title: 'A split of a custom name, for which no type is declared, has the type validation',
    requirement: 'ORS-DISC-010',
    profile: 'full',
    needs: ['fixture'],
    async run(probe) {
      const { json } = (await probe.send('GET', probe.path('splits'), { follow: true })).requireSuccess('/splits');
      const split = Array.isArray(json) ? json.filter(isRecord).find(({ name }) => name === CUSTOM) : undefined;
      assume(split, `the fixture on this server has no split '${CUSTOM}'`);
      assertConforms(split.type === 'validation', `split '${CUSTOM}' has the type ${previewJson(split.type)}`);
    },
  },
  {
    id: 'discovery/unknown-split',
    title: 'An unknown split is answered with 400 by /tasks, /num_tasks, /task and /task_range',
    requirement: 'ORS-DISC-023',
    profile: 'discovery',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        for (const action of ['tasks', 'num_tasks', 'task', 'task_range']) {
          const json = { split: NO_SPLIT, ...(action === 'task' && { index: 0 }) };
          const response = await probe.send('POST', probe.path(action, name), { json, follow: true });
          assertConforms(
            response.status === 400,
            `POST ${probe.path(action, name)} with ${previewJson(json)} gave ${response.summary}`,
          );
        }
      }
    },
  },
];

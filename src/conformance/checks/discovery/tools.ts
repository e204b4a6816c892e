import { isRecord, previewJson } from '../../../core/index.ts';
import type { ConformanceCheck } from '../../check.ts';
import { assertConforms, assumeApplicable } from '../../verdict.ts';
import { listedTools } from './requests.ts';
import { schemaProblem } from './schema-problem.ts';

const FIELDS = ['name', 'description', 'input_schema'];

export const toolChecks: readonly ConformanceCheck[] = [
  {
    id: 'discovery/tools',
    title: 'Every tool of /tools has a name, a description and an input_schema that is an object or null',
    requirement: 'ORS-DISC-005',
    profile: 'discovery',
    async run(probe) {
      for (const { name } of probe.target.environments) {
        const path = probe.path('tools', name);
        const { json } = (await probe.send('GET', path, { follow: true })).requireSuccess(`GET ${path}`);
        assertConforms(
          isRecord(json) && Array.isArray(json.tools),
          `GET ${path} gave no object with an array tools: ${previewJson(json)}`,
        );
        for (const [index, tool] of json.tools.entries()) {
          assertConforms(isRecord(tool), `tool ${index} of '${name}' is no object but ${previewJson(tool)}`);
          const what = `tool ${previewJson(tool.name ?? index)} of '${name}'`;
          assertConforms(
            typeof tool.name === 'string' && tool.name !== '',
            `${what} has the name ${previewJson(tool.name)}`,
          );
          assertConforms(
            typeof tool.description === 'string',
            `${what} has the description ${previewJson(tool.description)}`,
          );
          assertConforms('input_schema' in tool, `${what} has no input_schema; null stands for none`);
          const { input_schema: schema } = tool;
          assertConforms(schema === null || isRecord(schema), `${what} has the input_schema ${previewJson(schema)}`);
        }
      }
    },
  },
  {
    id: 'discovery/tool-fields',
    title: 'No tool of /tools has other fields than name, description and input_schema',
    requirement: 'ORS-DISC-006',
    profile: 'discovery',
    async run(probe) {
      for (const environment of probe.target.environments) {
        for (const tool of await listedTools(probe, environment)) {
          const more = Object.keys(tool).filter((key) => !FIELDS.includes(key));
          assertConforms(
            more.length === 0,
            `tool ${previewJson(tool.name)} of '${environment.name}' also has ${more.join(', ')}`,
          );
        }
      }
    },
  },
  {
    id: 'discovery/tool-schemas',
    title: 'Every input_schema of /tools that is not null is a valid JSON Schema for an object',
    requirement: 'ORS-DISC-007',
    profile: 'discovery',
    async run(probe) {
      let count = 0;
      for (const environment of probe.target.environments) {
        for (const { name, input_schema: schema } of await listedTools(probe, environment)) {
          if (!isRecord(schema)) continue;
          count++;
          const problem = schemaProblem(schema);
          assertConforms(
            !problem,
            `the input_schema of ${previewJson(name)} of '${environment.name}' is not valid: ${problem}`,
          );
        }
      }
      assumeApplicable(count > 0, 'no tool has an input_schema');
    },
  },
  {
    id: 'discovery/tool-names',
    title: 'No two tools of an environment have the same name',
    requirement: 'ORS-DISC-008',
    profile: 'discovery',
    async run(probe) {
      for (const environment of probe.target.environments) {
        const names = (await listedTools(probe, environment)).map(({ name }) => name);
        const twice = names.find((name, index) => names.indexOf(name) !== index);
        assertConforms(twice === undefined, `/tools of '${environment.name}' lists ${previewJson(twice)} twice`);
      }
    },
  },
];

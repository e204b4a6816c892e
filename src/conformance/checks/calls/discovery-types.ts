import {
  asSchema,
  createResolver,
  fieldsOf,
  flattenSchema,
  isRecord,
  type JSONSchema,
  previewJson,
} from '../../../core/index.ts';
import { assertConforms, assume } from '../../assertions.ts';
import { defineChecks, fixtureCheck } from '../../check.ts';
import type { Probe } from '../../probe/index.ts';
import { assertBodiesRejected } from '../discovery/requests.ts';

export const discoveryTypeChecks = defineChecks({ profile: 'discovery' }, [
  {
    id: 'type/tool-list',
    title: '/task_tools is an object with an array tools',
    requirement: 'ORS-TYPE-021',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      const { json } = (await (await probe.sharedEpisode()).taskTools()).requireSuccess('/task_tools');
      assertConforms(isRecord(json) && Array.isArray(json.tools), `/task_tools returned ${previewJson(json)}`);
    },
  },
  {
    id: 'type/tool-spec',
    title: 'Every tool of /task_tools has a string name and a string description',
    requirement: 'ORS-TYPE-009',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      for (const { name, description } of await toolsOf(probe, 'task_tools')) {
        assertConforms(typeof name === 'string' && name !== '', `a tool has the name ${previewJson(name)}`);
        assertConforms(typeof description === 'string', `the description of '${name}' is ${previewJson(description)}`);
      }
    },
  },
  {
    id: 'type/input-schema',
    title: 'Every tool of /task_tools has an input_schema that is an object or null',
    requirement: 'ORS-TYPE-010',
    profile: 'core',
    needs: ['task'],
    async run(probe) {
      for (const tool of await toolsOf(probe, 'task_tools')) {
        const { input_schema: schema } = tool;
        const name = previewJson(tool.name);
        const hasSchema = Object.hasOwn(tool, 'input_schema');
        assertConforms(hasSchema, `${name} has no input_schema; it must be null for a tool without parameters`);
        const isRight = schema === null || isRecord(schema);
        assertConforms(isRight, `the input_schema of ${name} is ${previewJson(schema)}`);
      }
    },
  },
  {
    id: 'type/tool-name-style',
    title: 'Names of tools are in lower case with underscores',
    requirement: 'ORS-TYPE-011',
    async run(probe) {
      const names = (await toolsOf(probe, 'tools')).map(({ name }) => String(name));
      const other = names.filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name));
      assertConforms(other.length === 0, `not in lower case with underscores: ${other.join(', ')}`);
    },
  },
  {
    id: 'type/tool-description',
    title: 'No tool has an empty description',
    requirement: 'ORS-TYPE-013',
    async run(probe) {
      const tools = await toolsOf(probe, 'tools');
      const empty = tools.filter(({ description }) => typeof description === 'string' && description.trim() === '');
      assertConforms(empty.length === 0, `no description: ${empty.map(({ name }) => name).join(', ')}`);
    },
  },
  fixtureCheck({
    id: 'type/schema-as-written',
    title: 'Properties and required parameters of an input_schema are listed as the author wrote them',
    requirement: 'ORS-TYPE-015',
    tools: ['nested'],
    sessions: 0,
    calls: 0,
    async run(probe) {
      const schema = (await toolsOf(probe, 'tools')).find(({ name }) => name === 'nested')?.input_schema;
      assume(isRecord(schema), "'nested' has no input_schema");
      const { mode, point } = fieldsOf(schema.properties);
      const { properties, required } = resolve(point, schema);
      for (const [what, names, expected] of [
        ['the properties', keysOf(schema.properties), 'level, mode, point, tags'],
        ['required', listOf(schema.required), 'mode, point'],
        ['the choices of mode', listOf(resolve(mode, schema).enum), 'fast, slow'],
        ['the properties of point', keysOf(properties), 'x, y'],
        ['required of point', listOf(required), 'x, y'],
      ] as const) {
        assertConforms(names === expected, `${what} are ${names}`);
      }
    },
  }),
  {
    id: 'type/task-split',
    title: '/task rejects a body without a string split',
    requirement: 'ORS-TYPE-029',
    run: (probe) => assertBodiesRejected(probe, 'task', [{ index: 0 }, { split: 5, index: 0 }]),
  },
  {
    id: 'type/task-range-split',
    title: '/task_range rejects a body without a string split',
    requirement: 'ORS-TYPE-030',
    run: (probe) =>
      assertBodiesRejected(probe, 'task_range', [
        { start: 0, stop: 1 },
        { split: 5, start: 0, stop: 1 },
      ]),
  },
]);

/** Fetches the tools that are objects. */
async function toolsOf(probe: Probe, action: 'tools' | 'task_tools'): Promise<Record<string, unknown>[]> {
  const response = action === 'tools' ? await probe.discover('tools') : await (await probe.sharedEpisode()).taskTools();
  const { tools } = fieldsOf(response.requireSuccess(`/${action}`).json);
  const listed = Array.isArray(tools) ? tools.filter(isRecord) : [];
  assume(listed.length > 0, `/${action} lists no tools`);
  return listed;
}

const keysOf = (value: unknown): string => listOf(isRecord(value) ? Object.keys(value) : value);

const listOf = (value: unknown): string => (Array.isArray(value) ? [...value].sort().join(', ') : previewJson(value));

/** Resolves references: schema libraries may move parts of a schema to `$defs`. */
const resolve = (part: unknown, schema: JSONSchema): JSONSchema =>
  flattenSchema(asSchema(part), createResolver(schema), { left: 100 }).schema;

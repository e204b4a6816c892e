import { canonicalJson } from '../../core/index.ts';
import { defineTool, type Environment, type ToolDefinition } from '../../environment/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import { jsonSchema, toSchema } from '../../schema/index.ts';
import type { ReplaySession } from './playback.ts';
import type { RecordedEpisode } from './recorded-episode.ts';

type SharedReplayTool = Environment['tools'] extends ReadonlyMap<string, infer T> ? T : never;

/** The tools of each episode by its id, and those that all of them have alike. */
export interface ReplayTools {
  readonly byEpisode: ReadonlyMap<string, readonly ToolSpec[]>;
  readonly shared: ReadonlyMap<string, SharedReplayTool>;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** @param given in place of those that were recorded. */
export function createReplayTools(
  episodes: readonly RecordedEpisode[],
  given: readonly ToolSpec[] | undefined,
): ReplayTools {
  const known = new Map(episodes.flatMap(({ tools = [] }) => tools).map((tool) => [tool.name, tool]));
  const of = new Map(
    episodes.map((episode) => {
      const tools = given ?? episode.tools ?? withCalled([...known.values()], episodes);
      return [episode.id, tools.filter(({ name }) => NAME.test(name))];
    }),
  );
  const [first = [], ...others] = [...of.values()];
  const common = others.map((tools) => new Set(tools.map(canonicalJson)));
  const shared = first.filter((tool) => common.every((tools) => tools.has(canonicalJson(tool))));
  return { byEpisode: of, shared: new Map(shared.map((spec) => [spec.name, sharedTool(spec)])) };
}

/** The tools, and those that were called besides: of these nothing is known but the names of their parameters. */
function withCalled(tools: readonly ToolSpec[], episodes: readonly RecordedEpisode[]): ToolSpec[] {
  const inputs = new Map<string, JSONObject>();
  for (const { name, input } of episodes.flatMap(({ calls }) => calls)) {
    const names = Object.fromEntries(Object.keys(input).map((parameter) => [parameter, {}]));
    inputs.set(name, { ...inputs.get(name), ...names });
  }
  const called = [...inputs].filter(([name]) => !tools.some((tool) => tool.name === name));
  return [...tools, ...called.map(([name, properties]) => specOf(name, { type: 'object', properties }))];
}

const specOf = (name: string, input_schema: JSONObject): ToolSpec => ({
  name,
  description: 'A tool of the recorded episode.',
  input_schema,
});

/** A tool that takes every input: what it refused in the record is in the record too. */
const sharedTool = (spec: ToolSpec): SharedReplayTool => ({
  spec,
  schema: { json: spec.input_schema ?? { type: 'object' }, validate: (value) => ({ ok: true, value }) },
  concurrent: false,
  timeoutMs: undefined,
  run: ({ input, state }) => (state as ReplaySession).call(spec.name, input as JSONObject),
});

/**
 * A tool that not all episodes have. Its schema is the recorded one as long as it lets the recorded inputs through as they
 * are; otherwise any object is let through, since the record says what came of it.
 */
export async function createEpisodeTool(
  { name, description, input_schema }: ToolSpec,
  { calls }: RecordedEpisode,
): Promise<ToolDefinition<object | undefined, unknown, ReplaySession>> {
  const inputs = calls.filter((call) => call.name === name).map(({ input }) => input);
  const input = (await keeps(input_schema, inputs)) ? input_schema : { type: 'object' };
  return defineTool({
    description: description.trim() === '' ? `The tool ${name}.` : description,
    ...(input !== null && { input: jsonSchema<JSONObject>(input) }),
    run: ({ input, state }: { readonly input: JSONObject; readonly state: ReplaySession }) => state.call(name, input),
  }) as ToolDefinition<object | undefined, unknown, ReplaySession>;
}

async function keeps(schema: JSONObject | null, inputs: readonly JSONObject[]): Promise<boolean> {
  // A tool without parameters gets none, whatever was sent.
  if (schema === null) return inputs.every((input) => Object.keys(input).length === 0);
  try {
    const { validate } = toSchema(schema, 'a recorded tool');
    const values = await Promise.all(inputs.map((input) => validate(input)));
    return values.every((valid, index) => valid.ok && canonicalJson(valid.value) === canonicalJson(inputs[index]));
  } catch (error) {
    // A schema that was good for its own server.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

import type { BlockInput, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { ImportedTrace, ImportItem, LineImporter } from './imported.ts';
import { addStep } from './read-atif-step.ts';
import { storedToTraceInput, toBlockInput } from './stored-trace.ts';
import { toToolSpecs } from './tools.ts';
import { TraceBuilder } from './trace-builder.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Reads documents of ATIF, versions 1.x. One of ours whose steps nobody has changed gives back the trace that it was made
 * of. Others become a trace with an id that follows from the content, so that a second import finds it there; what blocks
 * have no place for is in `extra.atif` of the block and `metadata.imported` of the trace. Trajectories of agents below are
 * traces of their own.
 */
export class AtifReader implements LineImporter {
  *readLine(line: number, document: Document): Generator<ImportItem> {
    const { schema_version, steps, subagent_trajectories } = document;
    if (typeof schema_version !== 'string' || !schema_version.startsWith('ATIF-v1.') || !Array.isArray(steps)) {
      yield {
        line,
        trace_id: null,
        reason: 'the line is no ATIF document: it needs schema_version ATIF-v1.x and steps',
      };
      return;
    }
    const original = originalOf(line, document);
    if (original) yield original;
    else yield fromSteps(line, document, steps);
    const others = Array.isArray(subagent_trajectories) ? subagent_trajectories.filter(isRecord) : [];
    for (const other of others) yield* this.readLine(line, other);
  }

  *skipLine(line: number, reason: string): Generator<ImportItem> {
    yield { line, trace_id: null, reason };
  }

  *finish(): Generator<ImportItem> {}
}

/** The trace that a document of ours was made of, if its steps are as they were. */
function originalOf(line: number, { steps, extra }: Document): ImportedTrace | undefined {
  const original = isRecord(extra) ? extra.ors_kit : undefined;
  if (!isRecord(original) || !Array.isArray(original.blocks)) return undefined;
  if (original.steps_sha256 !== sha256OfJson(steps)) return undefined;
  const { trace } = storedToTraceInput(original.trace);
  if (!trace) return undefined;
  const blocks: BlockInput[] = [];
  for (const stored of original.blocks) {
    const { block } = toBlockInput(stored, trace.id);
    if (!block) return undefined;
    blocks.push(block);
  }
  return { line, trace, blocks };
}

function fromSteps(line: number, document: Document, steps: readonly unknown[]): ImportItem {
  const hash = sha256OfJson(document).slice(0, 32);
  const id = `tr_${hash}`;
  const builder = new TraceBuilder();
  for (const [index, step] of steps.entries()) {
    const reason = addStep(builder, step);
    if (reason !== undefined) return { line, trace_id: id, reason: `steps[${index}] ${reason}` };
  }
  const finished = builder.finish(id, hash);
  if ('reason' in finished) return { line, trace_id: id, reason: finished.reason };
  return { line, trace: { id, ...aboutTrace(document) }, blocks: finished.blocks };
}

function aboutTrace(document: Document): Omit<ImportedTrace['trace'], 'id'> {
  const { steps: _steps, subagent_trajectories: _others, extra, ...about } = document;
  const agent = isRecord(about.agent) ? about.agent : {};
  const tools = toToolSpecs(agent.tool_definitions);
  const own = isJsonObject(extra) ? withoutOriginal(extra) : extra;
  // Parsed as JSON.
  const imported = {
    format: 'atif',
    ...about,
    ...(own === undefined ? {} : { extra: own as JSONValue }),
  } as JSONObject;
  return {
    name: typeof about.session_id === 'string' ? about.session_id : null,
    model: typeof agent.model_name === 'string' ? agent.model_name : null,
    status: 'finished',
    metadata: { imported, ...(tools.length > 0 ? { tools } : {}) },
    rollout_info: typeof agent.name === 'string' ? { harness: agent.name } : {},
  };
}

/** The blocks of a document whose steps were changed are out of date. */
function withoutOriginal({ ors_kit: _outdated, ...extra }: JSONObject): JSONObject {
  return extra;
}

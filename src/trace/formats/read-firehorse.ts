import { createHash, type Hash } from 'node:crypto';
import type { JSONObject } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import { FirehorseTrial } from './firehorse-trial.ts';
import type { ImportItem, ImportLimits, LineImporter } from './imported.ts';
import { traceTooLargeMessage } from './read-jsonl.ts';

type Event = Readonly<Record<string, unknown>>;

interface OpenTrial {
  readonly line: number;
  readonly trial: FirehorseTrial;
  readonly hash: Hash;
  size: number;
}

/**
 * Reads the logs `trial_*.jsonl` of firehorse, as its agents react, resum, claude-code and codex write them, several one
 * after the other. The lines of `trial_*_rewards.jsonl` may follow those of their trial, and give its results their
 * rewards. A line that is not JSON is a problem, but the trial goes on: firehorse itself writes what its agents print. The
 * id of a trace follows from its lines, so a second import finds it there. Lines that belong to no block are kept in
 * `metadata.imported.events`. The log of react with Google's models has calls as Python's text only.
 */
export class FirehorseReader implements LineImporter {
  readonly #limits: ImportLimits;
  #open: OpenTrial | undefined;
  /** Whether what follows belongs to a trial that was refused. */
  #isRefused = false;

  constructor(limits: ImportLimits) {
    this.#limits = limits;
  }

  *readLine(line: number, event: Event, size: number): Generator<ImportItem> {
    const begins = event.type === 'openreward_prompt' || (event.type === 'system' && typeof event.content === 'string');
    if (begins) yield* this.finish();
    if (this.#isRefused) return;
    if (!this.#open && typeof event.type !== 'string') {
      yield { line, trace_id: null, reason: 'the line belongs to no trial; rewards must follow the lines of theirs' };
      return;
    }
    this.#open ??= { line, trial: new FirehorseTrial(), hash: createHash('sha256'), size: 0 };
    this.#open.size += size;
    this.#open.hash.update(`${JSON.stringify(event)}\n`);
    this.#open.trial.add(event);
    if (this.#open.size <= this.#limits.traceBytes) return;
    this.#open = undefined;
    this.#isRefused = true;
    yield { line, trace_id: null, reason: traceTooLargeMessage(this.#limits) };
  }

  *skipLine(line: number, reason: string): Generator<ImportItem> {
    yield { line, trace_id: null, reason };
  }

  *finish(): Generator<ImportItem> {
    const open = this.#open;
    this.#open = undefined;
    this.#isRefused = false;
    if (!open) return;
    const { line, trial } = open;
    const prefix = open.hash.digest('hex').slice(0, 32);
    const id = `tr_${prefix}`;
    const finished = trial.finish(id, prefix);
    if ('reason' in finished) yield { line, trace_id: id, reason: finished.reason };
    else yield { line, trace: { id, ...aboutTrace(trial) }, blocks: finished.blocks };
  }
}

function aboutTrace({ summary, events }: FirehorseTrial) {
  const { env, model, task_spec, agent, bridge_result, mcp_failed } = summary;
  const isFinished = summary.finished === true || (isRecord(bridge_result) && bridge_result.finished === true);
  const task = isRecord(task_spec) ? (task_spec.id ?? task_spec.index) : undefined;
  // Parsed as JSON.
  const imported = { format: 'firehorse', summary: summary as JSONObject, events: events as JSONObject[] };
  return {
    name: typeof task === 'string' || typeof task === 'number' ? `trial_${task}` : null,
    environment: typeof env === 'string' ? env : null,
    model: typeof model === 'string' ? model : null,
    task_spec: isRecord(task_spec) ? (task_spec as JSONObject) : null,
    status: mcp_failed === true ? ('error' as const) : isFinished ? ('finished' as const) : ('abandoned' as const),
    rollout_info: typeof agent === 'string' ? { harness: agent } : {},
    metadata: { imported },
  };
}

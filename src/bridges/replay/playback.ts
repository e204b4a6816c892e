import { canonicalJson, plural } from '../../core/index.ts';
import { ToolError, type ToolResult } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { RecordedEpisode } from './recorded-episode.ts';

/** Which calls a replayed episode answers: those of the record in its order, or in any. */
export type ReplayOrder = 'recorded' | 'any';

/** A call that the record does not have at this point. */
export interface ReplayDivergence {
  /** The id of the trace. */
  readonly trace: string;
  /** How many of its calls had been replayed. */
  readonly replayed: number;
  readonly tool: string;
  readonly input: JSONObject;
  /** The call that the record has instead; undefined after its end, and where any order is allowed. */
  readonly recorded: Pick<RecordedCall, 'name' | 'input'> | undefined;
}

/** An episode that is being replayed. */
export class ReplaySession {
  readonly episode: RecordedEpisode;
  readonly #remainingCalls: RecordedCall[];
  readonly #order: ReplayOrder;
  readonly #onDivergence: (departure: ReplayDivergence) => void;
  #replayed = 0;

  /** @param tools their names: a server refuses calls of others by itself, so that they never come here. */
  constructor(
    episode: RecordedEpisode,
    tools: ReadonlySet<string>,
    order: ReplayOrder,
    onDeparture: (departure: ReplayDivergence) => void,
  ) {
    this.episode = episode;
    this.#remainingCalls = episode.calls.filter(({ name }) => tools.has(name));
    this.#order = order;
    this.#onDivergence = onDeparture;
  }

  /** What the record has for a call. @throws ToolError where it is an error, or the call departs from the record. */
  call(tool: string, input: JSONObject): ToolResult {
    const place = this.#placeOf(tool, input);
    const [recorded] = place === undefined ? [] : this.#remainingCalls.splice(place, 1);
    if (!recorded) throw this.#reportDivergence(tool, input);
    this.#replayed += 1;
    if (recorded.outcome.ok) return recorded.outcome.result;
    throw new ToolError(recorded.outcome.reason);
  }

  #placeOf(tool: string, input: JSONObject): number | undefined {
    const key = canonicalJson(input);
    const isIt = (call: RecordedCall) => call.name === tool && canonicalJson(call.input) === key;
    const place = this.#remainingCalls.findIndex(isIt);
    return place === 0 || (place > 0 && this.#order === 'any') ? place : undefined;
  }

  #reportDivergence(tool: string, input: JSONObject): ToolError {
    const recorded = this.#order === 'recorded' ? this.#remainingCalls[0] : undefined;
    this.#onDivergence({ trace: this.episode.id, replayed: this.#replayed, tool, input, recorded });
    return new ToolError(`this episode is a replay, and the call departs from its record: ${this.#reason(tool)}`);
  }

  /** What the record has instead is not told: it may be the solution. */
  #reason(tool: string): string {
    const [next] = this.#remainingCalls;
    if (!next) return `it ends after ${plural(this.#replayed, 'call')}`;
    if (this.#order === 'any') return `no call of '${tool}' with this input is left in it`;
    const place = `its call ${this.#replayed + 1}`;
    return next.name === tool ? `${place} has another input` : `${place} is of the tool '${next.name}'`;
  }
}

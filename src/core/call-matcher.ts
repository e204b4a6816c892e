/** Id of a call, as a provider sent it: missing, empty, or the same as that of another call. */
type ProviderCallId = string | null | undefined;

interface OpenCall<Call> {
  readonly call: Call;
  /** Calls of the same turn that have no result; `call` is one of them until it has one. */
  readonly waiting: Set<OpenCall<Call>>;
}

/** Calls of one turn without a result. */
interface TurnCalls<Call> {
  readonly withId: Set<OpenCall<Call>>;
  readonly withoutId: Set<OpenCall<Call>>;
}

/** Calls with one id, of the last turn that has any. */
interface SameIdCalls<Call> {
  readonly turn: TurnCalls<Call>;
  readonly calls: OpenCall<Call>[];
  /** Position of the first call that may have no result. */
  next: number;
}

/** The call of a result. */
export interface MatchedCall<Call> {
  readonly call: Call;
  /** True if every call with the id had a result before. */
  readonly isRepeated: boolean;
}

/**
 * Finds the calls of tool results. Servers repeat ids in every turn or within one, or send none, so calls and results are
 * paired in the order of the conversation: a result belongs to the first call with its id that has no result, in the last
 * turn with that id. A result without an id belongs to the first such call of the last turn, if possible to one without an
 * id.
 */
export class CallMatcher<Call> {
  readonly #turns: TurnCalls<Call>[] = [];
  readonly #byId = new Map<string, SameIdCalls<Call>>();
  #isTurnOver = true;

  /** Adds a call of the current turn; the first call after a result begins a new turn. */
  add(id: ProviderCallId, call: Call): void {
    const turn = this.#currentTurn();
    const open = { call, waiting: id ? turn.withId : turn.withoutId };
    open.waiting.add(open);
    if (!id) return;
    const known = this.#byId.get(id);
    if (known?.turn === turn) known.calls.push(open);
    else this.#byId.set(id, { turn, calls: [open], next: 0 });
  }

  /** Ends the current turn, because a message follows. */
  endTurn(): void {
    this.#isTurnOver = true;
  }

  has(id: ProviderCallId): boolean {
    return Boolean(id) && this.#byId.has(String(id));
  }

  /** Returns the call of a result; undefined if there is none. */
  take(id: ProviderCallId): MatchedCall<Call> | undefined {
    this.#isTurnOver = true;
    if (!id) return this.#takeNext();
    const known = this.#byId.get(id);
    if (!known) return undefined;
    const { calls } = known;
    for (; known.next < calls.length; known.next++) {
      const open = calls[known.next];
      if (open?.waiting.delete(open)) return { call: open.call, isRepeated: false };
    }
    const last = calls.at(-1);
    return last && { call: last.call, isRepeated: true };
  }

  #takeNext(): MatchedCall<Call> | undefined {
    for (let turn = this.#turns.at(-1); turn; turn = this.#turns.at(-1)) {
      const [open] = turn.withoutId.size > 0 ? turn.withoutId : turn.withId;
      if (open) {
        open.waiting.delete(open);
        return { call: open.call, isRepeated: false };
      }
      this.#turns.pop();
    }
    return undefined;
  }

  #currentTurn(): TurnCalls<Call> {
    const last = this.#turns.at(-1);
    if (last && !this.#isTurnOver) return last;
    const turn = { withId: new Set<OpenCall<Call>>(), withoutId: new Set<OpenCall<Call>>() };
    this.#turns.push(turn);
    this.#isTurnOver = false;
    return turn;
  }
}

/** Id of a call, as a provider sent it: missing, empty, or the same as that of another call. */
type ProviderCallId = string | null | undefined;

interface OpenCall<Call> {
  readonly call: Call;
  hasResult: boolean;
}

/** Calls in order. */
interface CallQueue<Call> {
  readonly calls: OpenCall<Call>[];
  /** Position of the first call that may have no result. */
  next: number;
}

interface Turn<Call> {
  readonly withId: CallQueue<Call>;
  readonly withoutId: CallQueue<Call>;
}

/** Calls with the same id. */
interface IdCalls<Call> {
  /** Calls by turn, as far as they may have no result. */
  readonly turns: (CallQueue<Call> & { readonly turn: Turn<Call> })[];
  last: Call;
}

/** The call of a result. */
interface MatchedCall<Call> {
  readonly call: Call;
  /** True if every call with the id had a result before. */
  readonly isRepeated: boolean;
}

/**
 * Finds the calls of tool results. Servers repeat ids in every turn or within one, or send none, so calls and results are
 * paired in the order of the conversation: of the calls without a result, a result belongs to the first one with its id in
 * the last turn that has one. A result without an id belongs to the first call of the last turn that has one without a
 * result, if possible to one without an id.
 */
export class CallMatcher<Call> {
  /** Turns that may have calls without a result. */
  readonly #turns: Turn<Call>[] = [];
  readonly #byId = new Map<string, IdCalls<Call>>();
  #isTurnOver = true;

  /** Adds a call of the current turn; the first call after a result begins a new turn. */
  add(id: ProviderCallId, call: Call): void {
    const turn = this.#currentTurn();
    const open = { call, hasResult: false };
    (id ? turn.withId : turn.withoutId).calls.push(open);
    if (!id) return;
    const known = this.#byId.get(id) ?? { turns: [], last: call };
    this.#byId.set(id, known);
    known.last = call;
    const sameTurn = known.turns.at(-1);
    if (sameTurn?.turn === turn) sameTurn.calls.push(open);
    else known.turns.push({ turn, calls: [open], next: 0 });
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
    if (!id) return takeFromLast(this.#turns, ({ withId, withoutId }) => takeFirst(withoutId) ?? takeFirst(withId));
    const known = this.#byId.get(id);
    return known && (takeFromLast(known.turns, takeFirst) ?? { call: known.last, isRepeated: true });
  }

  #currentTurn(): Turn<Call> {
    const last = this.#turns.at(-1);
    if (last && !this.#isTurnOver) return last;
    const turn: Turn<Call> = { withId: { calls: [], next: 0 }, withoutId: { calls: [], next: 0 } };
    this.#turns.push(turn);
    this.#isTurnOver = false;
    return turn;
  }
}

/** Takes a call of the last turn that has one, and removes the turns after it. */
function takeFromLast<T, Call>(
  turns: T[],
  take: (turn: T) => OpenCall<Call> | undefined,
): MatchedCall<Call> | undefined {
  for (let turn = turns.at(-1); turn; turn = turns.at(-1)) {
    const open = take(turn);
    if (open) return { call: open.call, isRepeated: false };
    turns.pop();
  }
  return undefined;
}

/** Takes the first call without a result. */
function takeFirst<Call>(queue: CallQueue<Call>): OpenCall<Call> | undefined {
  while (queue.next < queue.calls.length) {
    const open = queue.calls[queue.next++];
    if (!open || open.hasResult) continue;
    open.hasResult = true;
    return open;
  }
  return undefined;
}

/** A member of a chain, with its neighbours. */
export interface Link<Member> {
  older: Member | undefined;
  younger: Member | undefined;
}

/**
 * Members in order of age. The oldest is at hand, where a Set would be asked for its first past the places of all that
 * were deleted lately; and each leaves without being looked for.
 */
export class Chain<Member extends Link<Member>> {
  #oldest: Member | undefined;
  #youngest: Member | undefined;

  get oldest(): Member | undefined {
    return this.#oldest;
  }

  /** The youngest of which it is true. */
  find(isWanted: (member: Member) => boolean): Member | undefined {
    let member = this.#youngest;
    while (member && !isWanted(member)) member = member.older;
    return member;
  }

  /** Makes it the youngest; it must be in no chain. */
  add(member: Member): void {
    member.older = this.#youngest;
    if (this.#youngest) this.#youngest.younger = member;
    else this.#oldest = member;
    this.#youngest = member;
  }

  remove(member: Member): void {
    const { older, younger } = member;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    // What is gone must hold on to nothing that goes later.
    member.older = undefined;
    member.younger = undefined;
  }
}

/** Member of a linked list, with its neighbors. */
export interface Link<Member> {
  older: Member | undefined;
  younger: Member | undefined;
}

/**
 * Doubly linked list, in the order in which members were added. Reading the oldest and removing any member take constant
 * time; reading the first entry of a Set skips the slots of all that were deleted before it.
 */
export class LinkedList<Member extends Link<Member>> {
  #oldest: Member | undefined;
  #youngest: Member | undefined;

  get oldest(): Member | undefined {
    return this.#oldest;
  }

  /** Returns the youngest member that matches a condition. */
  find(matches: (member: Member) => boolean): Member | undefined {
    let member = this.#youngest;
    while (member && !matches(member)) member = member.older;
    return member;
  }

  /** Adds a member, which must not be in a list. */
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
    // A removed member must not keep others in memory.
    member.older = undefined;
    member.younger = undefined;
  }
}

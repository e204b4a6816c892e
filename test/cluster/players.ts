import { OrsClient, type Session, SessionLostError } from 'ors-kit/client';

/** At once; more would measure this machine. */
const WIDTH = 32;

/** One episode, and what its counter must be. */
export interface Player {
  /** The number of its task. */
  readonly n: number;
  readonly session: Session;
  expected: number;
  /** The message of the SessionLostError, once its session is lost. */
  lostBecause?: string;
}

/** Results of one call by each of many players. */
export interface Outcome {
  /** Players with the expected counter. */
  readonly right: readonly Player[];
  /** Players that lost their session (SessionLostError). */
  readonly lost: readonly Player[];
  /** Everything else, in words. */
  readonly wrong: readonly string[];
  /** How long the slowest of the lost waited for the error, in ms. */
  readonly slowestLossMs: number;
}

export interface Players extends AsyncDisposable {
  /** Opens this many new sessions. */
  readonly enter: (count: number) => Promise<Player[]>;
  /** Calls a tool for each, which advances its counter by one, and compares. */
  readonly count: (players: readonly Player[], input?: { readonly gate: string }) => Promise<Outcome>;
  readonly leave: (players: readonly Player[]) => Promise<void>;
  /**
   * Returns the unsuccessful responses since the last call. Broken connections are not among them: a proxy that reloads
   * closes idle ones, perhaps while a request is on its way, and the client has to repeat it.
   */
  readonly refusals: () => readonly string[];
}

/** Players with one client on one server. */
export function players(url: string): Players {
  const refusals: string[] = [];
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok) refusals.push(`${init?.method ?? 'GET'} ${String(input).slice(url.length)}: ${response.status}`);
    return response;
  };
  const client = new OrsClient(url, { fetch: watched });
  const environment = client.environment('counting');
  let next = 0;
  return {
    enter: (count) =>
      inTurns(Array.from({ length: count }), async () => {
        const n = next++;
        return { n, session: await environment.session({ split: 'train', index: n }), expected: 0 };
      }),
    async count(all, input) {
      // All at a gate wait together.
      const outcomes = await inTurns(all, (player) => callOf(player, input), input ? all.length : WIDTH);
      return {
        right: outcomes.filter(({ kind }) => kind === 'right').map(({ player }) => player),
        lost: outcomes.filter(({ kind }) => kind === 'lost').map(({ player }) => player),
        wrong: outcomes.flatMap(({ kind }) => (kind === 'right' || kind === 'lost' ? [] : [kind])),
        slowestLossMs: Math.max(0, ...outcomes.filter(({ kind }) => kind === 'lost').map(({ ms }) => ms)),
      };
    },
    leave: async (all) => void (await inTurns(all, ({ session }) => session.close())),
    refusals: () => refusals.splice(0),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function callOf(player: Player, input: { readonly gate: string } | undefined) {
  const { session } = player;
  const startedAt = performance.now();
  const kind = await session.call(input ? 'wait' : 'count', { ...input }).then(
    ({ text }) => (text === `${++player.expected}` ? 'right' : `${player.n} counted ${text}, not ${player.expected}`),
    (error: unknown) => {
      if (!(error instanceof SessionLostError)) return `${player.n}: ${String(error)}`;
      player.lostBecause = `${error.status ?? 'no response'}: ${error.message}`;
      return 'lost';
    },
  );
  return { player, kind, ms: performance.now() - startedAt };
}

/** Does something with each, a number of them at a time. */
export async function inTurns<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
  width = WIDTH,
): Promise<Out[]> {
  const results: Out[] = [];
  const rest = items.entries();
  const hand = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, hand));
  return results;
}

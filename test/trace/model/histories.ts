import fc from '../../support/fast-check.ts';
import { createStore } from './store.ts';

const PARENTS: Readonly<Record<string, string>> = { THINK: 'MESSAGE', TOOL_CALL: 'MESSAGE', TOOL_RESULT: 'TOOL_CALL' };

/** Block that an author wants to write; `parent` selects one of the existing blocks. */
const wish = fc.record({
  sub_type: fc.constantFrom('MESSAGE', 'THINK', 'TOOL_CALL', 'TOOL_RESULT', 'TOOL_RESULT'),
  parent: fc.nat(),
  /** One in ten breaks the rule for parents or reuses an id. */
  isAstray: fc.nat(9).map((number) => number === 0),
  call_id: fc.constantFrom(undefined, undefined, 'a', 'b', 'tb_1'),
  seq: fc.constantFrom(undefined, null, 0, 1, 2, 5),
  piece: fc.constantFrom({ output: { n: 1 } }, { delta: 'piece' }, { delta: ['piece'] }),
});

type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

interface Placed {
  readonly id: string;
  readonly sub_type: string;
}

function toBlock(number: number, { sub_type, parent, isAstray, call_id, seq, piece }: Wish, placed: readonly Placed[]) {
  const possible = placed.filter((block) => isAstray || block.sub_type === PARENTS[sub_type]);
  const parent_block_id = possible[parent % possible.length]?.id ?? 'tb_none';
  const ids = { ...(call_id === undefined ? {} : { call_id }), ...(seq === undefined ? {} : { seq }) };
  return {
    id: `tb_${isAstray ? parent % (number + 1) : number}`,
    sub_type,
    payload: { role: 'user', content: 'x', text: 'x', name: 'look', arguments: {}, ...ids, ...piece },
    ...(sub_type === 'MESSAGE' ? {} : { parent_block_id }),
  };
}

/** Requests to a trace, some of them accepted, and its rows; times can be equal. */
export const exchange = fc
  .record({
    requests: fc.array(fc.array(wish, { minLength: 1, maxLength: 3 }), { minLength: 10, maxLength: 40 }),
    times: fc.array(fc.nat(3), { minLength: 1 }),
  })
  .map(({ requests, times }) => {
    const store = createStore({}, (place) => times[place % times.length] ?? 0);
    let number = 0;
    const bodies = requests.map((wishes) => {
      const placed: Placed[] = [...store.rows];
      for (const each of wishes) placed.push(toBlock(number++, each, placed));
      const blocks = placed.slice(store.rows.length);
      const body = blocks.length === 1 ? blocks[0] : { blocks };
      store.post(body);
      return body;
    });
    return { bodies, rows: store.rows };
  });

export const history = exchange.map(({ rows }) => rows);

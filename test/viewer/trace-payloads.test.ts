import { describe, expect, it } from '@jest/globals';
import type { Block } from '../../generated/trace.ts';
import { PayloadCache } from '../../src/viewer/page/trace/payloads.ts';

const blockOf = (id: string) => ({ id }) as Block;
const wanted = (ids: readonly string[], bytes = 10) => ids.map((id) => ({ id, bytes }));
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

interface Options {
  readonly has?: (id: string) => boolean;
  readonly keptBytes?: number;
}

function store({ has = () => true, keptBytes = 1_000_000 }: Options = {}) {
  const asked: (readonly string[])[] = [];
  const payloads = new PayloadCache({
    read: async (ids) => {
      asked.push(ids);
      return { blocks: ids.filter(has).map(blockOf), isTruncated: false };
    },
    onChange: () => {},
    keptBytes,
  });
  return { payloads, asked };
}

describe('payloads of a trace', () => {
  it('are loaded a hundred at a time, each once', async () => {
    const { payloads, asked } = store();
    const ids = Array.from({ length: 250 }, (_, index) => `tb_${index}`);

    payloads.request(wanted(ids));
    await settled();
    payloads.request(wanted(ids));
    await settled();

    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(ids);
    expect(payloads.get('tb_249')).toEqual(blockOf('tb_249'));
  });

  it('are loaded after smaller ones, alone, if they are large', async () => {
    const { payloads, asked } = store();

    payloads.request([...wanted(['tb_large'], 2_000_000), ...wanted(['tb_a', 'tb_b'])]);
    await settled();

    expect(asked).toEqual([['tb_a', 'tb_b'], ['tb_large']]);
  });

  it('are requested once if the store does not have them', async () => {
    const { payloads, asked } = store({ has: (id) => id !== 'tb_gone' });

    payloads.request(wanted(['tb_gone', 'tb_a']));
    await settled();
    payloads.request(wanted(['tb_gone', 'tb_a']));
    await settled();

    expect(asked).toEqual([['tb_gone', 'tb_a']]);
    expect(payloads.get('tb_gone')).toBeUndefined();
  });

  it('are evicted when there are too many, the most recently visible last', async () => {
    const { payloads } = store({ keptBytes: 30 });
    payloads.request(wanted(['tb_1', 'tb_2', 'tb_3']));
    await settled();

    payloads.request(wanted(['tb_1', 'tb_4', 'tb_5']));
    await settled();

    const kept = ['tb_1', 'tb_2', 'tb_3', 'tb_4', 'tb_5'].filter((id) => payloads.get(id));
    expect(kept).toEqual(['tb_1', 'tb_4', 'tb_5']);
  });

  it('are requested again after a failure', async () => {
    const laters: (() => void)[] = [];
    let isUp = false;
    const payloads = new PayloadCache({
      read: async (ids) => {
        if (!isUp) throw new TypeError('fetch failed');
        return { blocks: ids.map(blockOf), isTruncated: false };
      },
      onChange: () => {},
      later: (run) => void laters.push(run),
    });
    payloads.request(wanted(['tb_a']));
    await settled();
    const failed = payloads.failure?.kind;

    isUp = true;
    for (const run of laters) run();
    await settled();

    expect(failed).toBe('offline');
    expect(payloads.failure).toBeUndefined();
    expect(payloads.get('tb_a')).toEqual(blockOf('tb_a'));
  });
});

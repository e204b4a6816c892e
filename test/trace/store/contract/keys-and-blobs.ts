import { expect, test } from '@jest/globals';
import { type OpenStore, ORG } from '../stores.ts';

const KEY = { org: ORG, name: 'laptop', scopes: ['read', 'write'], sha256: 'a'.repeat(64) } as const;

export function testKeysAndBlobs(open: OpenStore): void {
  test('finds a key by its hash until it is revoked', async () => {
    await using store = await open({ now: () => 1_700_000_000_000 });

    const key = await store.addKey(KEY);
    const other = await store.addKey({ ...KEY, name: '"\0', sha256: 'b'.repeat(64), scopes: [] });

    const { sha256: _, ...fields } = KEY;
    expect(key).toEqual({ ...fields, id: key.id, created_at: '2023-11-14T22:13:20.000000Z', revoked_at: null });
    expect(await store.findKey(KEY.sha256)).toEqual(key);
    expect(await store.findKey('c'.repeat(64))).toBeUndefined();
    expect(await store.revokeKey(key.id)).toBe(true);
    expect(await store.findKey(KEY.sha256)).toBeUndefined();
    expect(await Promise.all([key.id, 'key_none'].map(store.revokeKey))).toEqual([false, false]);
    const keys = new Map((await store.keys()).map((each) => [each.id, each]));
    expect(keys.get(key.id)?.revoked_at).toBe('2023-11-14T22:13:20.000000Z');
    expect(keys.get(other.id)).toEqual(other);
  });

  test('stores a blob once per organization, byte for byte', async () => {
    await using store = await open();
    const data = Uint8Array.from({ length: 300_000 }, (_, place) => place % 251);
    const blob = { sha256: '5'.repeat(64), media_type: 'image/png', data };

    await Promise.all([store.putBlob(ORG, blob), store.putBlob(ORG, blob)]);
    await store.putBlob(ORG, { ...blob, media_type: 'other' });
    await store.putBlob('other', { ...blob, data: new Uint8Array() });

    const [found, others] = await Promise.all([ORG, 'other'].map((org) => store.blob(org, blob.sha256)));
    expect(found?.media_type).toBe('image/png');
    expect(Buffer.compare(Buffer.from(found?.data ?? []), Buffer.from(data))).toBe(0);
    expect(others?.data).toHaveLength(0);
    expect(await store.blob('third', blob.sha256)).toBeUndefined();
    expect(await store.totals()).toEqual({ traces: 0, blocks: 0, bytes: 0, blobs: 2 });
  });

  test('can be closed twice', async () => {
    const store = await open();

    await Promise.all([store.close(), store.close()]);

    await expect(store.close()).resolves.toBeUndefined();
  });

  test('reports that the store is writable without a change of the totals', async () => {
    await using store = await open();

    await store.checkWritable();
    await store.checkWritable();

    expect(await store.totals()).toEqual({ traces: 0, blocks: 0, bytes: 0, blobs: 0 });
  });
}

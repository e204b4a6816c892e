import { BoundedMap } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { type LoadState, useLoad } from '../api/use-loaded.ts';

const KEPT = 40;
/** What was read lately; bytes under a hash never change. */
const kept = new BoundedMap<string, Blob>(KEPT);

/** Bytes that are stored beside a block, once they are wanted. */
export function useBlob(sha256: string, isWanted: boolean): LoadState<Blob> {
  const org = useOrganization();
  const name = `${org} ${sha256}`;
  return useLoad(isWanted ? `blob ${name}` : undefined, async (signal) => {
    const blob =
      kept.get(name) ?? (await unwrapResponse(traceApi.getBlob({ params: { path: { org, sha256 } }, signal })));
    kept.set(name, blob);
    return blob;
  });
}

/** The text of bytes in UTF-8; a byte order mark is part of it. */
export const blobToText = async (blob: Blob): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer());

/** Bytes as base64. */
export const blobToBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

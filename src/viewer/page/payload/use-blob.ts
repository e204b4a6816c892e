import { BoundedMap } from '../../../core/index.ts';
import { useOrganization } from '../api/access.ts';
import { answerOf, api } from '../api/store.ts';
import { type Loaded, useLoaded } from '../api/use-loaded.ts';

const KEPT = 40;
/** What was read lately; bytes under a hash never change. */
const kept = new BoundedMap<string, Blob>(KEPT);

/** Bytes that are stored beside a block, once they are wanted. */
export function useBlob(sha256: string, isWanted: boolean): Loaded<Blob> {
  const org = useOrganization();
  const name = `${org} ${sha256}`;
  return useLoaded(isWanted ? `blob ${name}` : undefined, async (signal) => {
    const blob = kept.get(name) ?? (await answerOf(api.getBlob({ params: { path: { org, sha256 } }, signal })));
    kept.set(name, blob);
    return blob;
  });
}

/** The text of bytes in UTF-8; a byte order mark is part of it. */
export const textOfBlob = async (blob: Blob): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer());

/** Bytes as base64. */
export const base64OfBlob = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

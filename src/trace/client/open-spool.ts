import type { OpenSpool } from './spool.ts';

/** Opens a spool, in Node. @throws what keeps it from being opened. */
export const openSpool: OpenSpool = async (path, onError) => {
  if (typeof process !== 'object' || !process.versions?.node) throw new TypeError('a spool needs the files of Node');
  const { openFileSpool } = await import('./file-spool.ts');
  return openFileSpool(path, onError);
};

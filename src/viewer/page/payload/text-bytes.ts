import { formatBytes, plural } from '../../../core/index.ts';

/** `1,980,000 bytes (1.9 MB)`. */
export const exactBytes = (value: number): string =>
  value < 1_024 ? plural(value, 'byte') : `${plural(value, 'byte')} (${formatBytes(value)})`;

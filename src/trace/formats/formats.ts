import { atif } from './atif.ts';
import type { ExportFormat } from './format.ts';
import { jsonl } from './jsonl.ts';
import { openai } from './openai.ts';
import { otlp } from './otlp.ts';
import { sharegpt } from './sharegpt.ts';

/** All export formats by name. */
export const exportFormats = {
  jsonl,
  openai,
  sharegpt,
  atif,
  'otlp-json': otlp,
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type FormatName = keyof typeof exportFormats;

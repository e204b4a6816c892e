import { atif } from './atif.ts';
import type { ExportFormat } from './format.ts';
import { jsonl } from './jsonl.ts';
import { openai } from './openai.ts';
import { otlp } from './otlp.ts';
import { sharegpt } from './sharegpt.ts';

/** Every way to export a trace, by its name. */
export const exportFormats = {
  jsonl,
  openai,
  sharegpt,
  atif,
  'otlp-json': otlp,
} as const satisfies Readonly<Record<string, ExportFormat>>;

export type FormatName = keyof typeof exportFormats;

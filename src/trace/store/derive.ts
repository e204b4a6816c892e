import type { JSONObject } from '../../../generated/trace.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { type BlockTexts, bytesOfTexts, type NewBlock, textsOf } from '../model/index.ts';

/** Stored bytes of a block. */
export const blockBytes = (block: NewBlock): number => jsonTextsBytes(textsOf(block));

/** The same of its texts; Buffer counts several times as fast as what all platforms have. */
export const jsonTextsBytes = (texts: BlockTexts): number => bytesOfTexts(texts, Buffer.byteLength);

/** What tells tasks apart. Source: trace.schema.json, Trace.task_key. */
export const taskKey = (taskSpec: JSONObject | null | undefined): string | null =>
  taskSpec ? sha256OfJson(taskSpec) : null;

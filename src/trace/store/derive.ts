import type { JSONObject } from '../../../generated/trace.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { type BlockJsonTexts, jsonTextBytes, type NewBlock, toJsonTexts } from '../model/index.ts';

/** Stored bytes of a block. */
export const blockBytes = (block: NewBlock): number => jsonTextsBytes(toJsonTexts(block));

/** The same of its texts; Buffer counts several times as fast as what all platforms have. */
export const jsonTextsBytes = (texts: BlockJsonTexts): number => jsonTextBytes(texts, Buffer.byteLength);

/** What tells tasks apart. Source: trace.schema.json, Trace.task_key. */
export const taskKey = (taskSpec: JSONObject | null | undefined): string | null =>
  taskSpec ? sha256OfJson(taskSpec) : null;

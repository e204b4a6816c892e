// The TypeScript of the tools document, as printed there; its ToolOutput differs from that of the data types document.
// biome-ignore-all format: verbatim
// biome-ignore-all lint: verbatim
import type { Blocks, JSONObject } from './documents.ts';

interface ToolOutput {
  blocks: Blocks  // Content (text/images)
  reward?: number  // RL feedback signal
  finished?: boolean  // Episode termination (default: false)
  metadata?: JSONObject  // Optional extra data
}

export type { ToolOutput };

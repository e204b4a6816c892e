export {
  messageParts,
  outputParts,
  partsToText,
} from './conversation-parts.ts';
export { type ExportFormat, JSON_LINES, type StoredImage, type TraceSource } from './format.ts';
export { exportFormats, type FormatName } from './formats.ts';
export type { ImportedTrace, ImportItem, ImportLimits } from './imported.ts';
export { type ImportFormat, importFormats, importTracesFrom } from './read-traces.ts';

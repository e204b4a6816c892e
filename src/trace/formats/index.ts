export type { ExportFormat, StoredImage, TraceSource } from './format.ts';
export { exportFormats as formats, type FormatName } from './formats.ts';
export type { ImportedTrace, ImportItem, ImportLimits } from './imported.ts';
export {
  messageParts as piecesOfContent,
  outputParts as piecesOfOutput,
  partsToText as textOfPieces,
} from './pieces.ts';
export { type ImportFormat, importFormats, importTracesFrom as readTraces } from './read-traces.ts';

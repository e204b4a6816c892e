export type { ExportFormat, StoredImage, TraceSource } from './format.ts';
export { type FormatName, formats } from './formats.ts';
export type { ImportedTrace, ImportItem, ImportLimits } from './imported.ts';
export { piecesOfContent, piecesOfOutput, textOfPieces } from './pieces.ts';
export { type ImportFormat, importFormats, readTraces } from './read-traces.ts';

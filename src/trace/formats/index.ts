export {
  messageParts,
  outputParts,
  partsToText,
} from './conversation-parts.ts';
export type { ExportFormat, StoredImage, TraceSource } from './format.ts';
export {
  aboutFormat,
  type ExportFormatName,
  exportFormats,
  type FormatName,
  formatNames,
  writeTraces,
} from './formats.ts';
export type { ImportedTrace, ImportItem, ImportLimits } from './imported.ts';
export { PROTOBUF, readOtlp, type Span } from './read-otlp.ts';
export { type ImportFormat, importFormats, importTracesFrom } from './read-traces.ts';
export { agentNameOf, isAgentSpan, readSpan, type SpanContent } from './span-content.ts';

import type { ColumnSource } from 'hyparquet-writer';
import { loadOptionalPackage } from '../../core/index.ts';
import {
  COLUMN_NAMES,
  COLUMNS,
  type ColumnName,
  cellOf,
  type TableFormat,
  type TableMessage,
  type TableRow,
} from './table.ts';

/**
 * Parquet with a row for each trace, compressed with Snappy. `messages` is a list of structs; objects, tags, scores and
 * tools are JSON. Needs the package hyparquet-writer.
 */
export const parquet: TableFormat = {
  extension: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  async open() {
    const { ByteWriter, ParquetWriter } = await loadOptionalPackage(
      'hyparquet-writer',
      'the export format parquet',
      () => import('hyparquet-writer'),
    );
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA, createdBy: 'ors-kit' });
    let rows: TableRow[] = [];
    let size = 0;
    const take = (): Uint8Array => {
      const written = bytes.getBytes().slice();
      // Reuses the buffer; `offset` still counts all bytes.
      bytes.index = 0;
      return written;
    };
    const writeGroup = () => {
      if (rows.length > 0) writer.write({ columnData: columnsOf(rows), rowGroupSize: rows.length });
      rows = [];
      size = 0;
    };
    return {
      add(row) {
        rows.push(row);
        size += row.messages.reduce((sum, { content }) => sum + (content?.length ?? 0), row.trace.bytes);
        if (rows.length < MAX_ROWS && size < MAX_BYTES) return new Uint8Array();
        writeGroup();
        return take();
      },
      finish() {
        writeGroup();
        writer.finish();
        return take();
      },
    };
  },
};

/** Maximum size of a row group, which is in memory. */
const MAX_ROWS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

const MESSAGE_FIELDS = [
  'role',
  'content',
  'reasoning_content',
  'tool_calls',
  'tool_call_id',
] as const satisfies readonly (keyof TableMessage)[];

const OPTIONAL = { repetition_type: 'OPTIONAL' } as const;
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...OPTIONAL } as const;
const TYPES = {
  text: TEXT,
  json: TEXT,
  whole: { type: 'INT64', ...OPTIONAL },
  real: { type: 'DOUBLE', ...OPTIONAL },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...OPTIONAL },
} as const;

/** In the order of a depth-first walk, with the number of children of each group. */
const SCHEMA: ConstructorParameters<typeof import('hyparquet-writer').ParquetWriter>[0]['schema'] = [
  { name: 'root', num_children: COLUMN_NAMES.length + 3 },
  ...COLUMN_NAMES.map((name) => ({ name, ...TYPES[COLUMNS[name]] })),
  { name: 'scores', ...TEXT },
  { name: 'tools', ...TEXT },
  { name: 'messages', converted_type: 'LIST', num_children: 1, ...OPTIONAL },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', num_children: MESSAGE_FIELDS.length, ...OPTIONAL },
  ...MESSAGE_FIELDS.map((name) => ({ name, ...TEXT })),
];

const columnsOf = (rows: readonly TableRow[]): ColumnSource[] => [
  ...COLUMN_NAMES.map((name) => ({ name, data: rows.map(({ trace }) => columnValue(cellOf(trace, name), name)) })),
  { name: 'scores', data: rows.map(({ scores }) => scores) },
  { name: 'tools', data: rows.map(({ tools }) => tools) },
  { name: 'messages', data: rows.map(({ messages }) => messages) },
];

function columnValue(cell: string | number | null, name: ColumnName): unknown {
  if (cell === null) return null;
  if (COLUMNS[name] === 'whole') return BigInt(cell);
  return COLUMNS[name] === 'time' ? toMicroseconds(String(cell)) : cell;
}

/** Converts a time with six decimals to microseconds since 1970. */
const toMicroseconds = (time: string): bigint =>
  BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1000n + BigInt(time.slice(20, 26).padEnd(6, '0'));

import { createHash } from 'node:crypto';
import type { ImportReport, Trace } from '../../../../generated/trace.ts';
import type { operations } from '../../../../generated/trace-api.ts';
import { MissingPackageError } from '../../../core/index.ts';
import { ByteStream, type Handlers, HttpError, Reply, UNKNOWN_MEDIA_TYPE } from '../../../http/index.ts';
import {
  aboutFormat,
  type ExportFormat,
  type ExportFormatName,
  PROTOBUF,
  readOtlp,
  writeTraces,
} from '../../formats/index.ts';
import type { TraceStore } from '../../store/index.ts';
import { annotationsOf, parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { listExported, readScores, streamTraceExport } from '../export.ts';
import { createStoreTarget, importTraces } from '../import.ts';

type Transfer = 'exportTrace' | 'exportRun' | 'exportTraces' | 'importTraces' | 'getBlob' | 'putBlob';

export const transferHandlers: Pick<Handlers<operations, ApiContext>, Transfer> = {
  async exportTrace({ path, query }, { store }) {
    const trace = await store.trace(path.org, path.traceId);
    return sendExport(store, path.org, query.format, { traces: [trace], name: trace.id });
  },
  exportRun({ path, query: { format, ...query } }, { store }) {
    const traces = listExported(store, path.org, { ...query, run: path.run });
    return sendExport(store, path.org, format, { traces, name: path.run });
  },
  exportTraces({ path, query: { format, ...query } }, { store }) {
    const traces = listExported(store, path.org, query);
    return sendExport(store, path.org, format, { traces, name: query.run ?? 'traces' });
  },
  async importTraces({ path, query, body }, { store, limits }) {
    // An export without traces may be imported.
    if (body.bytes.length === 0 && body.mediaType === UNKNOWN_MEDIA_TYPE) {
      throw new HttpError(400, 'invalid body: expected traces as JSON Lines, got no body');
    }
    const report: Required<ImportReport> = { traces: 0, blocks: 0, replayed: 0, failed_count: 0, failed: [] };
    const input = { text: singleChunk(body.bytes), format: query.format ?? 'auto', limits };
    for await (const outcome of importTraces(createStoreTarget(store, path.org, limits), input)) {
      if (outcome.failed) {
        report.failed_count++;
        if (report.failed.length < MAX_LISTED) report.failed.push(outcome.failed);
        continue;
      }
      report.traces++;
      report.blocks += outcome.written;
      report.replayed += outcome.replayed;
    }
    return report;
  },
  async putBlob({ path, body: { bytes, mediaType } }, { store }) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== path.sha256) {
      throw new HttpError(400, `the SHA-256 of the body is ${sha256}, which differs from the path; nothing was stored`);
    }
    const known = await store.blob(path.org, sha256);
    if (!known) await store.putBlob(path.org, { sha256, media_type: mediaType, data: bytes });
    return { sha256, media_type: known?.media_type ?? mediaType, bytes: bytes.length };
  },
  async getBlob({ path }, { store }) {
    const blob = await store.blob(path.org, path.sha256);
    if (!blob) throw new HttpError(404, `there is no blob ${path.sha256} in this organization`);
    return new Reply(new ByteStream([blob.data], blob.media_type), {
      ...SAFE,
      'Content-Length': String(blob.data.length),
      ETag: `"${blob.sha256}"`,
      'Cache-Control': 'private, max-age=31536000, immutable',
    });
  },
};

interface ExportedTraces {
  readonly traces: AsyncIterable<Trace> | Iterable<Trace>;
  /** Name of the file, without its extension. */
  readonly name: string;
}

async function sendExport(
  store: TraceStore,
  org: string,
  format: ExportFormatName = 'jsonl',
  { traces, name }: ExportedTraces,
): Promise<Reply<ByteStream>> {
  const textOf = (trace: Trace, each: ExportFormat) => streamTraceExport(store, org, trace, each);
  const scoresOf = (trace: Trace) => readScores(store, org, trace);
  const chunks = await writeTraces(format, traces, { textOf, scoresOf }).catch((error: unknown) => {
    throw error instanceof MissingPackageError ? new HttpError(500, `on the server, ${error.message}`) : error;
  });
  const { extension, mediaType } = aboutFormat(format);
  return new Reply(new ByteStream(chunks, mediaType), { 'Content-Disposition': attachment(name, extension) });
}

/** Maximum number of failures in a report; all are counted. */
const MAX_LISTED = 1000;

/** Prevents browsers from running scripts in untrusted blobs. */
const SAFE = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'X-Content-Type-Options': 'nosniff' };

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const attachment = (name: string, extension: string): string =>
  `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${extension}"`;

/** The receiver of OTLP. Source: OTLP specification 1.9, "OTLP/HTTP". */
export const spanHandlers: Pick<Handlers<operations, ApiContext>, 'exportSpans'> = {
  async exportSpans({ body: { bytes, mediaType }, caller }, { spanReceiver, metrics }) {
    const isProtobuf = mediaType.toLowerCase().startsWith(PROTOBUF);
    if (!isProtobuf && !/^application\/([\w.+-]+\+)?json\b/i.test(mediaType)) {
      throw new HttpError(415, `invalid Content-Type: expected ${PROTOBUF} or application/json`);
    }
    const read = readOtlp(bytes, isProtobuf ? PROTOBUF : mediaType);
    if ('reason' in read) throw new HttpError(400, read.reason);
    const { org } = parseCaller(caller);
    const receipt = await spanReceiver.receive(org, read.spans, annotationsOf(caller));
    metrics?.written(receipt.written, 0);
    const rejected = read.rejected + receipt.rejected;
    const reasons = [...receipt.reasons, ...(read.rejected > 0 ? ['spans need a trace id and a span id'] : [])];
    const errorMessage = reasons.join('; ').slice(0, MAX_MESSAGE).toWellFormed();
    if (isProtobuf) return new Reply(new ByteStream([encodeReceipt(rejected, errorMessage)], PROTOBUF));
    return rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage } };
  },
};

const MAX_MESSAGE = 1000;

/** Encodes an ExportTraceServiceResponse, which is empty if all spans were stored. */
function encodeReceipt(rejected: number, message: string): Uint8Array {
  if (rejected === 0) return new Uint8Array();
  const text = Buffer.from(message);
  const partial = Buffer.concat([
    Buffer.from([FIELD_1_NUMBER, ...varint(rejected), FIELD_2_BYTES, ...varint(text.length)]),
    text,
  ]);
  return Buffer.concat([Buffer.from([FIELD_1_BYTES, ...varint(partial.length)]), partial]);
}

/** Tags of Protocol Buffers: number of the field, and type of its value. */
const FIELD_1_NUMBER = 0x08;
const FIELD_1_BYTES = 0x0a;
const FIELD_2_BYTES = 0x12;

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

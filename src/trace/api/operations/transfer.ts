import { createHash } from 'node:crypto';
import type { ImportReport } from '../../../../generated/trace.ts';
import type { operations } from '../../../../generated/trace-api.ts';
import { ByteStream, type Handlers, HttpError, Reply, UNKNOWN_MEDIA_TYPE } from '../../../http/index.ts';
import { exportFormats, JSON_LINES } from '../../formats/index.ts';
import type { ApiContext } from '../context.ts';
import { exportRun, streamTraceExport } from '../export.ts';
import { createStoreTarget, importTraces } from '../import.ts';

type Transfer = 'exportTrace' | 'exportRun' | 'importTraces' | 'getBlob' | 'putBlob';

export const transferHandlers: Pick<Handlers<operations, ApiContext>, Transfer> = {
  async exportTrace({ path, query }, { store }) {
    const format = exportFormats[query.format ?? 'jsonl'];
    const trace = await store.trace(path.org, path.traceId);
    return new Reply(new ByteStream(streamTraceExport(store, path.org, trace, format), JSON_LINES), {
      'Content-Disposition': attachment(trace.id, format.extension),
    });
  },
  async exportRun({ path, query }, { store }) {
    const { format: name = 'jsonl', ...filters } = query;
    const format = exportFormats[name];
    const requested = { ...filters, run: path.run };
    return new Reply(new ByteStream(exportRun(store, path.org, requested, format), JSON_LINES), {
      'Content-Disposition': attachment(path.run, format.extension),
    });
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

/** Maximum number of failures in a report; all are counted. */
const MAX_LISTED = 1000;

/** Prevents browsers from running scripts in untrusted blobs. */
const SAFE = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'X-Content-Type-Options': 'nosniff' };

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const attachment = (name: string, extension: string): string =>
  `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${extension}"`;

import type { operations } from '../../../../generated/trace-api.ts';
import { ByteStream, type Handlers, HttpError, Reply } from '../../../http/index.ts';
import { PROTOBUF, readOtlp } from '../../formats/index.ts';
import { annotationsOf, parseCaller } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';

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

/** Type of a field: a scalar, or the message that it contains. */
type FieldType =
  | 'string'
  | 'hex'
  | 'base64'
  | 'bool'
  | 'int'
  | 'long'
  | 'double'
  | 'fixed32'
  | 'fixed64'
  | (() => ProtobufMessage);

/** Fields of a message by number: name, type, and true if it is a list. */
export type ProtobufMessage = Readonly<Record<number, readonly [name: string, type: FieldType, isList?: boolean]>>;

/** Thrown for bytes that are not the expected message. */
export class ProtobufError extends Error {}

/** Maximum number of messages inside each other. */
const MAX_DEPTH = 200;

/**
 * Decodes a message of Protocol Buffers to an object as in the JSON encoding: 64-bit integers are texts. Skips unknown
 * fields. Source: Protocol Buffers, "Encoding".
 *
 * @throws ProtobufError
 */
export function decodeProtobuf(bytes: Uint8Array, message: ProtobufMessage, depth = 0): Record<string, unknown> {
  if (depth > MAX_DEPTH) throw new ProtobufError(`the body has more than ${MAX_DEPTH} levels`);
  const reader = new ByteReader(bytes);
  const decoded: Record<string, unknown> = {};
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    const field = message[Math.floor(tag / 8)];
    const raw = reader.value(tag % 8);
    if (!field) continue;
    const [name, type, isList = false] = field;
    for (const value of valuesOf(raw, type, isList, depth)) {
      if (!isList) decoded[name] = value;
      else {
        decoded[name] ??= [];
        (decoded[name] as unknown[]).push(value);
      }
    }
  }
  return decoded;
}

/** Returns the values of a field; a list of numbers may be packed. */
function valuesOf(raw: bigint | Uint8Array, type: FieldType, isList: boolean, depth: number): unknown[] {
  if (typeof type === 'function') {
    if (typeof raw === 'bigint') throw new ProtobufError('a field of the body has the wrong type');
    return [decodeProtobuf(raw, type(), depth + 1)];
  }
  if (typeof raw === 'bigint') return [numberOf(raw, type)];
  const text = textOf(raw, type);
  if (text !== undefined) return [text];
  if (!isList) throw new ProtobufError('a field of the body has the wrong type');
  const reader = new ByteReader(raw);
  const values: unknown[] = [];
  const wireType = type === 'double' || type === 'fixed64' ? 1 : type === 'fixed32' ? 5 : 0;
  while (!reader.isAtEnd) values.push(numberOf(reader.value(wireType) as bigint, type));
  return values;
}

function textOf(bytes: Uint8Array, type: string): string | undefined {
  if (type === 'hex') return Buffer.from(bytes).toString('hex');
  if (type === 'base64') return Buffer.from(bytes).toString('base64');
  return type === 'string' ? new TextDecoder().decode(bytes) : undefined;
}

function numberOf(raw: bigint, type: string): unknown {
  if (type === 'bool') return raw !== 0n;
  if (type === 'long') return String(BigInt.asIntN(64, raw));
  if (type === 'fixed64') return String(raw);
  if (type === 'int' || type === 'fixed32') return Number(BigInt.asIntN(32, raw));
  if (type !== 'double') throw new ProtobufError('a field of the body has the wrong type');
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, raw);
  return view.getFloat64(0);
}

class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('the body is not a valid message of Protocol Buffers');
  }

  /** Reads a value by its wire type. */
  value(wireType: number): bigint | Uint8Array {
    if (wireType === 0) return this.varint();
    const length = wireType === 1 ? 8 : wireType === 5 ? 4 : wireType === 2 ? Number(this.varint()) : Number.NaN;
    const start = this.#at;
    if (!(start + length <= this.#bytes.length)) {
      throw new ProtobufError('the body is not a valid message of Protocol Buffers');
    }
    this.#at = start + length;
    if (wireType === 2) return this.#bytes.subarray(start, this.#at);
    return length === 8 ? this.#view.getBigUint64(start, true) : BigInt(this.#view.getUint32(start, true));
  }
}

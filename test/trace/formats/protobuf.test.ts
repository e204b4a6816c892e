import { expect, test } from '@jest/globals';
import { decodeProtobuf, ProtobufError, type ProtobufMessage } from '../../../src/trace/formats/protobuf.ts';

const MESSAGE: ProtobufMessage = {
  1: ['text', 'string'],
  2: ['long', 'long'],
  3: ['numbers', 'double', true],
  4: ['inner', () => MESSAGE],
  5: ['flags', 'bool', true],
  6: ['bytes', 'base64'],
};

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const double = (value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return buffer.toString('hex');
};

test.each([
  ['a text', '0a 03 c3a9 21', { text: 'é!' }],
  ['a negative integer', `10 ${'ff'.repeat(9)} 01`, { long: '-1' }],
  ['the largest integer', `10 ${'ff'.repeat(8)} 7f`, { long: '9223372036854775807' }],
  ['numbers one by one', `19 ${double(1.5)} 19 ${double(-2)}`, { numbers: [1.5, -2] }],
  ['packed numbers', `1a 10 ${double(1.5)} ${double(-2)}`, { numbers: [1.5, -2] }],
  ['packed booleans', '2a 02 01 00', { flags: [true, false] }],
  ['a message', '22 02 10 05', { inner: { long: '5' } }],
  ['an empty message', '22 00', { inner: {} }],
  ['bytes', '32 02 ff00', { bytes: '/wA=' }],
  ['the last of several values', '10 01 10 02', { long: '2' }],
  ['unknown fields of all types', `78 01 79 ${'00'.repeat(8)} 7a 01 00 7d ${'00'.repeat(4)}`, {}],
])('decodes %s', (_what, hex, expected) => {
  expect(decodeProtobuf(bytes(hex), MESSAGE)).toEqual(expected);
});

test.each([
  ['a text that is cut off', '0a 05 61'],
  ['an integer that is cut off', '10 ff'],
  ['an integer of too many bytes', `10 ${'ff'.repeat(11)}`],
  ['a group', '0b'],
  ['a number in place of a message', '20 01'],
  ['a number in place of a text', '08 01'],
])('rejects %s', (_what, hex) => {
  expect(() => decodeProtobuf(bytes(hex), MESSAGE)).toThrow(ProtobufError);
});

test('rejects messages that are nested too deep', () => {
  let nested = Buffer.alloc(0);
  for (let depth = 0; depth < 1000; depth++) {
    const length: number[] = [];
    for (let rest = nested.length; ; rest >>= 7) {
      if (rest < 128) {
        length.push(rest);
        break;
      }
      length.push((rest & 127) | 128);
    }
    nested = Buffer.concat([Buffer.from([0x22, ...length]), nested]);
  }

  expect(() => decodeProtobuf(nested, MESSAGE)).toThrow('the body has more than 200 levels');
});

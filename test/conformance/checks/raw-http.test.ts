import { expect, test } from '@jest/globals';
import { parseHttpResponses } from '../../../src/conformance/checks/raw-http.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';

test.each<[string, string, [status: number, body: string, isWhole: boolean][]]>([
  ['nothing', '', []],
  ['bytes that are not HTTP', 'hello\r\n\r\n', []],
  ['half of a head', `${HEAD}Content-Length: 2\r\n`, []],
  ['a body of a known length', `${HEAD}content-length: 2\r\n\r\nok`, [[200, 'ok', true]]],
  ['a part of a body', `${HEAD}Content-Length: 4\r\n\r\nok`, [[200, 'ok', false]]],
  ['bytes of UTF-8', `${HEAD}Content-Length: 2\r\n\r\né`, [[200, 'é', true]]],
  ['a body until the end', `${HEAD}\r\nok`, [[200, 'ok', false]]],
  ['lines that end in LF', 'HTTP/1.0 404 Not Found\nContent-Length: 2\n\nno', [[404, 'no', true]]],
  ['a head without reason and headers', 'HTTP/1.1 204\r\n\r\n', [[204, '', true]]],
  [
    'chunks',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\nA\r\n0123\r\n6789\r\n0\r\nTrailer: x\r\n\r\n`,
    [[200, 'ab0123\r\n6789', true]],
  ],
  ['chunks without an end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`, [[200, 'ab', false]]],
  ['a chunk that is cut', `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nab`, [[200, 'ab', false]]],
  ['a last chunk that is cut', `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, [[200, '', false]]],
  [
    'several answers',
    `HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: 1\r\n\r\na${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HEAD}Content-Length: 1\r\n\r\nb`,
    [
      [100, '', true],
      [200, 'a', true],
      [200, '', true],
      [200, 'b', true],
    ],
  ],
])('parses the responses in %s', (_what, text, answers) => {
  const read = parseHttpResponses(Buffer.from(text));

  expect(read.map(({ status, body, isComplete }) => [status, body, isComplete])).toEqual(answers);
});

test('parses headers by their names in lower case', () => {
  const [answer] = parseHttpResponses(
    Buffer.from(`${HEAD}CONNECTION:  close \r\nX-A: b: c\r\nContent-Length: 0\r\n\r\n`),
  );

  expect(answer?.headers.get('connection')).toBe('close');
  expect(answer?.headers.get('x-a')).toBe('b: c');
});

/** A request that is no proper HTTP, as bytes; `host` is for its Host line. */
export interface HostileRequest {
  readonly what: string;
  readonly bytes: (host: string) => string;
}

const withLine = (line: string) => (host: string) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n\r\n`;
const withTarget = (target: string) => (host: string) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const withFirstLine = (line: string) => (host: string) => `${line}\r\nHost: ${host}\r\n\r\n`;
const withBody = (lines: string, body: string) => (host: string) =>
  `POST /create_session HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n\r\n${body}`;

export const MALFORMED_REQUESTS: readonly HostileRequest[] = [
  { what: 'words', bytes: () => 'hello, server\r\n\r\n' },
  { what: 'the greeting of TLS', bytes: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
  { what: 'the preface of HTTP/2', bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'a request line without a version', bytes: withFirstLine('GET /health') },
  { what: 'a request line without a target', bytes: withFirstLine('GET HTTP/1.1') },
  { what: 'the version HTTP/9.9', bytes: withFirstLine('GET /health HTTP/9.9') },
  { what: 'the version http/1.1', bytes: withFirstLine('GET /health http/1.1') },
  { what: 'the method G@T', bytes: withFirstLine('G@T /health HTTP/1.1') },
  { what: 'a method of 5000 letters', bytes: withFirstLine(`${'G'.repeat(5_000)} /health HTTP/1.1`) },
  { what: 'CONNECT', bytes: withFirstLine('CONNECT 127.0.0.1:1 HTTP/1.1') },
  { what: 'OPTIONS *', bytes: withFirstLine('OPTIONS * HTTP/1.1') },
  { what: 'a target without a slash', bytes: withTarget('health') },
  { what: 'a target with a control character', bytes: withTarget('/hea\x01lth') },
  { what: 'a target with a byte outside of ASCII', bytes: withTarget('/caf\xe9/tools') },
  { what: 'no Host', bytes: () => 'GET /health HTTP/1.1\r\n\r\n' },
  { what: 'two Hosts', bytes: withLine('Host: elsewhere') },
  { what: 'a header without a colon', bytes: withLine('Accept') },
  { what: 'a header without a name', bytes: withLine(': value') },
  { what: 'white space before a colon', bytes: withLine('Accept : */*') },
  { what: 'a NUL in a header', bytes: withLine('Accept: a\0b') },
  { what: 'a folded header', bytes: withLine('Accept: text/html,\r\n  text/plain') },
  { what: 'lines that end in LF alone', bytes: (host) => `GET /health HTTP/1.1\nHost: ${host}\n\n` },
  { what: 'an upgrade to websocket', bytes: withLine('Connection: Upgrade\r\nUpgrade: websocket') },
  { what: 'Content-Length: -1', bytes: withBody('Content-Length: -1', '{}') },
  { what: 'Content-Length: two', bytes: withBody('Content-Length: two', '{}') },
  { what: 'Content-Length: +2', bytes: withBody('Content-Length: +2', '{}') },
  { what: 'a Content-Length of 30 digits', bytes: withBody(`Content-Length: ${'9'.repeat(30)}`, '{}') },
  { what: 'Transfer-Encoding: banana', bytes: withBody('Transfer-Encoding: banana', '{}') },
  { what: 'a chunk of size xyz', bytes: withBody('Transfer-Encoding: chunked', 'xyz\r\n{}\r\n0\r\n\r\n') },
  { what: 'a chunk of size -2', bytes: withBody('Transfer-Encoding: chunked', '-2\r\n{}\r\n0\r\n\r\n') },
  { what: 'a chunk size of 20 digits', bytes: withBody('Transfer-Encoding: chunked', `${'f'.repeat(20)}\r\n{}`) },
  { what: 'a chunk longer than its size', bytes: withBody('Transfer-Encoding: chunked', '2\r\n{}{}{}\r\n0\r\n\r\n') },
  { what: 'the expectation 200-ok', bytes: withBody('Expect: 200-ok\r\nContent-Length: 2', '{}') },
  { what: 'a body that claims to be gzip', bytes: withBody('Content-Encoding: gzip\r\nContent-Length: 2', '{}') },
];

const HEAD = 1_000_000;

export const OVERSIZED_REQUESTS: readonly HostileRequest[] = [
  { what: 'a header of 1 MB', bytes: withLine(`X-Session-ID: ${'a'.repeat(HEAD)}`) },
  {
    what: '50 000 headers',
    bytes: withLine(Array.from({ length: 50_000 }, (_, index) => `X-${index}: a`).join('\r\n')),
  },
  { what: 'a header name of 1 MB', bytes: withLine(`${'a'.repeat(HEAD)}: a`) },
  { what: 'a target of 1 MB', bytes: withTarget(`/${'a'.repeat(HEAD)}/tools`) },
];

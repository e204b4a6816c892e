/** What is said where nobody listens any more, as in a pipe whose reader has gone, is lost; that ends no session. */
export function ignoreBrokenPipe(streams: readonly NodeJS.EventEmitter[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}

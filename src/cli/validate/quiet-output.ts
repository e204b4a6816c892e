/** Sends what others print on standard output to standard error, until it is disposed of: it may not mix with a report. */
export function redirectStdout(): Disposable {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof write;
  return {
    [Symbol.dispose]() {
      stdout.write = write;
    },
  };
}

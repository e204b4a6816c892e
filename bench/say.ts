/** Shows what goes on, in place of what it was before, where somebody looks. */
export function showProgress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${step}`);
}

/** Says what went wrong; the process ends with this code. */
export function fail(code: number, message: string): void {
  console.error(message);
  process.exitCode = code;
}

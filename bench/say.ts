/** So often a step is told where nobody watches. */
const EVERY_MS = 30_000;
let toldAt = 0;

/** Shows what goes on, in place of what it was before; in a log, now and then. */
export function showProgress(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${step}`);
  else if (step !== '' && performance.now() - toldAt > EVERY_MS) {
    toldAt = performance.now();
    console.error(`  ${step}`);
  }
}

/** Says what went wrong; the process ends with this code. */
export function fail(code: number, message: string): void {
  console.error(message);
  process.exitCode = code;
}

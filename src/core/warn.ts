/** Returns a function that returns true once for each of the first `capacity` distinct texts, otherwise false. */
export function firstTimes(capacity: number): (text: string) => boolean {
  const seen = new Set<string>();
  return (text) => {
    if (seen.has(text) || seen.size >= capacity) return false;
    seen.add(text);
    return true;
  };
}

/** The part of Node's process that warns; browsers have none. */
interface WarningProcess {
  emitWarning?(message: string, options: { readonly type: string }): void;
}

/** Requests are repeated, and each would cause the same warning. */
const isFirst = firstTimes(1_000);

/**
 * Warns once in a process about each message: of something that is left out, while everything else is used.
 *
 * @param type name of the warning, such as `McpWarning`, by which Node's `--disable-warning` can hide it.
 */
export function warnOnce(message: string, type: string): void {
  if (!isFirst(`${type}: ${message}`)) return;
  const { process } = globalThis as { readonly process?: WarningProcess };
  if (process?.emitWarning) process.emitWarning(message, { type });
  // biome-ignore lint/suspicious/noConsole: browsers have no other place for warnings
  else console.warn(`${type}: ${message}`);
}

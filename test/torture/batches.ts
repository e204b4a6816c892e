/** Blocks per batch of a writer. */
const sizeOf = (writer: number, batch: number): number => 1 + ((writer + batch) % 9);

/** Returns the ids of a batch, which end with writer, batch and index. */
export const idsOf = (name: string, writer: number, batch: number): string[] =>
  Array.from({ length: sizeOf(writer, batch) }, (_, place) => `tb_${name}_${writer}_${batch}_${place}`);

/** Finds batches of which only some blocks are stored. */
export function torn(stored: readonly string[]): string[] {
  const sizes = new Map<string, number>();
  for (const id of stored) {
    const batch = id.slice(0, id.lastIndexOf('_'));
    sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  }
  return [...sizes].flatMap(([batch, size]) => {
    const [writer = 0, place = 0] = batch.split('_').slice(-2).map(Number);
    return size === sizeOf(writer, place) ? [] : [batch];
  });
}

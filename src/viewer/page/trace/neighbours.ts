import type { Trace, TraceList } from '../../../../generated/trace.ts';

export interface AdjacentTraces {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

type TraceListQuery = (query: {
  readonly order: 'asc' | 'desc';
  readonly created_after?: string;
  readonly created_before?: string;
  readonly cursor?: string;
  readonly limit: number;
}) => Promise<TraceList>;

/** Returns the traces before and after one in order of creation; many may have the same timestamp. */
export async function findAdjacentTraces(
  { id, created_at }: Pick<Trace, 'id' | 'created_at'>,
  list: TraceListQuery,
): Promise<AdjacentTraces> {
  const [next, previous] = await Promise.all([
    traceAfter({ id, created_at }, (page) => list({ ...page, order: 'asc', created_after: created_at })),
    traceAfter({ id, created_at }, (page) =>
      list({ ...page, order: 'desc', created_before: nextMicrosecond(created_at) }),
    ),
  ]);
  return { previous, next };
}

/** Returns the trace after one in a list that begins with those of its timestamp. */
async function traceAfter(
  { id, created_at }: Pick<Trace, 'id' | 'created_at'>,
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<TraceList>,
): Promise<string | undefined> {
  let isFound = false;
  let cursor: string | null = null;
  for (let limit = 3; ; limit = 200) {
    const { traces, page }: TraceList = await list({ limit, ...(cursor !== null && { cursor }) });
    for (const trace of traces) {
      if (isFound || trace.created_at !== created_at) return trace.id;
      isFound = trace.id === id;
    }
    cursor = page.next_cursor;
    if (cursor === null) return undefined;
  }
}

/** Adds a microsecond. */
function nextMicrosecond(at: string): string {
  const seconds = at.slice(0, 19);
  const micros = Number(at.slice(20).replace('Z', '').padEnd(6, '0').slice(0, 6)) + 1;
  if (micros < 1_000_000) return `${seconds}.${String(micros).padStart(6, '0')}Z`;
  return new Date(Date.parse(`${seconds}Z`) + 1_000).toISOString().replace('.000Z', '.000000Z');
}

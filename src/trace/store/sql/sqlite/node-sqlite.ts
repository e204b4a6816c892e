import type { Database, Engine } from './engine.ts';

/** As much of node:sqlite as is used here. The types of Node 20, which has no node:sqlite, do not know it. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Database;
  /** Since Node 22.16. */
  readonly backup?: (
    source: Database,
    path: string,
    options: {
      readonly rate: number;
      readonly progress: (pages: { readonly totalPages: number; readonly remainingPages: number }) => void;
    },
  ) => Promise<number>;
}

/** Pages of 4 KB that are copied at a time. */
const RATE = 1000;

/** Undefined where this Node has no node:sqlite; it has since 22.13. */
export function loadNodeSqlite(): Engine | undefined {
  const sqlite: object | undefined = process.getBuiltinModule?.('node:sqlite');
  if (!sqlite) return undefined;
  const { DatabaseSync, backup } = sqlite as NodeSqlite;
  return {
    open: (path) => new DatabaseSync(path),
    copy:
      backup &&
      ((source, path, onProgress) =>
        backup(source, path, {
          rate: RATE,
          progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
        })),
  };
}

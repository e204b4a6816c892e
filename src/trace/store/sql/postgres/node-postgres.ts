import { createRequire } from 'node:module';
import { BoundedMap, isMissingPackage } from '../../../../core/index.ts';
import type { SqlValue } from '../driver.ts';

/** The part of the package pg that is used here. */
export interface NodePostgres {
  readonly Pool: new (options: PoolOptions) => PgPool;
  readonly Client: new (options: ClientOptions) => PgClient;
}

interface ClientOptions {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly fallback_application_name: string;
}

interface PoolOptions extends ClientOptions {
  readonly max: number;
  readonly types: PgTypes;
  /** Prepares each new connection; supported since pg 8.20. */
  readonly onConnect: (client: PgPoolClient) => Promise<unknown>;
}

/** Parsers of the texts that PostgreSQL sends, by the OID of their type. */
export interface PgTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

interface PgQueryable {
  /** Several statements in one text have one result each. */
  query(
    statement: string | { readonly text: string; readonly values: readonly unknown[] },
  ): Promise<PgResult | PgResult[]>;
}

export interface PgResult {
  /** First word of the command tag. */
  readonly command: string;
  readonly rows: readonly object[];
}

export interface PgPool extends PgQueryable {
  connect(): Promise<PgPoolClient>;
  on(event: 'connect', listener: (client: PgPoolClient) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

export interface PgPoolClient extends PgQueryable {
  /** @param isBroken closes the connection instead of returning it to the pool. */
  release(isBroken?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface PgClient extends PgQueryable {
  connect(): Promise<unknown>;
  on(event: 'notification', listener: (notification: { readonly payload?: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'end', listener: () => void): unknown;
  end(): Promise<void>;
}

/** @throws Error if the package pg is not installed. */
export function loadNodePostgres(): NodePostgres {
  try {
    // Required at run time, so that bundlers do not include the optional package.
    return createRequire(import.meta.url)('pg') as NodePostgres;
  } catch (error) {
    if (!isMissingPackage(error, 'pg')) throw error;
    throw new Error('PostgreSQL needs the package pg: npm install pg', { cause: error });
  }
}

const readBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));

const readText = (text: string): string => text;

/** OIDs: bytea; int8, int2, int4, float4, float8 and numeric, of which whole numbers stay within 53 bits. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [17, readBytes],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
]);

export const pgTypes: PgTypes = { getTypeParser: (type) => PARSERS.get(type) ?? readText };

/** Capacity of the cache: lists have a statement for each combination of filters. */
const MAX_STATEMENTS = 500;

const numbered = new BoundedMap<string, string>(MAX_STATEMENTS);

/** Replaces each `?` by `$1`, `$2`... for pg. Literals in the statements of the store contain no question mark. */
export function toStatement(sql: string, values: readonly SqlValue[] = []) {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => `$${++count}`);
    numbered.set(sql, text);
  }
  return { text, values };
}

import { createRequire } from 'node:module';
import { isMissingPackage } from '../../../../core/index.ts';

/** As much of the package pg as is used here. */
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
  /** What is done with each connection before it is used; pg has that since 8.20. */
  readonly onConnect: (client: PgPoolClient) => Promise<unknown>;
}

/** How the texts that PostgreSQL sends are read, by the number of their type. */
export interface PgTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

interface PgQueryable {
  /** Several statements in one text have a result each. */
  query(
    statement: string | { readonly text: string; readonly values: readonly unknown[] },
  ): Promise<PgResult | PgResult[]>;
}

export interface PgResult {
  /** The first word of what PostgreSQL says that it did. */
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
  /** @param isBroken whether it is not to be used again. */
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

/** @throws Error where pg is not installed. */
export function loadNodePostgres(): NodePostgres {
  try {
    // pg is CommonJS, and what is required is not bundled with those who do without it.
    return createRequire(import.meta.url)('pg') as NodePostgres;
  } catch (error) {
    if (!isMissingPackage(error, 'pg')) throw error;
    throw new Error('PostgreSQL needs the package pg: npm install pg', { cause: error });
  }
}

import { expect } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { type AuditOptions, audit } from '../../src/audit/index.ts';

/** Audits tasks of an environment with every selected attack, by default three, and returns what was proven. */
export async function proofsOf(environment: Environment, options: AuditOptions): Promise<string[]> {
  const { findings, environments } = await audit({ environments: [environment] }, { tasks: 3, ...options });

  const [audited] = environments;
  expect([audited?.failure, audited?.isExhausted]).toEqual([undefined, false]);
  // Attacks that are not skipped have a reason if their share of the budget was used up.
  expect(audited?.attacks.filter(({ state, reason }) => state !== 'skipped' && reason !== undefined)).toEqual([]);
  return findings.filter(({ kind }) => kind === 'proof').map(({ attack, what }) => `${attack} ${what}`);
}

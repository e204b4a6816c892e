import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  parseTraceTarget,
  redactBaseUrl,
  resolveResumedBaseUrl,
  resolveResumedStore,
  type TraceTarget,
} from '../../src/cli/rollout/settings.ts';

test.each<[string | boolean | undefined, TraceTarget]>([
  [undefined, true],
  [false, false],
  ['other.db', resolve('other.db')],
  ['http://127.0.0.1:8090/', 'http://127.0.0.1:8090'],
  ['postgres://me@host/db?sslmode=require', 'postgres://me@host/db?sslmode=require'],
  ['postgres://me:word@host/db', { hidden: 'postgres://host/db' }],
  ['postgres://me:w/o@rd@host/db', { hidden: 'postgres://host/db' }],
  ['postgres://host/db?user=me&password=word', { hidden: 'postgres://host/db' }],
  ['postgres://me:word@/db?host=/run', { hidden: 'postgres:///db' }],
])('the store %j is written down as %j', (given, expected) => {
  expect(parseTraceTarget(given)).toEqual(expected);
});

const HIDDEN = { hidden: 'postgres://host/db' };

test.each<[string | boolean | undefined, TraceTarget, string | boolean]>([
  [undefined, true, true],
  ['run/traces.db', true, true],
  [undefined, '/a.db', '/a.db'],
  ['/a.db', '/a.db', '/a.db'],
  [false, false, false],
  ['postgres://me:new@host/db', HIDDEN, 'postgres://me:new@host/db'],
])('resumes a run with %j after %j and records into %j', (given, before, expected) => {
  expect(resolveResumedStore(given, before, 'run/traces.db')).toBe(expected);
});

test.each<[string | boolean | undefined, TraceTarget, RegExp]>([
  [false, true, /cannot change --no-traces .* recorded in run\/traces\.db/],
  ['/b.db', '/a.db', /cannot change --traces .* recorded in \/a\.db/],
  ['/b.db', false, /cannot change --traces .* recorded nowhere/],
  [
    undefined,
    HIDDEN,
    /^the store of this run, postgres:\/\/host\/db, contains a secret that is not stored; pass it again/,
  ],
  ['postgres://me:word@elsewhere/db', HIDDEN, /pass it again with --traces/],
])('does not resume a run with %j after %j', (given, before, sentence) => {
  expect(() => resolveResumedStore(given, before, 'run/traces.db')).toThrow(sentence);
});

test.each([
  ['http://a/v1', 'http://a/v1'],
  ['http://a/v1?api-version=2', 'http://a/v1?api-version=2'],
  ['http://a/v1?api-version=2&key=abc&key=def', 'http://a/v1?api-version=2&key=...'],
  ['not a URL', 'not a URL'],
])('the base URL %s is written down as %s', (given, expected) => {
  expect(redactBaseUrl(given)).toBe(expected);
});

test('requires a base URL again if a part of it is not stored, and rejects another one', () => {
  const kept = redactBaseUrl('http://a/v1?key=abc');

  expect(resolveResumedBaseUrl('http://a/v1?key=new', kept)).toBe('http://a/v1?key=new');
  expect(resolveResumedBaseUrl(undefined, 'http://a/v1?api-version=2')).toBe('http://a/v1?api-version=2');
  expect(resolveResumedBaseUrl(undefined, undefined)).toBeUndefined();
  expect(() => resolveResumedBaseUrl(undefined, kept)).toThrow(/pass it again with --base-url/);
  expect(() => resolveResumedBaseUrl('http://b/v1?key=abc', kept)).toThrow(/cannot change --base-url/);
  expect(() => resolveResumedBaseUrl('http://a/v1', undefined)).toThrow(/cannot change --base-url/);
});

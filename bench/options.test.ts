import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('speed, door and graph are measured, search and load on request', () => {
  expect(readOptions([], {}).benchmarks).toEqual(['speed', 'door', 'graph']);
  expect(readOptions(['--only', 'load', '--only', 'door'], {}).benchmarks).toEqual([
    'load',
    'door',
  ]);
  expect(readOptions(['--only', 'search'], {}).benchmarks).toEqual(['search']);
});

test('searches are measured at every size, unless some are named', () => {
  expect(readOptions([], {}).memories).toBeNull();
  const named = ['--memories', '5000', '--memories', '200000'];
  expect(readOptions(named, {}).memories).toEqual([5_000, 200_000]);
  expect(() => readOptions(['--memories', '10'], {})).toThrow('5000, 50000, 200000, not 10');
});

test('faulty options are told', () => {
  expect(() => readOptions(['--only', 'all'], {})).toThrow(
    'one of speed, door, bodies, graph, search, load, webhooks, mail, media, memory, knowledge, ' +
      'clusters, backup, neighbour, mcp, telemetry, console, not all',
  );
  expect(() => readOptions(['--rounds', '0'], {})).toThrow('--rounds');
  expect(() => readOptions(['--fast'], {})).toThrow('--fast');
});

test('a quick run has one round, unless told otherwise', () => {
  expect(readOptions([], {}).rounds).toBe(3);
  expect(readOptions(['--quick'], {}).rounds).toBe(1);
  expect(readOptions(['--quick', '--rounds', '2'], {}).rounds).toBe(2);
});

test('PostgreSQL is named by the option, else by the environment', () => {
  const env = { MNEME_TEST_DATABASE_URL: 'postgres://a' };
  expect(readOptions([], {}).databaseUrl).toBeNull();
  expect(readOptions([], env).databaseUrl).toBe('postgres://a');
  expect(readOptions(['--database-url', 'postgres://b'], env).databaseUrl).toBe('postgres://b');
});

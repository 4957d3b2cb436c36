import { describe, expect, it } from 'vitest';
import { LoadedAccounts } from './loaded-accounts.ts';
import { OversizedAccounts } from './oversized-accounts.ts';

const bytesMax = 100;

function create(sizes: Readonly<Record<string, number>>) {
  const oversized = new OversizedAccounts({
    monotonicMs: () => 0,
    release: () => Promise.resolve(),
  });
  const accounts = new LoadedAccounts(bytesMax, oversized);
  const load = (accountId: string, bytes: number): void => {
    const size = { documents: 1, deletedDocuments: 0, bytes };
    accounts.setSize(accountId, accounts.touch(accountId), size);
  };
  for (const [accountId, bytes] of Object.entries(sizes)) load(accountId, bytes);
  return { accounts, oversized, load };
}

describe('the memory of loaded accounts', () => {
  it('is limited: the least recently used accounts leave first', () => {
    const { accounts, load } = create({ a: 40, b: 40, c: 20 });
    expect(accounts.listExcess('c')).toEqual([]);
    accounts.touch('a');
    load('d', 10);
    expect(accounts.listExcess('d')).toEqual(['b']);
    load('d', 70);
    expect(accounts.listExcess('d')).toEqual(['b', 'c', 'a']);
  });

  it('excludes an account that is larger alone, whichever is used', () => {
    const { accounts, load } = create({ a: 60, large: 101, b: 40 });
    expect(accounts.listExcess('large')).toEqual([]);
    expect(accounts.listExcess('b')).toEqual([]);
    load('c', 1);
    expect(accounts.listExcess('c')).toEqual(['a']);
    expect(accounts.totals).toEqual({ accounts: 4, documents: 4, bytes: 202 });
  });

  it('includes an account again that is not larger any more', () => {
    const { accounts, oversized, load } = create({ a: 60, large: 101 });
    expect(oversized.has('large')).toBe(true);
    load('large', 100);
    expect(oversized.has('large')).toBe(false);
    expect(accounts.listExcess('large')).toEqual(['a']);
  });

  it('does not restart an account that is being loaded', () => {
    const { accounts } = create({});
    accounts.touch('loading');
    const size = { documents: 1, deletedDocuments: 0, bytes: 60 };
    for (const id of ['a', 'b']) accounts.setSize(id, accounts.touch(id), size);
    expect(accounts.listExcess('b')).toEqual(['a']);
  });

  it('is free again after accounts leave', () => {
    const { accounts, load } = create({ a: 60, b: 40 });
    expect([accounts.delete('a'), accounts.delete('a')]).toEqual([true, false]);
    load('c', 60);
    expect(accounts.listExcess('c')).toEqual([]);
    accounts.deleteAll((accountId) => accountId === 'b');
    expect(accounts.totals).toEqual({ accounts: 1, documents: 1, bytes: 60 });
    accounts.deleteAll(() => true);
    expect(accounts.totals).toEqual({ accounts: 0, documents: 0, bytes: 0 });
  });
});

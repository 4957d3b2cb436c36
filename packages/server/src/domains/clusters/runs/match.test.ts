import { describe, expect, it } from 'vitest';
import { matchClusters } from './match.ts';

const former = (sets: Record<string, string>) =>
  new Map(Object.entries(sets).map(([id, members]) => [id, [...members]]));
const fresh = (...sets: string[]) => sets.map((members) => [...members]);
const matched = (old: Record<string, string>, ...sets: string[]) =>
  Object.fromEntries(matchClusters(former(old), fresh(...sets)));

describe('clusters of two runs', () => {
  it('are one where half of all that are in either are in both', () => {
    expect(matched({ a: 'stuv' }, 'stuvwxyz')).toEqual({ 0: 'a' });
    expect(matched({ a: 'stuv' }, 'stuvwxyz!')).toEqual({});
    expect(matched({ a: 'st', b: 'uv' }, 'uv', 'st')).toEqual({ 0: 'b', 1: 'a' });
  });

  it('are matched once each, those that agree most first', () => {
    expect(matched({ a: 'stuv' }, 'st', 'uv')).toEqual({ 0: 'a' });
    expect(matched({ a: 'st', b: 'uvw' }, 'stuvw')).toEqual({ 0: 'b' });
    expect(matched({ a: 'stu' }, 's', 'tu')).toEqual({ 1: 'a' });
  });

  it('are none of each other where one is empty', () => {
    expect(matched({}, 'st')).toEqual({});
    expect(matched({ a: '' }, 'st')).toEqual({});
    expect(matched({ a: 'st' })).toEqual({});
  });
});

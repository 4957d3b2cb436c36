import { describe, expect, it } from 'vitest';
import { matchClusters } from './match.ts';

const former = (sets: Record<string, string>) =>
  new Map(Object.entries(sets).map(([id, members]) => [id, [...members]]));
const current = (...sets: string[]) => sets.map((members) => [...members]);
const matched = (old: Record<string, string>, ...sets: string[]) =>
  Object.fromEntries(matchClusters(former(old), current(...sets)));

describe('clusters of two runs', () => {
  it('match if half of their union is in both', () => {
    expect(matched({ a: 'stuv' }, 'stuvwxyz')).toEqual({ 0: 'a' });
    expect(matched({ a: 'stuv' }, 'stuvwxyz!')).toEqual({});
    expect(matched({ a: 'st', b: 'uv' }, 'uv', 'st')).toEqual({ 0: 'b', 1: 'a' });
  });

  it('are matched once each, the most similar first', () => {
    expect(matched({ a: 'stuv' }, 'st', 'uv')).toEqual({ 0: 'a' });
    expect(matched({ a: 'st', b: 'uvw' }, 'stuvw')).toEqual({ 0: 'b' });
    expect(matched({ a: 'stu' }, 's', 'tu')).toEqual({ 1: 'a' });
  });

  it('do not match if one is empty', () => {
    expect(matched({}, 'st')).toEqual({});
    expect(matched({ a: '' }, 'st')).toEqual({});
    expect(matched({ a: 'st' })).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import { combineOwners, isOwnedBy, toOwner, toOwnerFields } from './owner.ts';

const nobody = toOwner({});

describe('owners of mail', () => {
  it('are what the mail and the rule of its sender name together', () => {
    expect(combineOwners(nobody, nobody)).toEqual(nobody);
    expect(combineOwners(toOwner({ user_id: 'ana' }), nobody)).toEqual(toOwner({ user_id: 'ana' }));
    expect(combineOwners(toOwner({ run_id: 'r' }), toOwner({ user_id: 'ana' }))).toEqual(
      toOwner({ user_id: 'ana', run_id: 'r' }),
    );
    const both = toOwner({ user_id: 'ana', agent_id: 'a' });
    expect(combineOwners(both, toOwner({ user_id: 'ana' }))).toEqual(both);
  });

  it('are none when the two name different ones', () => {
    for (const name of ['user_id', 'agent_id', 'run_id'])
      expect(combineOwners(toOwner({ [name]: 'ana' }), toOwner({ [name]: 'ben' }))).toBeNull();
  });

  it('have the memories with every name that they have', () => {
    const memory = toOwner({ user_id: 'ana', agent_id: 'a' });
    expect(isOwnedBy(nobody, memory)).toBe(true);
    expect(isOwnedBy(toOwner({ user_id: 'ana' }), memory)).toBe(true);
    expect(isOwnedBy(toOwner({ user_id: 'ana', run_id: 'r' }), memory)).toBe(false);
    expect(isOwnedBy(toOwner({ user_id: 'ben' }), memory)).toBe(false);
  });

  it('are fields and filters without what they do not name', () => {
    expect(toOwnerFields(toOwner({ user_id: 'ana' }))).toEqual({ user_id: 'ana' });
    expect(toOwnerFields(nobody)).toEqual({});
  });
});

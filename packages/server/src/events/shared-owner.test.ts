import { describe, expect, it } from 'vitest';
import { sharedOwner } from './shared-owner.ts';

const nobody = { user_id: null, agent_id: null, run_id: null };
const ana = { ...nobody, user_id: 'ana', agent_id: 'cook' };

describe('the owner of an event', () => {
  it('is that of its memories, as far as all of them have it', () => {
    expect(sharedOwner([ana])).toEqual(ana);
    expect(sharedOwner([ana, { ...ana, run_id: 'r1' }])).toEqual(ana);
    expect(sharedOwner([ana, { ...ana, user_id: 'ben' }])).toEqual({ ...nobody, agent_id: 'cook' });
  });

  it('is nobody where one of them belongs to nobody, and without memories', () => {
    expect(sharedOwner([ana, nobody])).toEqual(nobody);
    expect(sharedOwner([nobody, ana])).toEqual(nobody);
    expect(sharedOwner([])).toEqual(nobody);
  });
});

import { describe, expect, it } from 'vitest';
import { startScriptedServer } from './testing.ts';
import { createContractValidator, ValidationError } from './validation.ts';

const page = {
  data: [],
  has_more: false,
  next_cursor: null,
  pagination: { limit: 20, total: null, offset: null, has_more: false, next_cursor: null },
  added_later: 1,
};

describe('the validator of the contract', () => {
  it('rejects an invalid input before it is sent, and names its fields', async () => {
    await using scene = await startScriptedServer(() => ({ status: 201 }), {
      validator: createContractValidator(),
    });
    const body = { content: '', priority: 11 };
    const error: unknown = await scene.client.memories.create({ body }).catch((reason) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      operation: 'memories.create',
      fields: { content: { code: 'invalid_range' }, priority: { code: 'invalid_range', max: 10 } },
    });
    await expect(scene.client.memories.list({ query: { limit: 0 } })).rejects.toThrow(
      /^The query of memories\.list is not valid: limit /,
    );
    await expect(scene.client.memories.get({ params: { id: 'x' } })).rejects.toThrow('The params');
    expect(scene.requests).toHaveLength(0);
  });

  it('rejects a result that the contract does not have, and allows new fields', async () => {
    await using scene = await startScriptedServer(
      (_, i) => ({ status: 200, body: i === 0 ? page : { ...page, has_more: 'yes' } }),
      { validator: createContractValidator() },
    );
    expect(await scene.client.memories.list()).toEqual(page);
    await expect(scene.client.memories.list()).rejects.toMatchObject({
      name: 'ValidationError',
      fields: { has_more: { code: 'invalid_type' } },
    });
  });

  it('checks inputs only if results are excluded', async () => {
    await using scene = await startScriptedServer(() => ({ status: 200, body: {} }), {
      validator: createContractValidator({ results: false }),
    });
    expect(await scene.client.memories.list()).toEqual({});
    await expect(scene.client.memories.list({ query: { limit: 0 } })).rejects.toThrow('limit');
  });
});

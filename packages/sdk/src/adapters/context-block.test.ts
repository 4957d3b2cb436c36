import { stripInjectedContext, wrapInjectedContext } from '@mneme/contract/redaction';
import { describe, expect, it } from 'vitest';
import { removeContextBlocks, toContextBlock } from './context-block.ts';

describe('context that was added to a prompt', () => {
  it('is removed by hooks and importers where an adapter added it', () => {
    expect(stripInjectedContext(`${toContextBlock('Ana prefers tea.')}\nHello`)).toBe('Hello');
  });

  it('is removed by adapters where a hook added it', () => {
    expect(removeContextBlocks(`${wrapInjectedContext('Ana prefers tea.')}\nHello`)).toBe('Hello');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBranch } from './chatgpt-branch.ts';

const message = (create_time: number | null = null) => ({ author: { role: 'user' }, create_time });

/** Nodes with parents and children at random: trees, forests, cycles and missing nodes. */
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'missing');
const node = fc.record(
  {
    parent: fc.oneof(id, fc.constant(null), fc.integer()),
    children: fc.array(id, { maxLength: 3 }),
    message: fc.option(fc.record({ create_time: fc.option(fc.integer()) })),
  },
  { requiredKeys: [] },
);
const anyMapping = fc.dictionary(
  id.filter((one) => one !== 'missing'),
  fc.oneof(node, fc.constant(null)),
);

describe('the current branch of a conversation', () => {
  test('of any mapping ends, has each node once, and follows the parents', () => {
    fc.assert(
      fc.property(anyMapping, fc.option(id), (mapping, current) => {
        const { nodes, others } = findBranch(mapping, current);
        expect(new Set(nodes.map((one) => one.id)).size).toBe(nodes.length);
        for (const one of nodes) expect(mapping[one.id]?.message).toBe(one.message);
        const withMessage = Object.values(mapping).filter((one) => one?.message);
        expect(nodes.length + others).toBe(withMessage.length);
      }),
    );
  });

  test('of a tree is the way from its root to the current node', () => {
    // Node i has a parent before it: any list of such numbers is a tree.
    const tree = fc
      .array(fc.nat(), { minLength: 1, maxLength: 30 })
      .map((numbers) => numbers.map((number, i) => (i === 0 ? null : number % i)));
    fc.assert(
      fc.property(tree, fc.nat(), (parents, number) => {
        const current = number % parents.length;
        const mapping = Object.fromEntries(
          parents.map((parent, i) => [
            `n${i}`,
            { parent: parent === null ? null : `n${parent}`, children: [], message: message(i) },
          ]),
        );
        const way: string[] = [];
        for (let at: number | null = current; at !== null; at = parents[at] ?? null)
          way.unshift(`n${at}`);
        const branch = findBranch(mapping, `n${current}`);
        expect(branch.nodes.map((one) => one.id)).toEqual(way);
        expect(branch.isBroken).toBe(false);
        expect(branch.others).toBe(parents.length - way.length);
      }),
    );
  });

  test('without a current node ends at the newest message', () => {
    const mapping = {
      root: { parent: null, children: ['old', 'new'], message: null },
      new: { parent: 'root', children: [], message: message(2) },
      old: { parent: 'root', children: [], message: message(1) },
    };
    expect(findBranch(mapping, 'gone').nodes.map((one) => one.id)).toEqual(['new']);
    expect(findBranch({}, null)).toEqual({ nodes: [], isBroken: false, others: 0 });
  });

  test('reports a cycle and a missing parent', () => {
    const cycle = {
      a: { parent: 'b', message: message() },
      b: { parent: 'a', message: message() },
    };
    expect(findBranch(cycle, 'a')).toMatchObject({ isBroken: true, others: 0 });
    expect(findBranch({ a: { parent: 'x', message: message() } }, 'a').isBroken).toBe(true);
  });

  test('of 100,000 messages one below the other is found', () => {
    const mapping = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [
        `n${i}`,
        { parent: i === 0 ? null : `n${i - 1}`, children: [`n${i + 1}`], message: message(i) },
      ]),
    );
    expect(findBranch(mapping, 'n99999').nodes).toHaveLength(100_000);
  });
});

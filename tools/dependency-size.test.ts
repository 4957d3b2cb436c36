import { expect, it } from 'vitest';
import { measureDependencies, toMegabytes } from './dependency-size.ts';

it('an installation without development tools has at most 130 MB of dependencies', () => {
  const sizes = measureDependencies();
  expect(sizes.length).toBeGreaterThan(200);
  expect(toMegabytes(sizes)).toBeLessThanOrEqual(130);
});

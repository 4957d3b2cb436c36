import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly engines?: { readonly node?: string };
}

const { packages } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, LockedPackage> };

/** The lowest version with which an installation may begin; Node 24 then runs the code. */
const installer = [20, 19, 0] as const;

function compare(version: string): number {
  const numbers = version.split('.').map(Number);
  const at = installer.findIndex((own, i) => own !== (numbers[i] ?? 0));
  return at < 0 ? 0 : Math.sign(installer[at as 0] - (numbers[at] ?? 0));
}

/** For the comparators that occur in the lock file: `>=20`, `^20.19.0`, `20`, `<21.0.0`. */
function isSatisfied(comparator: string): boolean {
  const [, operator = '', version = ''] = /^(\D*)([\d.]*)/.exec(comparator) ?? [];
  if (operator.startsWith('>')) return compare(version) >= 0;
  if (operator === '<') return compare(version) < 0;
  if (operator === '<=') return compare(version) <= 0;
  return version === '' || (Number.parseInt(version, 10) === installer[0] && compare(version) >= 0);
}

const accepts = (range: string): boolean =>
  range
    .replaceAll(/([<>=^~])\s+/g, '$1')
    .split('||')
    .some((all) => all.trim().split(/\s+/).every(isSatisfied));

it('only packages of frameworks that require Node 22 warn when Node 20 installs them', () => {
  const warning = Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !accepts(engines.node))
    .map(([name]) => name.replace('node_modules/', ''));
  expect(warning).toEqual([
    '@ai-sdk/gateway',
    '@ai-sdk/provider',
    '@ai-sdk/provider-utils',
    'ai',
    'openai',
  ]);
});

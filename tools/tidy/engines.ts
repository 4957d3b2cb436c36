/** The lowest version of Node that may install; Node 24 from a package then runs the code. */
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

/** Whether npm of Node 20 installs a package of this `engines.node` without a warning. */
export const acceptsInstaller = (range: string): boolean =>
  range
    .replaceAll(/([<>=^~])\s+/g, '$1')
    .split('||')
    .some((all) => all.trim().split(/\s+/).every(isSatisfied));

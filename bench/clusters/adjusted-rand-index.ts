/**
 * How far two partitions agree, 1 for wholly, about 0 for chance: the adjusted Rand index (Hubert
 * and Arabie, "Comparing partitions", 1985). What either calls -1 is a part like others.
 */
export function adjustedRandIndex(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const cells = new Map<string, number>();
  const [rows, columns] = [new Map<number, number>(), new Map<number, number>()];
  const count = <K>(counts: Map<K, number>, key: K): void =>
    void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (let i = 0; i < one.length; i += 1) {
    const [a, b] = [one[i] as number, other[i] as number];
    count(cells, `${a} ${b}`);
    count(rows, a);
    count(columns, b);
  }
  const [both, first, second] = [pairs(cells), pairs(rows), pairs(columns)];
  const all = (one.length * (one.length - 1)) / 2;
  const byChance = (first * second) / all;
  const most = (first + second) / 2;
  return most === byChance ? 1 : (both - byChance) / (most - byChance);
}

const pairs = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);

/** The texts at a path such as `title`, `chapters[*].content` or `authors[-1].name`. */
export function textsAtPath(value: unknown, path: string): string[] {
  if (path === '$') return [JSON.stringify(value)];
  const steps = path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
  const found = steps.reduce<unknown[]>(
    (at, step) => at.flatMap((each) => follow(each, step)),
    [value],
  );
  return found.flatMap((each) => {
    if (each === null || each === undefined) return [];
    return [typeof each === 'object' ? JSON.stringify(each) : String(each)];
  });
}

function follow(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const index = /^\[(.*)\]$/.exec(step)?.[1];
  if (step === '*' || index === '*') return Object.values(value);
  if (index !== undefined) return Array.isArray(value) ? [value.at(Number(index))] : [];
  return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
}

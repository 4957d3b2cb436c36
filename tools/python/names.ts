/** Names in Python: the rule is in clients/python/README.md. */

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield'
  ).split(' '),
);

/** `cliSessions` → `cli_sessions`, `Idempotency-Key` → `idempotency_key`. */
export const toSnake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

/** `cliSessions.postMessages` → `CliSessionsPostMessages`, `memory_id` → `MemoryId`. */
export const toPascal = (name: string): string =>
  toSnake(name.replaceAll('.', '_'))
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** A keyword gets a trailing underscore. */
export const toIdentifier = (name: string): string => (keywords.has(name) ? `${name}_` : name);

/** `bulkCreate` of `memories.bulkCreate`, in Python's spelling. */
export function operationName(id: string): { readonly area: string; readonly method: string } {
  const [area = '', verb = ''] = id.split('.');
  return { area: toSnake(area), method: toIdentifier(toSnake(verb)) };
}

/** `memories.create` → `MEMORIES_CREATE`. */
export const constantName = (id: string): string => toSnake(id.replace('.', '_')).toUpperCase();

/** `memory_not_found` → `MemoryNotFoundError`, `validation_error` → `ValidationError`. */
export const errorClassName = (code: string): string =>
  `${toPascal(code.replace(/_error$/, ''))}Error`;

/** `entities` → `entity`: the name of one item of a list. */
export const toSingular = (name: string): string =>
  name.replace(/ies$/, 'y').replace(/(?<!s|atu|etadat)s$/, '');

/** What differs from one service to the next, wherever in a text it stands. */
const volatilePatterns: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME'],
  [/\d{4}-\d\d(?:-\d\d)?/g, 'DATE'],
  [/mnk_\S+/g, 'KEY'],
  [/eyJ\S+/g, 'TOKEN'],
  [/\d+\.\d+\.\d+\S*/g, 'VERSION'],
  [/[a-z2-9]{16}@/g, 'LOCAL@'],
  [/expires=\d+&signature=\S+/g, 'SIGNED'],
];

/** Fields that say another thing each time, or some time after. */
const volatileFields: ReadonlyMap<string, string> = new Map([
  ['salience', 'a number or null'],
  ['next_cursor', 'a cursor or null'],
  ['secret', 'a secret, whole or masked'],
  ['webhook-timestamp', 'seconds'],
  ['x-webhook-timestamp', 'seconds'],
  ['x-mneme-timestamp', 'seconds'],
  ['webhook-signature', 'a signature'],
  ['x-webhook-signature', 'a signature'],
  ['localPart', 'a local part'],
  ['local_part', 'a local part'],
  ['sha256', 'a hash'],
  ['authentication', 'what was checked'],
  // Each engine has some of its own.
  ['checks', 'what is well'],
  ['data_dir', 'a folder'],
  // When the database counts dead rows is its own affair.
  ['physical', 'what files hold'],
]);

/**
 * What came, as far as an example shows of it, with ids, times and numbers masked. Of a list the
 * example shows the beginning; of an object it shows every field.
 */
export function maskVolatile(example: unknown, came: unknown): unknown {
  if (Array.isArray(example) && Array.isArray(came)) {
    return came.slice(0, example.length).map((item, i) => maskVolatile(example[i], item));
  }
  if (typeof came === 'number') return 'a number';
  if (typeof came === 'string') {
    return volatilePatterns.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), came);
  }
  if (typeof came !== 'object' || came === null) return came;
  const shown = (example ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(came).map(([name, child]) => [
      name,
      volatileFields.get(name) ?? maskVolatile(shown[name], child),
    ]),
  );
}

/**
 * JavaScript does not check property names: a misspelt `apikey` would send no key. Throws a
 * TypeError for a name that is not in `known`, with the likely one.
 *
 * @param what the function or argument, for the message
 */
export function assertKnownNames(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const plain = (name: string): string => name.toLowerCase().replaceAll('_', '');
  const suggestion = known.find((name) => plain(name) === plain(unknown));
  throw new TypeError(
    `${what} has no option ${unknown}: ` +
      (suggestion === undefined ? `the options are ${known.join(', ')}.` : `use ${suggestion}.`),
  );
}

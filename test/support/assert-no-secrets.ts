const patterns = [
  // A whole key; its start alone is no secret.
  /mnk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/,
  // A JSON Web Token.
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/,
];

const shownMax = 400;

/**
 * Throws where a line holds an API key, a session token or one of the `known` secrets. Run over
 * everything that a server said in a test.
 */
export function assertNoSecrets(lines: readonly string[], known: readonly (string | null)[]): void {
  const texts = known.filter((secret): secret is string => Boolean(secret));
  const isTold = (line: string): boolean =>
    patterns.some((pattern) => pattern.test(line)) || texts.some((text) => line.includes(text));
  const told = lines.find(isTold);
  if (told === undefined) return;
  throw new Error(`A secret was logged: ${told.slice(0, shownMax)}`);
}

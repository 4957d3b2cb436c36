const patterns = [
  // A complete API key; its prefix is not secret.
  /mnk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/,
  // A token of an OAuth client, or a session in a browser.
  /mn[ors]_[\w-]{43}/,
  // A JSON Web Token.
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/,
];

const shownMax = 400;

/**
 * Throws if a line contains an API key, a token or one of the `known` secrets. Checks all
 * output of a server after each test.
 */
export function assertNoSecrets(lines: readonly string[], known: readonly (string | null)[]): void {
  const texts = known.filter((secret): secret is string => Boolean(secret));
  const hasSecret = (line: string): boolean =>
    patterns.some((pattern) => pattern.test(line)) || texts.some((text) => line.includes(text));
  const leak = lines.find(hasSecret);
  if (leak === undefined) return;
  throw new Error(`A secret was logged: ${leak.slice(0, shownMax)}`);
}

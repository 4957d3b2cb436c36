const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** English language names in lower case, with their ISO 639-1 codes. */
let codesByName: Map<string, string> | undefined;

function codes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  return new Map(
    pairs.flatMap((code) => {
      const name = names.of(code)?.toLowerCase();
      return name === undefined ? [] : [[name, code] as const];
    }),
  );
}

/** The ISO code of a language; some endpoints return the English name. */
export function toLanguageCode(language: string | null): string | null {
  const name = language?.trim().toLowerCase() ?? '';
  if (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(name)) return name;
  codesByName ??= codes();
  return codesByName.get(name) ?? null;
}

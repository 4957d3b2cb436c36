/** Placeholders of a command; each is replaced by a value of the run. */
const placeholders = ['file', 'language', 'prompt', 'output'] as const;

type Placeholder = (typeof placeholders)[number];

/** A parsed command. */
export interface CommandTemplate {
  readonly program: string;
  readonly args: readonly string[];
  readonly usedPlaceholders: ReadonlySet<Placeholder>;
}

const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
const name = /\{(\w+)\}/g;

/**
 * Splits a command like a shell, by spaces and quotes, without any other shell syntax. It must
 * contain `{file}`.
 * @returns an error message as text if it is invalid
 */
export function parseCommandTemplate(command: string): CommandTemplate | string {
  const words = command.match(word)?.map((one) => one.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  const [program, ...args] = words ?? [];
  if (program === undefined || (command.match(word) ?? []).join('').length === 0) return 'is empty';
  if (/["']/.test(command.replaceAll(word, ''))) return 'has a quote that is not closed';
  const named = [...args.join(' ').matchAll(name)].map(([, one]) => one as string);
  const unknown = named.find((one) => !(placeholders as readonly string[]).includes(one));
  if (unknown !== undefined)
    return `has the unknown placeholder {${unknown}}: use {${placeholders.join('}, {')}}`;
  if (!named.includes('file')) return 'must contain {file}';
  return { program, args, usedPlaceholders: new Set(named as Placeholder[]) };
}

/** The arguments of one run. A value never extends beyond its argument. */
export const buildArguments = (
  { args }: CommandTemplate,
  values: Readonly<Record<Placeholder, string>>,
): string[] => args.map((arg) => arg.replaceAll(name, (_whole, one: Placeholder) => values[one]));

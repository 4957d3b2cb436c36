/** What a command may name; each stands for a text of one run. */
const placeholders = ['file', 'language', 'prompt', 'output'] as const;

type Placeholder = (typeof placeholders)[number];

/** A command as it was configured, taken apart once. */
export interface CommandTemplate {
  readonly program: string;
  readonly args: readonly string[];
  readonly usedPlaceholders: ReadonlySet<Placeholder>;
}

const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
const name = /\{(\w+)\}/g;

/**
 * Takes a command apart as a shell would, by spaces and quotes, and by nothing else that a shell
 * knows. `{file}` must be in it.
 * @returns what is wrong with it, as a text
 */
export function parseCommandTemplate(command: string): CommandTemplate | string {
  const words = command.match(word)?.map((one) => one.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  const [program, ...args] = words ?? [];
  if (program === undefined || (command.match(word) ?? []).join('').length === 0) return 'is empty';
  if (/["']/.test(command.replaceAll(word, ''))) return 'has a quote that is not closed';
  const named = [...args.join(' ').matchAll(name)].map(([, one]) => one as string);
  const unknown = named.find((one) => !(placeholders as readonly string[]).includes(one));
  if (unknown !== undefined) return `names {${unknown}}; known are {${placeholders.join('}, {')}}`;
  if (!named.includes('file')) return 'does not say where {file} goes';
  return { program, args, usedPlaceholders: new Set(named as Placeholder[]) };
}

/** The arguments of one run. What is put in stays within its argument, whatever it holds. */
export const buildArguments = (
  { args }: CommandTemplate,
  values: Readonly<Record<Placeholder, string>>,
): string[] => args.map((arg) => arg.replaceAll(name, (_whole, one: Placeholder) => values[one]));

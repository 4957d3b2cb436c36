/** Stands in woven text for the check whether the mutation is active. */
export const activePlaceholder = '@active@';

export type MutationKind =
  | 'boundary'
  | 'equality'
  | 'logical'
  | 'condition'
  | 'arithmetic'
  | 'number'
  | 'boolean'
  | 'call'
  | 'nullish'
  | 'optional'
  | 'filter'
  | 'quantifier'
  | 'order';

/** One change of a file's text that a test should notice. */
export interface Mutation {
  readonly kind: MutationKind;
  /** The range of the text that is replaced. */
  readonly start: number;
  readonly end: number;
  /** What replaces it: the text as it is and as it would be, with `isActive` between them. */
  readonly replacement: string;
  /** For readers: `a < b → a <= b`. */
  readonly description: string;
}

/** A change with its place. */
export interface MutationSite extends Mutation {
  readonly path: string;
  readonly line: number;
  readonly area: string;
  /** Where the outermost function that holds it begins. */
  readonly functionStart: number;
  /** Counts equal changes of a file, so that a site is found again when lines have moved. */
  readonly occurrence: number;
}

/** A chosen site; `id` activates it. */
export interface Mutant extends MutationSite {
  readonly id: number;
}

/** The same for the same change in another version of the source. */
export const mutationKey = ({ path, kind, description, occurrence }: MutationSite): string =>
  [path, kind, description, occurrence].join('|');

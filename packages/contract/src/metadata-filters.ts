import type { z } from 'zod';
import { checkDespiteOtherIssues, customIssueOptions, storableText } from './fields.ts';
import { limits } from './limits.ts';
import { isStorableText } from './text.ts';

type MetadataFilters = { readonly [name: `metadata.${string}`]: string };

/** Requires at most so many filters in one request. */
export function requireFilterCount(names: readonly string[], context: z.RefinementCtx): void {
  if (names.length <= limits.searchFiltersMax) return;
  const max = limits.searchFiltersMax;
  const tooMany = customIssueOptions('invalid_range', `must have at most ${max} filters`, { max });
  context.addIssue({ code: 'custom', path: ['metadata'], ...tooMany });
}

/**
 * A query with further filters `metadata.<key>=value`. All other unknown fields are refused.
 * @param isFilter whether a field of the query counts as a filter
 */
export function withMetadataFilters<T extends z.ZodRawShape>(
  query: z.ZodObject<T>,
  isFilter: (name: string) => boolean,
) {
  return query
    .catchall(storableText({ max: limits.searchQueryCharactersMax }))
    .superRefine((values, context) => {
      const names = Object.keys(values);
      const pairs = names.filter((name) => /^metadata\..+/.test(name));
      for (const name of pairs.filter((pair) => !isStorableText(pair))) {
        const invalid = customIssueOptions(
          'invalid_characters',
          'must be valid Unicode without U+0000',
        );
        context.addIssue({ code: 'custom', path: [name], ...invalid });
      }
      const unknown = names.filter(
        (name) => !Object.hasOwn(query.shape, name) && !pairs.includes(name),
      );
      if (unknown.length > 0) {
        context.addIssue({ code: 'unrecognized_keys', keys: unknown, input: values });
      }
      requireFilterCount([...names.filter(isFilter), ...pairs], context);
    }, checkDespiteOtherIssues) as unknown as z.ZodType<
    z.output<z.ZodObject<T>> & MetadataFilters,
    z.input<z.ZodObject<T>> & MetadataFilters
  >;
}

import { z } from 'zod';
import { checkDespiteOtherIssues, customIssueOptions, storableText } from './fields.ts';
import { limits } from './limits.ts';

/**
 * The name of a space instead of its id. Handlers never see it, so its parsed type is undefined:
 * the server replaces it by `space_id` before they run.
 */
const spaceName = (
  storableText({ min: 1, max: limits.nameCharactersMax }) as unknown as z.ZodType<undefined, string>
)
  .optional()
  .meta({ description: 'Name of the space, exactly as stored, instead of space_id.' });

type SpaceIdShape = z.ZodRawShape & { readonly space_id: z.ZodType };
type WithSpaceName<S extends SpaceIdShape> = S & { readonly space: typeof spaceName };

/**
 * A request that takes `space_id`, extended by `space`; both together are invalid.
 * @param ids all fields that are the id of the space
 */
export function withSpaceName<S extends SpaceIdShape, C extends z.core.$ZodObjectConfig>(
  schema: z.ZodObject<S, C>,
  ids: readonly string[] = ['space_id'],
): z.ZodObject<WithSpaceName<S>, C> {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    shape[name] = field;
    // Next to space_id, so that cursors of both forms have the same filters in the same order.
    if (name === 'space_id') shape.space = spaceName;
  }
  const extended: unknown = schema.clone({ ...schema._zod.def, shape } as never);
  return (extended as z.ZodObject<WithSpaceName<S>, C>).refine(
    (value: Readonly<Record<string, unknown>>) =>
      value.space === undefined || ids.every((id) => value[id] === undefined),
    {
      path: ['space'],
      ...checkDespiteOtherIssues,
      ...customIssueOptions('invalid_format', 'cannot be combined with space_id'),
    },
  );
}

/** A part of a validated request that names its space. */
export interface NamesSpace {
  space?: string;
  space_id?: string;
}

/** Keys from a value to a part of it; `*` stands for every item of a list. */
type Path = readonly string[];

const pathsBySchema = new WeakMap<z.core.$ZodType, readonly Path[]>();

/** The parts of a validated value that name their space. */
export function findSpaceNames(schema: z.ZodType | undefined, value: unknown): NamesSpace[] {
  if (schema === undefined) return [];
  const paths = pathsBySchema.get(schema) ?? spaceNamePaths(schema);
  pathsBySchema.set(schema, paths);
  return paths.flatMap((path) =>
    partsAt(value, path).filter((part): part is NamesSpace => Object(part).space !== undefined),
  );
}

/**
 * Where a request of this schema can name a space. Without what a handler validates itself: it
 * also has to resolve the names in it.
 */
export function spaceNamePaths(schema: z.core.$ZodType): Path[] {
  const below = (key: string, inner: z.core.$ZodType): Path[] =>
    spaceNamePaths(inner).map((path) => [key, ...path]);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return spaceNamePaths(def.innerType);
    case 'array':
      return below('*', def.element);
    case 'object': {
      const own: Path[] = def.shape.space === spaceName ? [[]] : [];
      return [...own, ...Object.entries(def.shape).flatMap(([key, field]) => below(key, field))];
    }
    case 'pipe': {
      // An item that is validated on its own becomes its value or its errors.
      const { documentedAs } = z.globalRegistry.get(schema as z.ZodType) ?? {};
      return documentedAs ? below('value', documentedAs as z.ZodType) : [];
    }
    default:
      return [];
  }
}

function partsAt(value: unknown, [key, ...rest]: Path): unknown[] {
  if (key === undefined) return [value];
  if (key === '*') return Array.isArray(value) ? value.flatMap((item) => partsAt(item, rest)) : [];
  return partsAt((Object(value) as Record<string, unknown>)[key], rest);
}

import { AppError } from '../../kernel/errors.ts';
import { type Actor, canUseSpaces } from '../ctx.ts';

type OwnerKind = 'reaction' | 'digest';

/**
 * Requires access to every space of a reaction or digest: its recipients read content of these
 * spaces. Throws 404 not_found, 403 space_access_denied.
 */
export function requireUsableSpacesOf<Row extends { readonly spaces: string[] | null }>(
  actor: Actor,
  kind: OwnerKind,
  row: Row | undefined,
): Row {
  if (!row) throw new AppError('not_found');
  if (canUseSpaces(actor, row.spaces)) return row;
  throw new AppError('space_access_denied', {
    message: `The ${kind} covers spaces that the API key cannot access.`,
  });
}

/** Maps the fields that a body contains to their columns. */
export const changedColumns = <
  Columns extends Readonly<Record<string, string>>,
  Body extends { readonly [Field in keyof Columns]?: unknown },
>(
  columns: Columns,
  body: Body,
) =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = body[field];
      return value === undefined ? [] : [[column, value] as const];
    }),
  ) as { [Field in keyof Columns as Columns[Field]]?: Exclude<Body[Field], undefined> };

export const nameTakenError = (kind: OwnerKind, name: string): AppError =>
  new AppError('conflict', {
    message: `A ${kind} with the name ${name} already exists. Choose another name.`,
    details: { name },
  });

export const itemQuotaError = (kind: OwnerKind, limit: number): AppError =>
  new AppError('quota_exceeded', {
    message: `An account can have at most ${limit} ${kind}s. Delete one first.`,
    details: { quota: `email_${kind}s`, limit, used: limit },
  });

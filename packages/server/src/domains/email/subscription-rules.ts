import { AppError } from '../../kernel/errors.ts';
import { type Actor, canUseSpaces } from '../ctx.ts';

/** What an account sets up to be written to: by an event, or by a schedule. */
type OwnerKind = 'reaction' | 'digest';

/**
 * The row, where there is one and the key may use every space that it tells of: who could change
 * where it writes to would learn of them. Throws 404 not_found, 403 space_access_denied.
 */
export function requireUsableSpacesOf<Row extends { readonly spaces: string[] | null }>(
  actor: Actor,
  kind: OwnerKind,
  row: Row | undefined,
): Row {
  if (!row) throw new AppError('not_found');
  if (canUseSpaces(actor, row.spaces)) return row;
  throw new AppError('space_access_denied', {
    message: `The ${kind} tells of spaces that the key may not use.`,
  });
}

/** Of a body, the fields that are given, by the columns that they go to. */
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
    message: `A ${kind} with the name ${name} exists.`,
    details: { name },
  });

/** As many as an account may have are there. */
export const itemQuotaError = (kind: OwnerKind, limit: number): AppError =>
  new AppError('quota_exceeded', {
    message: `An account has at most ${limit} ${kind}s.`,
    details: { quota: `email_${kind}s`, limit, used: limit },
  });

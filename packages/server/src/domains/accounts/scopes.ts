import type { Scope } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Actor } from '../ctx.ts';

/** Whether `scopes` include `scope`; admin includes all but operator. */
export function hasScope(scopes: ReadonlySet<Scope>, scope: Scope): boolean {
  return scopes.has(scope) || (scope !== 'operator' && scopes.has('admin'));
}

/** Those of `wanted` that `scopes` include; all of `scopes` if nothing in particular is wanted. */
export const scopesWithin = (
  scopes: ReadonlySet<Scope>,
  wanted: readonly string[] | null,
): ReadonlySet<Scope> =>
  wanted === null
    ? scopes
    : new Set((wanted as readonly Scope[]).filter((scope) => hasScope(scopes, scope)));

/** Throws 403 insufficient_permissions with the required scope. */
export function requireScope({ scopes }: Actor, scope: Scope): void {
  if (hasScope(scopes, scope)) return;
  throw new AppError('insufficient_permissions', { details: { required_scope: scope } });
}

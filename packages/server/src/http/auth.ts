import type { Access } from '@mneme/contract';
import { authenticate, grants } from '../domains/accounts/index.ts';
import type { Actor, App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

/**
 * The one gate: who calls, and whether the route's scope is theirs. Throws 401 for bad
 * credentials and 403 insufficient_permissions for a missing scope.
 */
export async function authorise(
  app: App,
  access: Access,
  header: string | undefined,
): Promise<Actor> {
  const actor = await authenticate(app, header);
  if (access === 'any' || access === 'public' || grants(actor.scopes, access)) return actor;
  throw new AppError('insufficient_permissions', { details: { required_scope: access } });
}

import type { Scope } from '@mneme/contract';
import { hasScope } from '../accounts/index.ts';
import type { Actor } from '../ctx.ts';

/** All that the tools of the MCP server need: a token is good for nothing else. */
export const oauthScopes = [
  'memories:read',
  'memories:write',
  'search:read',
  'knowledge:read',
  'relationships:read',
] as const satisfies readonly Scope[];
export type OAuthScope = (typeof oauthScopes)[number];

export const isOAuthScope = (text: string): text is OAuthScope =>
  (oauthScopes as readonly string[]).includes(text);

/** The known scopes of a space-separated list; all without a list. Others are ignored. */
export const parseScopes = (list: string | undefined): OAuthScope[] =>
  list === undefined
    ? [...oauthScopes]
    : oauthScopes.filter((one) => list.split(' ').includes(one));

export const grantableScopesOf = (
  actor: Pick<Actor, 'scopes'>,
  scopes: readonly OAuthScope[],
): OAuthScope[] => scopes.filter((scope) => hasScope(actor.scopes, scope));

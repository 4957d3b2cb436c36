import { ownerId, parseId } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { recordAuditEntry } from '../accounts/index.ts';
import { type Actor, type App, canReadSpace, spaceKey, withTransaction } from '../ctx.ts';
import {
  listUsableSpaces,
  requireExistingSpaces,
  requireUsableSpace,
  resolveSpaceNames,
} from '../spaces/index.ts';
import { type AuthorizationRequest, toRedirect } from './authorization-request.ts';
import type { BrowserSession } from './browser-sessions.ts';
import { OAuthError } from './errors.ts';
import { grantableScopesOf, type OAuthScope } from './scopes.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import { updateClientLastUsed } from './store/clients.ts';
import { type GrantRecord, insertGrant } from './store/grants.ts';

const codeSeconds = 60;
const offeredSpacesMax = 200;

/** A space that a person can choose; `default` is the account level. */
export interface OfferedSpace {
  readonly id: string;
  readonly name: string;
}

/** What a person may allow a client. */
export interface ConsentOffer {
  readonly scopes: readonly OAuthScope[];
  /** The only space of the request, if it names one; otherwise those to choose from. */
  readonly onlySpace: OfferedSpace | null;
  readonly spaces: readonly OfferedSpace[];
}

/** What the person chose, as the form sent it: none of it is checked. */
export interface ConsentChoice {
  readonly scopes: readonly string[];
  /** Null: all spaces of the key. */
  readonly spaces: readonly string[] | null;
  /** Empty: memories of everybody. */
  readonly userId: string;
}

type Session = Pick<BrowserSession, 'actor'>;

/** Throws OAuthError invalid_scope, invalid_target: the key cannot allow any of the request. */
export async function prepareConsent(
  app: App,
  { actor }: Session,
  request: AuthorizationRequest,
): Promise<ConsentOffer> {
  const scopes = grantableScopesOf(actor, request.scopes);
  if (scopes.length === 0) {
    throw new OAuthError(
      'invalid_scope',
      'The API key has none of the scopes that the application requests.',
    );
  }
  const onlySpace = await findOnlySpace(app, actor, request);
  if (onlySpace !== null) return { scopes, onlySpace, spaces: [] };
  const named = await listUsableSpaces({ ...app, actor }, offeredSpacesMax);
  const accountLevel = { id: 'default', name: 'Memories in no space' };
  return {
    scopes,
    onlySpace,
    spaces: canReadSpace(actor, null) ? [accountLevel, ...named] : named,
  };
}

async function findOnlySpace(
  app: App,
  actor: Actor,
  { resource: { space } }: AuthorizationRequest,
): Promise<OfferedSpace | null> {
  if (space === undefined) return null;
  const ctx = { ...app, actor, requestId: '' };
  const isId = space === 'default' || parseId(space, 'other') !== null;
  const fields: { space?: string; space_id?: string } = isId ? { space_id: space } : { space };
  try {
    await resolveSpaceNames(ctx, isId ? [] : [fields]);
    const id = parseId(fields.space_id ?? '', 'other');
    await requireUsableSpace(ctx, id);
    return { id: spaceKey(id), name: space };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OAuthError('invalid_target', 'The API key reaches no space of this name.');
  }
}

/**
 * Stores what the person allowed, and returns where to send the browser with the code. Throws
 * OAuthError invalid_scope, invalid_target, invalid_request for a choice that the page did not
 * offer.
 */
export async function grantConsent(
  app: App & { readonly requestId: string },
  { actor }: Session,
  request: AuthorizationRequest,
  choice: ConsentChoice,
): Promise<string> {
  const offer = await prepareConsent(app, { actor }, request);
  const code = generateSecret(app.ids, 'code');
  const grant = toGrant(app, actor, request, {
    scopes: requireOfferedScopes(offer, choice),
    space_ids: requireOfferedSpaces(actor, offer, choice),
    user_id: requireUser(choice),
    code_hash: hashSecret(code),
  });
  await withTransaction({ ...app, actor }, async (inTx) => {
    const { tx, clock } = inTx;
    await requireExistingSpaces(inTx, actor.accountId, grant.space_ids ?? []);
    await insertGrant(tx, grant);
    await updateClientLastUsed(tx, grant.client_id, clock.now());
    const { client_id, client_name, resource, scopes, space_ids, user_id } = grant;
    const details = { client_id, client_name, resource, scopes, space_ids, user_id };
    const entry = { accountId: actor.accountId, targetId: grant.id, details };
    await recordAuditEntry(inTx, { action: 'grant.created', ...entry });
  });
  return toRedirect(request, { code });
}

function toGrant(
  { ids, clock }: App,
  { accountId, keyId, secretFingerprint }: Actor,
  { client, challenge, redirectUri, resource }: AuthorizationRequest,
  chosen: Pick<GrantRecord, 'scopes' | 'space_ids' | 'user_id' | 'code_hash'>,
): GrantRecord {
  const now = clock.now();
  const codeEnd = new Date(now.getTime() + codeSeconds * 1_000);
  return {
    ...chosen,
    account_id: accountId,
    id: ids.uuid(),
    key_id: keyId ?? '',
    key_fingerprint: secretFingerprint ?? '',
    client_id: client.id,
    client_name: client.name,
    resource: resource.url,
    code_challenge: challenge,
    redirect_uri: redirectUri,
    code_expires_at: codeEnd,
    redeemed_at: null,
    created_at: now,
    expires_at: codeEnd,
    revoked_at: null,
  };
}

function requireOfferedScopes(offer: ConsentOffer, { scopes }: ConsentChoice): OAuthScope[] {
  const chosen = [...new Set(scopes)];
  if (chosen.length === 0) throw new OAuthError('invalid_scope', 'Choose at least one permission.');
  const allowed = offer.scopes.filter((scope) => chosen.includes(scope));
  if (allowed.length === chosen.length) return allowed;
  throw new OAuthError('invalid_scope', 'The API key cannot allow these permissions.');
}

function requireOfferedSpaces(
  actor: Actor,
  offer: ConsentOffer,
  { spaces }: ConsentChoice,
): string[] | null {
  if (offer.onlySpace !== null) return [offer.onlySpace.id];
  if (spaces === null) return actor.spaces && [...actor.spaces];
  const chosen = [...new Set(spaces)];
  if (chosen.length === 0) throw new OAuthError('invalid_target', 'Choose at least one space.');
  const offered = new Set(offer.spaces.map(({ id }) => id));
  if (chosen.every((id) => offered.has(id))) return chosen;
  throw new OAuthError('invalid_target', 'The API key has no access to these spaces.');
}

function requireUser({ userId }: ConsentChoice): string | null {
  const text = userId.trim();
  if (text === '') return null;
  const user = ownerId.safeParse(text);
  if (user.success) return user.data;
  throw new OAuthError('invalid_request', 'The user is not a valid user_id.');
}

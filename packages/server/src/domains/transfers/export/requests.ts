import {
  type ArchiveKind,
  archiveKinds,
  type routes,
  type Scope,
  type ValidatedRequest,
} from '@mneme/contract';
import { accountIdsAfter, getAccount, hasScope } from '../../accounts/index.ts';
import { type App, type Ctx, requestedUser, spaceKey, visibleSpaces } from '../../ctx.ts';
import { Reply } from '../../handler.ts';
import { requireUsableSpace } from '../../spaces/index.ts';
import type { ExportScope } from '../store/record-queries.ts';
import { createExport, type ExportedAccount } from './export.ts';

/** The scope that a key needs for a kind of record. */
const scopeOfKind: Readonly<Record<ArchiveKind, Scope>> = {
  spaces: 'spaces:read',
  sessions: 'sessions:read',
  memories: 'memories:read',
  relationships: 'relationships:read',
  entities: 'knowledge:read',
  mentions: 'knowledge:read',
  assertions: 'knowledge:read',
  clusters: 'clusters:read',
  cluster_members: 'clusters:read',
  media: 'memories:read',
  tombstones: 'memories:read',
  transcripts: 'memories:read',
  interpretations: 'memories:read',
  segments: 'memories:read',
};

/**
 * Exports what the caller may read of its account. Throws 404 space_not_found, 403
 * space_access_denied, 403 user_access_denied.
 */
export async function exportOwnAccount(
  ctx: Ctx,
  { space_id, user_id }: ValidatedRequest<typeof routes.transfers.export>['query'],
): Promise<Reply<never>> {
  const { actor, clock } = ctx;
  const user = requestedUser(actor, user_id) ?? null;
  if (space_id !== undefined) await requireUsableSpace(ctx, space_id);
  const kinds = new Set(archiveKinds.filter((kind) => hasScope(actor.scopes, scopeOfKind[kind])));
  // Sessions have memories of several users: a token of one user does not see them.
  if (actor.user !== null) kinds.delete('sessions');
  const scope: ExportScope = {
    accountId: actor.accountId,
    spaces: space_id === undefined ? visibleSpaces(actor) : [spaceKey(space_id)],
    user,
    privateSessionsOf: hasScope(actor.scopes, 'admin') ? null : actor.keyId,
    hasSessions: kinds.has('sessions'),
    hasKnowledge: kinds.has('mentions'),
    now: clock.now(),
  };
  const { name, plan } = await getAccount(ctx, actor.accountId);
  return replyWithExport(ctx, [{ name, plan, scope, kinds }]);
}

/** Exports one account or all of them, for the operator. Throws 404 not_found. */
export async function exportAnyAccount(
  ctx: Ctx,
  { account_id: id }: ValidatedRequest<typeof routes.admin.export>['query'],
): Promise<Reply<never>> {
  if (id !== undefined) return replyWithExport(ctx, [await wholeAccount(ctx, id)]);
  return replyWithExport(ctx, allAccounts(ctx));
}

const pageAccounts = 100;

async function* allAccounts(ctx: Ctx): AsyncGenerator<ExportedAccount> {
  for (let after: string | null = null; ; ) {
    const ids = await accountIdsAfter(ctx.engine.db, after, pageAccounts);
    for (const id of ids) yield await wholeAccount(ctx, id);
    after = ids.at(-1) ?? null;
    if (ids.length < pageAccounts) return;
  }
}

async function wholeAccount(ctx: Ctx, accountId: string): Promise<ExportedAccount> {
  const { name, plan } = await getAccount(ctx, accountId);
  const limits = { spaces: null, user: null, privateSessionsOf: null };
  const scope = {
    accountId,
    ...limits,
    hasSessions: true,
    hasKnowledge: true,
    now: ctx.clock.now(),
  };
  return { name, plan, scope, kinds: new Set(archiveKinds) };
}

function replyWithExport(
  app: App,
  accounts: Iterable<ExportedAccount> | AsyncIterable<ExportedAccount>,
): Reply<never> {
  const name = `mneme-${app.clock.now().toISOString().replace(/[:.]/g, '-')}.export.tar.gz`;
  const headers = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  };
  const all = (async function* () {
    yield* accounts;
  })();
  return new Reply<never>(createExport(app, all), { headers });
}

import { limits, type MediaLink, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isValidSignedLink, signLink } from '../../../kernel/signed-link.ts';
import type { App, Ctx } from '../../ctx.ts';
import { requireMedia } from '../require-media.ts';

const purpose = 'clip links';

type ClipRange = { readonly start?: number | undefined; readonly end?: number | undefined };

/** What is signed: no two stretches are alike, and the whole is none of them. */
const signedParts = (memoryId: string, { start, end }: ClipRange): (string | number)[] =>
  start === undefined || end === undefined ? [memoryId, 'whole'] : [memoryId, start, end];

function clipLink(app: App, memoryId: string, stretch: ClipRange, expires: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(stretch)) query.set(name, String(value));
  query.set('expires', String(expires));
  query.set('signature', signLink(app, purpose, signedParts(memoryId, stretch), expires));
  return `${app.config.publicUrl ?? ''}/v1/media/clips/${memoryId}?${query}`;
}

const expiryInSeconds = ({ clock }: App, seconds: number): number =>
  Math.floor(clock.now().getTime() / 1_000) + seconds;

/** Plays the seconds from `start` to `end` of a recording for 15 minutes, without a key. */
export const clipUrl = (app: App, memoryId: string, start: number, end: number): string =>
  clipLink(app, memoryId, { start, end }, expiryInSeconds(app, limits.clipLinkSeconds));

/**
 * An address that plays the whole of a recording without a key. Throws as knownMedia, and 409
 * conflict for one that is deleted.
 */
export async function linkMedia(
  ctx: Ctx,
  memoryId: string,
  { expires_in }: ValidatedRequest<typeof routes.media.link>['query'],
): Promise<MediaLink> {
  const { record } = await requireMedia(ctx, memoryId);
  if (record.deleted_at !== null) {
    throw new AppError('conflict', { message: 'The memory is deleted; restore it first.' });
  }
  const expires = expiryInSeconds(ctx, expires_in);
  const expires_at = new Date(expires * 1_000).toISOString();
  return { url: clipLink(ctx, memoryId, {}, expires), expires_at };
}

export const isClipLink = (
  app: App,
  memoryId: string,
  link: ClipRange & { expires: number; signature: string },
): boolean => isValidSignedLink(app, purpose, signedParts(memoryId, link), link);

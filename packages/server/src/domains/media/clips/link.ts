import { limits, type MediaLink, type routes, type ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isValidSignedLink, signLink } from '../../../kernel/signed-link.ts';
import type { App, Ctx } from '../../ctx.ts';
import { requireMedia } from '../require-media.ts';

const purpose = 'clip links';

type ClipRange = { readonly start?: number | undefined; readonly end?: number | undefined };

/** The signed values: unique for each range, and different for the whole recording. */
const signedParts = (memoryId: string, { start, end }: ClipRange): (string | number)[] =>
  start === undefined || end === undefined ? [memoryId, 'whole'] : [memoryId, start, end];

function clipLink(app: App, memoryId: string, range: ClipRange, expires: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(range)) query.set(name, String(value));
  query.set('expires', String(expires));
  query.set('signature', signLink(app, purpose, signedParts(memoryId, range), expires));
  return `${app.config.publicUrl ?? ''}/v1/media/clips/${memoryId}?${query}`;
}

const expiryInSeconds = ({ clock }: App, seconds: number): number =>
  Math.floor(clock.now().getTime() / 1_000) + seconds;

/** A URL that plays a range of a recording (in seconds) for 15 minutes without an API key. */
export const clipUrl = (app: App, memoryId: string, start: number, end: number): string =>
  clipLink(app, memoryId, { start, end }, expiryInSeconds(app, limits.clipLinkSeconds));

/**
 * Creates a URL that plays a whole recording without an API key. Throws as requireMedia, and 409
 * conflict if the memory is deleted.
 */
export async function createMediaLink(
  ctx: Ctx,
  memoryId: string,
  { expires_in }: ValidatedRequest<typeof routes.media.link>['query'],
): Promise<MediaLink> {
  const { record } = await requireMedia(ctx, memoryId);
  if (record.deleted_at !== null) {
    throw new AppError('conflict', { message: 'The memory is deleted. Restore it first.' });
  }
  const expires = expiryInSeconds(ctx, expires_in);
  const expires_at = new Date(expires * 1_000).toISOString();
  return { url: clipLink(ctx, memoryId, {}, expires), expires_at };
}

export const isValidClipLink = (
  app: App,
  memoryId: string,
  link: ClipRange & { expires: number; signature: string },
): boolean => isValidSignedLink(app, purpose, signedParts(memoryId, link), link);

import type { ProtectionLevel } from '@mneme/contract';
import { validationError } from '../../kernel/errors.ts';
import type { Ctx } from '../ctx.ts';

const dayMs = 86_400_000;

interface ExpiryFields {
  readonly expires_at?: Date | null | undefined;
  readonly protection_level?: ProtectionLevel | undefined;
}

/** Throws 422: in the past, or of a hard-protected memory, which never expires. */
export function requireValidExpiry(
  { clock }: Pick<Ctx, 'clock'>,
  { expires_at: expiresAt = null, protection_level: level }: ExpiryFields,
): void {
  if (expiresAt === null) return;
  if (expiresAt <= clock.now()) {
    throw validationError({
      expires_at: { code: 'invalid_range', message: 'must be in the future' },
    });
  }
  if (level === 'hard') {
    const message = 'must be omitted or null: a hard-protected memory never expires';
    throw validationError({ expires_at: { code: 'invalid_enum_value', message } });
  }
}

/** Null: never. */
export const expiryAfter = (createdAt: Date, days: number | null): Date | null =>
  days === null ? null : new Date(createdAt.getTime() + days * dayMs);

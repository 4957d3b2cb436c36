import type { EmailAddress } from '@mneme/contract';
import type { AddressRecord } from './addresses/store/addresses.ts';

const plusMark = '+';

/** Both parts in lower case, without a `+suffix`; null if it is not an address. */
export function splitAddress(address: string): { localPart: string; domain: string } | null {
  const at = address.lastIndexOf('@');
  if (at <= 0 || at === address.length - 1) return null;
  const [localPart = ''] = address.slice(0, at).toLowerCase().split(plusMark);
  return { localPart, domain: address.slice(at + 1).toLowerCase() };
}

export const presentEmailAddress = (row: AddressRecord): EmailAddress => ({
  id: row.id,
  email: `${row.local_part}@${row.domain}`,
  localPart: row.local_part,
  domain: row.domain,
  isActive: row.is_active,
  createdAt: row.created_at.toISOString(),
  acceptsUntil: row.accepts_until?.toISOString() ?? null,
});

export const acceptsMail = (row: AddressRecord, now: Date): boolean =>
  row.is_active || (row.accepts_until !== null && row.accepts_until > now);

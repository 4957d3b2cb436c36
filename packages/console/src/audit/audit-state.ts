import type { AuditEntry } from '@mneme/sdk';

export type AuditAction = AuditEntry['action'];

export const auditActions: readonly AuditAction[] = [
  'account.created',
  'account.updated',
  'account.deleted',
  'key.created',
  'key.rotated',
  'key.revoked',
  'token.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'deliveries.paused',
  'deliveries.resumed',
  'queue.paused',
  'queue.resumed',
  'mcp.remembered',
  'mcp.forgotten',
  'grant.created',
  'grant.revoked',
];

export const readAuditSearch = (search: Record<string, unknown>) => ({
  action: auditActions.find((action) => action === search.action),
});

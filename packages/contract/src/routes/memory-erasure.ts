import { defineRoute } from '../route.ts';
import { sampleJob } from '../samples.ts';
import * as s from '../schemas/memory-erasure.ts';

export const memoryErasureRoutes = {
  erase: defineRoute({
    id: 'memories.erase',
    method: 'POST',
    path: '/memories/erase',
    summary: 'Erase all memories that match a filter, in two steps',
    description:
      'With dry_run it changes nothing and answers 200 with the count and a token, which is ' +
      'valid for 10 minutes. With that token and the same filter it answers 202, and a job ' +
      'erases the memories for good, soft-deleted ones too, with all that is derived from them. ' +
      'Hard-protected memories stay. If the filter has only user_id, agent_id and run_id, the ' +
      'received mails of this owner are erased, too, with their attachments and replies, and so ' +
      'are unfinished uploads. 409 if more matches than the dry run counted. The result of the ' +
      'job is a receipt: `erased`, `hard_protected`, `mails` and `uploads`.',
    access: 'memories:write',
    idempotent: true,
    body: s.eraseMemoriesBody,
    responses: { 200: s.eraseDryRun, 202: s.queuedErasure },
    errors: ['conflict', 'space_not_found', 'space_access_denied'],
    example: {
      body: { filter: { tags: ['draft'] }, dry_run: true },
      response: {
        count: 12,
        hard_protected: 1,
        mails: 0,
        uploads: 0,
        token: 'eyJjb3VudCI6MTIsImV4cGlyZXMiOjE3NjY1MjM2MDAsInNpZ25hdHVyZSI6Im1hYyJ9',
        expires_at: sampleJob.created_at,
      },
    },
  }),
} as const;

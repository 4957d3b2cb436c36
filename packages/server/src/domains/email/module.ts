import { countUnprocessedEvents } from '../../events/event-cursor.ts';
import { beforeAccountResume } from '../accounts/index.ts';
import { collectReferencedBlobs } from '../blobs/index.ts';
import { ownedRecordRegistry } from '../memories/index.ts';
import { type Module, minuteSeconds } from '../module.ts';
import { collectBlobsReferencedByMail } from './attachments/store/attachments.ts';
import { attachmentBlobCheck, mailBlobCheck } from './checks.ts';
import { dueDigestsKind, sendDigestKind, sendDigestNow, sendDueDigests } from './digests/send.ts';
import { eraseAccountEmail } from './erase.ts';
import { ownedMails } from './inbound/erase-owned.ts';
import { processMailKind } from './inbound/job-kinds.ts';
import { mailOwnerCheck } from './inbound/owner-check.ts';
import { processMail } from './inbound/process.ts';
import {
  countQueuedMails,
  failStaleMail,
  releaseAllMailLeases,
} from './outbound/store/outbound-mails.ts';
import { emailRouteHandlers } from './routes.ts';
import { senderRuleCheck } from './senders/owner-check.ts';

export const emailModule = {
  name: 'email',
  handlers: emailRouteHandlers,
  jobs: {
    [processMailKind]: { run: processMail, backoffSeconds: [5, 30, 300, 3_600, 3_600] },
    [dueDigestsKind]: { run: sendDueDigests, backoffSeconds: [60] },
    [sendDigestKind]: { run: sendDigestNow, backoffSeconds: [5, 60, 600] },
  },
  schedules: [{ kind: dueDigestsKind, everySeconds: minuteSeconds }],
  checks: [mailBlobCheck, attachmentBlobCheck, mailOwnerCheck, senderRuleCheck],
  eraseAccount: eraseAccountEmail,
  releaseLeases: releaseAllMailLeases,
  async collectMetrics({ engine: { db } }, metrics) {
    const lag = await countUnprocessedEvents(db, 'email_reactions');
    metrics.setValue('mneme_event_consumer_lag_events', { consumer: 'email_reactions' }, lag);
    metrics.set('mneme_outbound_mails', await countQueuedMails(db));
  },
  registerHooks(app) {
    collectReferencedBlobs.on(app, collectBlobsReferencedByMail);
    ownedRecordRegistry.on(app, 'mails', ownedMails);
    // `commands/reset-admin.ts` has this one as well.
    beforeAccountResume.on(app, failStaleMail);
  },
} satisfies Module;

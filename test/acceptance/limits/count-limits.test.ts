import { limits } from '@mneme/contract';
import type { RawRequest } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type OutboundMailService,
  startOutboundMailService,
} from '../../support/outbound-mail-service.ts';
import { engines, type Service } from '../../support/service.ts';
import { postRequest, responseStatuses, runConcurrently } from './usage-and-windows.ts';

interface Capped {
  readonly max: number;
  /** Makes the i-th. */
  make(i: number): RawRequest;
  /** Makes many at once, where one after the other would take long. */
  fill?(service: Service, accountId: string, count: number): Promise<unknown>;
}

const mailed = (i: number) => ({ name: `number ${i}`, recipients: ['ana@example.com'] });

const capped: Readonly<Record<string, Capped>> = {
  'uploads under way': {
    max: limits.uploadsMax,
    make: () => ({
      ...postRequest('/media/uploads', undefined),
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '9' },
    }),
  },
  'search presets': {
    max: limits.presetsMax,
    make: (i) => ({ method: 'PUT', path: `/search/pipelines/number-${i}`, body: { limit: 3 } }),
  },
  'sender rules': {
    max: limits.senderRulesMax,
    make: (i) =>
      postRequest('/email/senders', { emailPattern: `${i}@spam.example`, ruleType: 'block' }),
    fill: ({ running }, accountId, count) =>
      sql`
        insert into email_sender_rules (account_id, id, pattern, rule_type, created_at)
        select ${accountId}::uuid, gen_random_uuid(), i || '@full.example', 'block', now()
        from generate_series(1, ${count}::int) i
      `.execute(running.context.app.engine.db),
  },
  reactions: {
    max: limits.reactionsMax,
    make: (i) =>
      postRequest('/email/reactions', {
        ...mailed(i),
        triggerType: 'memory.created',
        emailSubjectTemplate: 'New',
        emailBodyTemplate: 'New',
      }),
  },
  digests: {
    max: limits.digestsMax,
    make: (i) => postRequest('/email/digests', { ...mailed(i), scheduleType: 'daily' }),
  },
};

const tries = 12;
const left = 2;

describe.each(engines)('an account on %s has', (engine) => {
  let mailing: OutboundMailService;
  beforeAll(async () => {
    mailing = await startOutboundMailService(engine, { MNEME_EMAIL_DOMAIN: 'mail.test' });
  });
  afterAll(() => mailing[Symbol.asyncDispose]());

  it.each(Object.entries(capped))(
    'no more %s than it may, however many are made at once',
    async (_, { max, make, fill }) => {
      const { id, client } = await mailing.service.createAccount();
      if (fill) await fill(mailing.service, id, max - left);
      else await runConcurrently(max - left, 8, (i) => client.request(make(i)));
      const last = await runConcurrently(tries, tries, (i) => client.request(make(max + i)));
      const refused = Array.from({ length: tries - left }, () => 403);
      expect(responseStatuses(last)).toEqual([
        ...Array.from({ length: left }, () => 201),
        ...refused,
      ]);
    },
  );
});

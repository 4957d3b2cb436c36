import { idParams, listQuery } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleAddress, sampleAttachment, sampleMail, sampleSenderRule } from '../samples-email.ts';
import * as s from '../schemas/email.ts';

const notFound = 'not_found';
const read = { access: 'email:read', endpointLimit: 'email' } as const;
const write = { access: 'email:write', endpointLimit: 'email' } as const;
/**
 * A key that is limited to spaces needs the space `default` to read, and changes nothing
 * account-wide.
 */
const accessErrors = ['space_access_denied'] as const;
const pagination = { total: 1, limit: 20, offset: 0, has_more: false };
const { id: mailId } = sampleMail;
const mailParams = { id: mailId };
const attachmentParams = { id: sampleAttachment.id };

export const emailRoutes = {
  getAddress: defineRoute({
    id: 'email.getAddress',
    method: 'GET',
    path: '/email/address',
    summary: 'Read the email address of the account',
    ...read,
    responses: { 200: s.emailAddress },
    errors: [...accessErrors, 'not_found'],
    example: { response: sampleAddress },
  }),
  createAddress: defineRoute({
    id: 'email.createAddress',
    method: 'POST',
    path: '/email/address',
    summary: 'Create the email address of the account',
    description: 'If an address exists: 409 conflict, unless regenerate is true.',
    ...write,
    body: s.createEmailAddressBody,
    bodyOptional: true,
    responses: { 201: s.emailAddress },
    idempotent: true,
    errors: [...accessErrors, 'conflict'],
    example: { body: {}, response: sampleAddress },
  }),
  rotateAddress: defineRoute({
    id: 'email.rotateAddress',
    method: 'POST',
    path: '/email/address/rotate',
    summary: 'Replace the address; the previous one works for a grace period',
    ...write,
    body: s.rotateEmailAddressBody,
    bodyOptional: true,
    responses: { 201: s.rotateEmailAddressResponse },
    idempotent: true,
    errors: [...accessErrors, 'not_found'],
    example: {
      body: { grace_period_days: 7 },
      response: {
        id: sampleAddress.id,
        email: sampleAddress.email,
        previousEmail: 'p3n5r7t2v4x6z2b4@mail.example.com',
        gracePeriodDays: 7,
        createdAt: sampleAddress.createdAt,
      },
    },
  }),
  listAddresses: defineRoute({
    id: 'email.listAddresses',
    method: 'GET',
    path: '/email/addresses',
    summary: 'List current and former addresses, newest first',
    ...read,
    query: listQuery,
    responses: { 200: s.emailAddressPage },
    errors: [...accessErrors],
    example: { response: { data: [sampleAddress], pagination } },
  }),
  deactivateAddress: defineRoute({
    id: 'email.deactivateAddress',
    method: 'DELETE',
    path: '/email/address',
    summary: 'Deactivate the current and all former addresses',
    ...write,
    responses: { 204: null },
    errors: [...accessErrors, 'not_found'],
    example: { response: null },
  }),
  listHistory: defineRoute({
    id: 'email.listHistory',
    method: 'GET',
    path: '/email/history',
    summary: 'List received emails, newest first',
    ...read,
    query: s.listMailsQuery,
    responses: { 200: s.mailPage },
    errors: [...accessErrors],
    example: { response: { data: [sampleMail], pagination } },
  }),
  getHistory: defineRoute({
    id: 'email.getHistory',
    method: 'GET',
    path: '/email/history/:id',
    summary: 'Read a received email',
    ...read,
    params: idParams,
    notFound,
    responses: { 200: s.mail },
    errors: [...accessErrors],
    example: { params: mailParams, response: sampleMail },
  }),
  listAttachments: defineRoute({
    id: 'email.listAttachments',
    method: 'GET',
    path: '/email/history/:id/attachments',
    summary: 'List the attachments of an email in order',
    ...read,
    params: idParams,
    notFound,
    query: listQuery,
    responses: { 200: s.attachmentPage },
    errors: [...accessErrors],
    example: { params: mailParams, response: { data: [sampleAttachment], pagination } },
  }),
  getAttachment: defineRoute({
    id: 'email.getAttachment',
    method: 'GET',
    path: '/email/attachments/:id',
    summary: 'Read the metadata of an attachment',
    ...read,
    params: idParams,
    notFound,
    responses: { 200: s.attachment },
    errors: [...accessErrors],
    example: { params: attachmentParams, response: sampleAttachment },
  }),
  downloadAttachment: defineRoute({
    id: 'email.downloadAttachment',
    method: 'GET',
    path: '/email/attachments/:id/download',
    summary: 'Create a signed link to the bytes, which works without a key',
    ...read,
    params: idParams,
    notFound,
    query: s.attachmentDownloadQuery,
    responses: { 200: s.downloadLink },
    errors: [...accessErrors],
    example: {
      params: attachmentParams,
      response: {
        url: `/v1/email/attachments/${sampleAttachment.id}/content?expires=1767606300&signature=x`,
        expiresIn: limits.linkSecondsDefault,
      },
    },
  }),
  attachmentContent: defineRoute({
    id: 'email.attachmentContent',
    method: 'GET',
    path: '/email/attachments/:id/content',
    summary: 'Download an attachment with a signed link',
    description: 'An expired or modified link is 403 insufficient_permissions.',
    access: 'public',
    params: idParams,
    notFound,
    query: s.signedLinkQuery,
    responses: { 200: null },
    responseType: '*/*',
    errors: ['insufficient_permissions'],
    example: {
      params: attachmentParams,
      query: { expires: 1_767_606_300, signature: 'x' },
      response: null,
    },
  }),
  removeAttachment: defineRoute({
    id: 'email.removeAttachment',
    method: 'DELETE',
    path: '/email/attachments/:id',
    summary: 'Delete an attachment and its bytes',
    description: 'A memory that was created from its text stays.',
    ...write,
    params: idParams,
    notFound,
    responses: { 204: null },
    errors: [...accessErrors],
    example: { params: attachmentParams, response: null },
  }),
  listSenders: defineRoute({
    id: 'email.listSenders',
    method: 'GET',
    path: '/email/senders',
    summary: 'List sender rules, newest first',
    ...read,
    query: s.listSenderRulesQuery,
    responses: { 200: s.senderRulePage },
    errors: [...accessErrors],
    example: { response: { data: [sampleSenderRule], pagination } },
  }),
  addSender: defineRoute({
    id: 'email.addSender',
    method: 'POST',
    path: '/email/senders',
    summary: 'Allow or block senders',
    description:
      'The most specific matching rule applies; among equal ones, block wins. If any allow rule ' +
      'exists, other senders are rejected. Only senders that a rule allows, and whose domain ' +
      'SPF, DKIM or DMARC authenticates, receive replies and run commands other than store. With ' +
      'an owner, the rule allows email of this owner only: what such a sender writes belongs to ' +
      'the owner, and commands reach nothing else.',
    ...write,
    requiresContentScope: true,
    body: s.createSenderRuleBody,
    responses: { 201: s.senderRule },
    idempotent: true,
    errors: [...accessErrors, 'conflict', 'quota_exceeded'],
    example: {
      body: { email_pattern: '*@spam.example', rule_type: 'block', reason: 'advertising' },
      response: sampleSenderRule,
    },
  }),
  checkSender: defineRoute({
    id: 'email.checkSender',
    method: 'POST',
    path: '/email/senders/check',
    summary: 'Check whether email from a sender is accepted',
    ...read,
    body: s.checkSenderBody,
    responses: { 200: s.checkSenderResponse },
    errors: [...accessErrors],
    example: {
      body: { email: 'offers@spam.example' },
      response: { allowed: false, reason: 'advertising', matchedRule: sampleSenderRule },
    },
  }),
  removeSender: defineRoute({
    id: 'email.removeSender',
    method: 'DELETE',
    path: '/email/senders/:pattern',
    summary: 'Delete the rule of a pattern',
    ...write,
    params: s.senderRuleParams,
    notFound,
    responses: { 204: null },
    errors: [...accessErrors],
    example: { params: { pattern: '*@spam.example' }, response: null },
  }),
  inbound: defineRoute({
    id: 'email.inbound',
    method: 'POST',
    path: '/email/inbound',
    summary: 'Submit a raw MIME message, for relays without SMTP',
    description:
      'The message is durable when the response arrives, and processed soon after. Without ' +
      'verified=true the sender counts as authenticated only if DKIM, or SPF for `sender` and ' +
      '`ip`, authenticates the domain of the From field. With an owner, the email becomes a ' +
      'memory of this owner, and its commands reach nothing else; if the rule of its sender ' +
      'names another one, it is rejected. Keys that are limited to spaces are rejected.',
    access: 'admin',
    endpointLimit: 'email',
    requestType: { type: 'message/rfc822', bytesMax: limits.mailBytesMax },
    query: s.inboundQuery,
    responses: { 202: s.inboundMailResponse },
    errors: [...accessErrors, 'not_found'],
    example: { response: { history_id: mailId, status: 'received' } },
  }),
} as const;

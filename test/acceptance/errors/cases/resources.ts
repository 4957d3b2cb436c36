import type { Client } from '@mneme/sdk';
import { expect } from 'vitest';
import { absentId, type ErrorCase, prepareRequest, someId } from '../error-case.ts';

const createMemory = (client: Client, body: Parameters<Client['memories']['create']>[0]['body']) =>
  client.memories.create({ body });

const missing: readonly ErrorCase[] = [
  {
    code: 'not_found',
    where: 'there is no such job',
    route: 'jobs.get',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `GET /jobs/${absentId}`, { key });
    },
  },
  {
    code: 'not_found',
    where: 'there is no such API key',
    route: 'keys.revoke',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `DELETE /api-keys/${absentId}`, { key });
    },
  },
  {
    code: 'not_found',
    where: 'there is no such account',
    route: 'admin.getAccount',
    provoke: async (stage) =>
      prepareRequest(stage, `GET /admin/accounts/${absentId}`, { key: stage.service.adminKey }),
  },
  {
    code: 'not_found',
    where: 'a memory is to join a session that there is not',
    route: 'memories.create',
    details: { session_id: absentId },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'POST /memories', {
        key,
        body: { content: 'x', session_id: absentId },
      });
    },
  },
  {
    code: 'memory_not_found',
    where: 'there is no such memory',
    route: 'memories.get',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `GET /memories/${absentId}`, { key });
    },
  },
  {
    code: 'memory_not_found',
    where: 'the id of a memory is none',
    route: 'memories.remove',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'DELETE /memories/nonsense', { key });
    },
  },
  {
    code: 'memory_not_found',
    where: 'the memory belongs to another account',
    route: 'memories.get',
    async provoke(stage) {
      const theirs = await stage.service.createAccount();
      const { id } = await createMemory(theirs.client, { content: 'theirs' });
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `GET /memories/${id}`, { key });
    },
  },
  {
    code: 'space_not_found',
    where: 'there is no such space',
    route: 'spaces.update',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `PATCH /spaces/${absentId}`, { key, body: { name: 'x' } });
    },
  },
  {
    code: 'space_not_found',
    where: 'a memory is to be stored in a space that there is not',
    route: 'memories.create',
    details: { space_id: absentId },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'POST /memories', {
        key,
        body: { content: 'x', space_id: absentId },
      });
    },
  },
  {
    code: 'space_not_found',
    where: 'a key is to be limited to a space that there is not',
    route: 'keys.create',
    details: { space_ids: [absentId] },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'POST /api-keys', {
        key,
        body: { name: 'x', space_ids: [absentId] },
      });
    },
  },
];

const conflicts: readonly ErrorCase[] = [
  {
    code: 'conflict',
    where: 'a soft-deleted memory is changed',
    route: 'memories.update',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createMemory(client, { content: 'deleted' });
      await client.memories.remove({ params: { id }, query: { soft: true } });
      return prepareRequest(stage, `PATCH /memories/${id}`, { key, body: { priority: 1 } });
    },
  },
  {
    code: 'conflict',
    where: 'a revoked key is rotated',
    route: 'keys.rotate',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await client.keys.create({ body: { name: 'revoked' } });
      await client.keys.revoke({ params: { id } });
      return prepareRequest(stage, `POST /api-keys/${id}/rotate`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'the operator suspends its own account',
    route: 'admin.updateAccount',
    async provoke(stage) {
      const { id } = await stage.service.client().account.get();
      const key = stage.service.adminKey;
      return prepareRequest(stage, `PATCH /admin/accounts/${id}`, {
        key,
        body: { suspended: true },
      });
    },
  },
  {
    code: 'duplicate_memory',
    where: 'the same content is stored twice',
    route: 'memories.create',
    details: { memory_id: someId },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await createMemory(client, { content: 'twice' });
      return prepareRequest(stage, 'POST /memories', { key, body: { content: 'twice' } });
    },
  },
  {
    code: 'duplicate_memory',
    where: 'an item of an atomic bulk is there already',
    route: 'memories.bulkCreate',
    details: { memory_id: someId, index: 1 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await createMemory(client, { content: 'twice' });
      const body = { memories: [{ content: 'new' }, { content: 'twice' }] };
      return prepareRequest(stage, 'POST /memories/bulk?atomic=true', { key, body });
    },
  },
  {
    code: 'space_already_exists',
    where: 'the name of a space is taken',
    route: 'spaces.create',
    details: { name: 'taken' },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      await client.spaces.create({ body: { name: 'taken' } });
      return prepareRequest(stage, 'POST /spaces', { key, body: { name: 'taken' } });
    },
  },
  {
    code: 'space_not_empty',
    where: 'a space that holds memories is removed',
    route: 'spaces.remove',
    details: { count: 1, soft_deleted: 0 },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await client.spaces.create({ body: { name: 'full' } });
      await createMemory(client, { content: 'x', space_id: id });
      return prepareRequest(stage, `DELETE /spaces/${id}`, { key });
    },
  },
];

const protectedMemories: readonly ErrorCase[] = [
  {
    code: 'confirmation_required',
    where: 'a softly protected memory is deleted',
    route: 'memories.remove',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createMemory(client, { content: 'soft', protection_level: 'soft' });
      return prepareRequest(stage, `DELETE /memories/${id}`, { key });
    },
  },
  {
    code: 'confirmation_required',
    where: 'an account is deleted without confirm=true',
    route: 'admin.deleteAccount',
    async provoke(stage) {
      const { id } = await stage.service.createAccount();
      return prepareRequest(stage, `DELETE /admin/accounts/${id}`, { key: stage.service.adminKey });
    },
  },
  {
    code: 'memory_protected',
    where: 'a hard protected memory is changed, confirmed or not',
    route: 'memories.update',
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createMemory(client, { content: 'hard', protection_level: 'hard' });
      return prepareRequest(stage, `PATCH /memories/${id}?confirm=true`, {
        key,
        body: { priority: 1 },
      });
    },
  },
  {
    code: 'precondition_failed',
    where: 'the memory has another ETag by now',
    route: 'memories.update',
    details: { etag: '"2"' },
    async provoke(stage) {
      const { client, key } = await stage.service.createAccount();
      const { id } = await createMemory(client, { content: 'changed' });
      await client.memories.update({ params: { id }, body: { priority: 1 } });
      const headers = { 'if-match': '"1"' };
      return prepareRequest(stage, `PATCH /memories/${id}`, {
        key,
        headers,
        body: { priority: 2 },
      });
    },
  },
  {
    code: 'content_too_large',
    where: 'the content is over the limit of the plan',
    route: 'memories.create',
    details: { max_bytes: 32_768, received_bytes: 32_769 },
    async provoke(stage) {
      const { key } = await stage.service.createAccount('pro');
      return prepareRequest(stage, 'POST /memories', {
        key,
        body: { content: 'x'.repeat(32_769) },
      });
    },
  },
  {
    code: 'invalid_embedding',
    where: 'the embedding has another length than those of the model',
    route: 'memories.create',
    details: { expected_dimensions: expect.any(Number), received_dimensions: 3 },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'POST /memories', {
        key,
        body: { content: 'x', embedding: [1, 2, 3] },
      });
    },
  },
];

const archives: readonly ErrorCase[] = [
  {
    code: 'invalid_archive',
    where: 'the archive is none',
    route: 'transfers.import',
    details: { reason: 'foreign', entry: null },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      const headers = { 'content-type': 'application/gzip' };
      return prepareRequest(stage, 'POST /import', { key, headers, body: 'no archive' });
    },
  },
];

export const resources: readonly ErrorCase[] = [
  ...archives,
  ...missing,
  ...conflicts,
  ...protectedMemories,
];

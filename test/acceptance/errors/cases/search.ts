import { absentId, type ErrorCase, prepareRequest } from '../error-case.ts';

const preset = (name: string): string => `/search/pipelines/${name}`;

export const search: readonly ErrorCase[] = [
  {
    code: 'validation_error',
    where: 'a search names a pipeline that there is not',
    route: 'search.post',
    details: {
      fields: {
        pipeline: {
          code: 'invalid_enum_value',
          message: 'must be one of precise, balanced, broad',
          received: 'turbo',
        },
      },
    },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'POST /search', { key, body: { q: 'x', pipeline: 'turbo' } });
    },
  },
  {
    code: 'not_found',
    where: 'there is no such search preset',
    route: 'search.removePreset',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `DELETE ${preset('turbo')}`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'a built-in pipeline is to be replaced',
    route: 'search.putPreset',
    details: { name: 'precise' },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `PUT ${preset('precise')}`, { key, body: {} });
    },
  },
  {
    code: 'quota_exceeded',
    where: 'an account has all the search presets that it may have',
    route: 'search.putPreset',
    details: { quota: 'search_presets', limit: 100, used: 100 },
    async provoke(stage) {
      const { key, client } = await stage.service.createAccount();
      for (let i = 0; i < 100; i += 1) {
        await client.search.putPreset({ params: { name: `preset-${i}` }, body: {} });
      }
      return prepareRequest(stage, `PUT ${preset('one-more')}`, { key, body: {} });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a key of one space is to change a preset of the whole account',
    route: 'search.putPreset',
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { id } = await client.spaces.create({ body: { name: 'own' } });
      const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [id] } });
      return prepareRequest(stage, `PUT ${preset('desk')}`, { key, body: {} });
    },
  },
  {
    code: 'memory_not_found',
    where: 'memories like one are asked for that there is not',
    route: 'search.similar',
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, `GET /search/similar/${absentId}`, { key });
    },
  },
  {
    code: 'validation_error',
    where: 'buckets of time have no size',
    route: 'search.aggregate',
    details: {
      fields: {
        bucket_size: { code: 'required', message: 'is required when group_by is time_bucket' },
      },
    },
    async provoke(stage) {
      const { key } = await stage.service.createAccount();
      return prepareRequest(stage, 'GET /search/aggregate?query=x&group_by=time_bucket', { key });
    },
  },
];

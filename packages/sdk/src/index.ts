export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { MnemeError } from './errors.ts';
export { paginate } from './paginate.ts';
export type { RawAnswer, RawRequest } from './transport.ts';

import { routes } from '@mneme/contract';
import { handle } from '../../handle.ts';
import {
  createAddress,
  deactivateAddress,
  getAddress,
  listAddresses,
  rotateAddress,
} from './manage.ts';

const { email } = routes;

export const addressHandlers = [
  handle(email.getAddress, (ctx) => getAddress(ctx)),
  handle(email.createAddress, (ctx, { body }) => createAddress(ctx, body)),
  handle(email.rotateAddress, (ctx, { body }) => rotateAddress(ctx, body)),
  handle(email.listAddresses, (ctx, { query }) => listAddresses(ctx, query)),
  handle(email.deactivateAddress, (ctx) => deactivateAddress(ctx)),
];

import { routes } from '@mneme/contract';
import { createHandler } from '../../handler.ts';
import {
  createAddress,
  deactivateAddress,
  getAddress,
  listAddresses,
  rotateAddress,
} from './manage.ts';

const { email } = routes;

export const addressRouteHandlers = [
  createHandler(email.getAddress, (ctx) => getAddress(ctx)),
  createHandler(email.createAddress, (ctx, { body }) => createAddress(ctx, body)),
  createHandler(email.rotateAddress, (ctx, { body }) => rotateAddress(ctx, body)),
  createHandler(email.listAddresses, (ctx, { query }) => listAddresses(ctx, query)),
  createHandler(email.deactivateAddress, (ctx) => deactivateAddress(ctx)),
];

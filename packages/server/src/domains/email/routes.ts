import { addressHandlers } from './addresses/routes.ts';

export const emailHandlers = [...addressHandlers];

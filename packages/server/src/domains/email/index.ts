export { emailHandlers } from './routes.ts';

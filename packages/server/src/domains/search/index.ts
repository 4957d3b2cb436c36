export { searchHandlers } from './routes.ts';

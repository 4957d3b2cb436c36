export { spaceCheck } from './checks.ts';
export { findSpaces } from './find.ts';
export {
  eraseSpaces,
  removeSpace,
  removingSpace,
  requireSpaces,
  requireUsableSpace,
} from './manage.ts';
export { spaceHandlers } from './routes.ts';
export { existingSpaces, findSpaceByName } from './store.ts';

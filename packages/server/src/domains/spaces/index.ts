export { listUsableSpaceNames, listUsableSpaces, searchSpaces } from './find.ts';
export {
  beforeSpaceRemove,
  removeSpace,
  requireExistingSpaces,
  requireUsableSpace,
} from './manage.ts';
export { resolveSpaceNames } from './resolve-names.ts';
export { findExistingSpaces, findSpaceIdsByName } from './store/spaces.ts';

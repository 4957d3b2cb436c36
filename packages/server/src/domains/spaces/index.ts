export { listUsableSpaceNames, listUsableSpaces, searchSpaces } from './find.ts';
export { importSpace } from './import.ts';
export {
  beforeSpaceRemove,
  removeSpace,
  requireExistingSpaces,
  requireUsableSpace,
} from './manage.ts';
export { resolveSpaceNames } from './resolve-names.ts';
export { findExistingSpaces, findSpace, findSpaceIdsByName } from './store/spaces.ts';

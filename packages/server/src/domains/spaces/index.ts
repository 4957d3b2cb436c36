export { searchSpaces } from './find.ts';
export {
  beforeSpaceRemove,
  removeSpace,
  requireExistingSpaces,
  requireUsableSpace,
} from './manage.ts';
export { findExistingSpaces, findSpaceByName } from './store/spaces.ts';

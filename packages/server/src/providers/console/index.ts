export { ensureConsoleBuilt, type FileEncoding, readConsoleFile } from './console-files.ts';

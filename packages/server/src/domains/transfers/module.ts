import { collectReferencedBlobs } from '../blobs/index.ts';
import type { Module } from '../module.ts';
import { extractImported, extractImportedKind } from './import/extract-imported.ts';
import { importKind, runImport } from './import/run-import.ts';
import { collectImportedArchives } from './referenced-archives.ts';
import { transferRouteHandlers } from './routes.ts';

export const transferModule = {
  name: 'transfers',
  handlers: transferRouteHandlers,
  jobs: {
    [importKind]: {
      run: runImport,
      // Its archive is erased with the job's end.
      restartedBy: 'POST /import',
      backoffSeconds: [5, 60, 600],
      queue: 'imports',
    },
    [extractImportedKind]: { run: extractImported, backoffSeconds: [5, 60, 600] },
  },
  registerHooks(app) {
    collectReferencedBlobs.on(app, collectImportedArchives);
  },
} satisfies Module;

/** Entry point of a child process: creates the database in the folder it receives, then exits. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { openPglite, preparationStatements } from './pglite.ts';
import { syncPath, syncTree } from './sync-files.ts';

const [folder] = (await once(process, 'message')) as [string];

// Written under another name first, so that a kill leaves either nothing or a complete database.
const unfinished = `${folder}.new`;
fs.rmSync(unfinished, { recursive: true, force: true });
fs.mkdirSync(unfinished, { mode: 0o700 });
const database = await openPglite(unfinished, {
  onSync() {},
  onWalSegment() {},
  onWalFlush() {},
  onFatalError(reason) {
    process.stderr.write(reason);
    process.exit(1);
  },
});
// One at a time: a database cannot be removed in a transaction.
for (const statement of preparationStatements) await database.exec(statement);
await database.close();
syncTree(unfinished);
fs.renameSync(unfinished, folder);
syncPath(path.dirname(folder));
process.exit(0);

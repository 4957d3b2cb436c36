#!/usr/bin/env node
// Runs at the end of `npm ci`. Everything works without it, so that it never fails an installation.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const builder = fileURLToPath(new URL('../../console/bin/build.mjs', import.meta.url));
try {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    const { prepareInstallation } = await import('../src/commands/prepare-installation.ts');
    await prepareInstallation();
    execFileSync(process.execPath, [builder], { stdio: 'inherit' });
  }
} catch (error) {
  console.error(`mneme: the first start will take longer: ${error}`);
}

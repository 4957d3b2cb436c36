#!/usr/bin/env node
// Runs at the end of `npm ci`. Everything works without it, so that it never fails an installation.
try {
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    const { prepareInstallation } = await import('../src/commands/prepare-installation.ts');
    await prepareInstallation();
  }
} catch (error) {
  console.error(`mneme: the first start will take longer: ${error}`);
}

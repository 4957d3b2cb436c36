import type { Finding, RuleName, SourceFile } from './finding.ts';
import { checkContract, checkDomains, checkMigrations } from './folders.ts';
import { checkImportCycles } from './import-cycles.ts';
import { checkLayers, checkVendorImports } from './layers.ts';
import { checkLock } from './lock.ts';
import { checkExportedNames, checkNames, checkSyntax } from './names.ts';
import { checkPortability } from './portability.ts';
import { checkConsole, checkPurity } from './purity.ts';
import { checkSize } from './size.ts';
import { checkSql } from './sql.ts';
import { checkTests } from './tests.ts';
import { checkWording } from './wording.ts';

export type Rule = (files: readonly SourceFile[]) => Finding[];

/** Each rule of the house is a pure function of the files. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  layers: checkLayers,
  vendors: checkVendorImports,
  sql: checkSql,
  impure: checkPurity,
  console: checkConsole,
  size: checkSize,
  circles: checkImportCycles,
  names: (files) => [...checkNames(files), ...checkExportedNames(files)],
  syntax: checkSyntax,
  tests: checkTests,
  domains: checkDomains,
  contract: checkContract,
  migrations: checkMigrations,
  text: checkPortability,
  lock: checkLock,
  wording: checkWording,
};

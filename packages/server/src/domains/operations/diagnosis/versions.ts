import { type Engine, readPostgresVersion, type SchemaState } from '../../../database/index.ts';
import type { CheckResult } from './report.ts';

/** Versions of Node and PostgreSQL, and of the schema if known. */
export async function checkVersions(engine: Engine, schema?: SchemaState): Promise<CheckResult> {
  const versions = [
    `Node ${process.versions.node}`,
    `PostgreSQL ${await readPostgresVersion(engine)}`,
    ...(schema ? [describeSchema(schema)] : []),
  ];
  return { detail: versions.join(', ') };
}

function describeSchema({ version, newest, pending }: SchemaState): string {
  const next = pending.length === 0 ? '' : ` (the next start upgrades it to ${newest})`;
  return `schema version ${version}${next}`;
}

import type { ErasureKind } from '@mneme/contract';
import type { ColumnType, Generated } from 'kysely';

interface InstanceSettings {
  name: string;
  value: string;
}

interface Erasures {
  kind: ErasureKind;
  id: string;
  account_id: string;
  erased_at: Date;
  content_removed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

interface LiveProcesses {
  id: string;
  url: string;
  release: string;
  started_at: Date;
  heartbeat_at: Date;
}

interface WorkerHeartbeats {
  is_only: Generated<boolean>;
  heartbeat_at: Date;
}

/** Tables of the whole instance, independent of accounts. */
export interface InstanceTables {
  installation: InstanceSettings;
  erasures: Erasures;
  live_processes: LiveProcesses;
  worker_heartbeats: WorkerHeartbeats;
}

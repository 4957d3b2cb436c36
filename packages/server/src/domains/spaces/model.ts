import type { Space } from '@mneme/contract';

export interface SpaceRecord {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Record<string, unknown>;
  readonly memory_lifetime_days: number | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const presentSpace = (space: SpaceRecord): Space => ({
  id: space.id,
  name: space.name,
  description: space.description,
  metadata: space.metadata,
  memory_lifetime_days: space.memory_lifetime_days,
  created_at: space.created_at.toISOString(),
  updated_at: space.updated_at.toISOString(),
});

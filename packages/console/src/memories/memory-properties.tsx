import type { Memory, Space } from '@mneme/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Code } from '../ui/code.tsx';
import { Time } from '../ui/time.tsx';

const Property = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const optionalTime = (name: string, value: string | null) =>
  value === null ? null : (
    <Property name={name}>
      <Time value={value} />
    </Property>
  );
const optionalText = (name: string, value: string | null) =>
  value === null ? null : <Property name={name}>{value}</Property>;

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

export function MemoryProperties({ memory, spaces }: { memory: Memory; spaces: readonly Space[] }) {
  const space = spaces.find(({ id }) => id === memory.space_id);
  const hasMetadata = Object.keys(memory.metadata).length > 0;
  return (
    <dl className="properties">
      <Property name="Space">{space?.name ?? memory.space_id ?? 'None'}</Property>
      <Property name="Tags">
        {memory.tags.length === 0
          ? 'None'
          : memory.tags.map((tag) => (
              <span key={tag} className="tag">
                <span>{tag}</span>
              </span>
            ))}
      </Property>
      <Property name="Priority">{memory.priority} of 10</Property>
      {memory.salience !== null && <Property name="Salience">{percent(memory.salience)}</Property>}
      {memory.quality_score !== null && (
        <Property name="Quality">{percent(memory.quality_score)}</Property>
      )}
      <Property name="Protection">
        {memory.protection_level}
        {memory.is_pinned && ', pinned'}
      </Property>
      <Property name="Type">{memory.content_type}</Property>
      {memory.session_id !== null && (
        <Property name="Session">
          <Link to="/timeline" search={{ session: memory.session_id }}>
            Open session
          </Link>
        </Property>
      )}
      {optionalText('User', memory.user_id)}
      {optionalText('Agent', memory.agent_id)}
      {optionalText('Run', memory.run_id)}
      <Property name="Stored">
        <Time value={memory.created_at} />
      </Property>
      {optionalTime('Occurred', memory.occurred_at)}
      {memory.updated_at !== memory.created_at && optionalTime('Changed', memory.updated_at)}
      {optionalTime('Verified', memory.verified_at)}
      {optionalTime('Deleted', memory.deleted_at)}
      {optionalTime('Expires', memory.expires_at)}
      {hasMetadata && (
        <Property name="Metadata">
          <Code>{JSON.stringify(memory.metadata, null, 2)}</Code>
        </Property>
      )}
      <Property name="Id">
        <code>{memory.id}</code>
      </Property>
    </dl>
  );
}

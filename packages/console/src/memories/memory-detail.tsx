import { type Memory, operations, type Space } from '@mneme/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcuts } from '../layout/shortcuts.ts';
import { useClient } from '../session/session-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Deletion } from './delete-dialog.tsx';
import { MemoryChanges } from './memory-changes.tsx';
import { MemoryEditor } from './memory-editor.tsx';
import { MemoryFacts } from './memory-facts.tsx';
import { MemoryLinks } from './memory-links.tsx';
import { MemoryProperties } from './memory-properties.tsx';
import { memoryKey } from './use-memories.ts';
import type { MemoryActions } from './use-memory-actions.ts';

interface MemoryDetailProps {
  readonly id: string;
  readonly spaces: readonly Space[];
  readonly actions: MemoryActions;
  readonly run: (action: Promise<unknown>) => void;
  readonly isEditing: boolean;
  readonly setIsEditing: (isEditing: boolean) => void;
  readonly onOpen: (id: string | undefined) => void;
  readonly requestDeletion: (deletion: Deletion) => void;
}

export function MemoryDetail(props: MemoryDetailProps) {
  const { id, onOpen } = props;
  const client = useClient();
  const navigate = useNavigate();
  useShortcuts({
    g: () => void navigate({ to: '/graph', search: { memory: id } }),
    w: () => void navigate({ to: '/search', search: { why: id } }),
  });
  const detail = useQuery({
    queryKey: memoryKey(id),
    queryFn: async ({ signal }) => {
      const { body, headers } = await client.raw(
        operations.memories.get,
        { params: { id } },
        { signal },
      );
      return { memory: body, etag: headers.get('etag') };
    },
  });
  return (
    <section id="memory-detail" className="detail" aria-label="Memory" tabIndex={-1}>
      <div className="detail-head">
        <IconButton icon="back" label="Back to the list" onClick={() => onOpen(undefined)} />
        {detail.data && <DetailActions {...props} memory={detail.data.memory} />}
      </div>
      {detail.isPending && <DetailSkeleton />}
      {detail.isError && <ErrorNotice error={detail.error} retry={detail.refetch} />}
      {detail.data && <DetailContent {...props} {...detail.data} />}
    </section>
  );
}

const DetailSkeleton = () => (
  <div className="detail-skeleton" role="status" aria-label="Loading the memory">
    {[92, 100, 64].map((width) => (
      <span key={width} className="skeleton" style={{ width: `${width}%` }} />
    ))}
  </div>
);

function DetailActions(props: MemoryDetailProps & { memory: Memory }) {
  const { memory, actions, run, setIsEditing, requestDeletion } = props;
  const ids = [memory.id];
  if (memory.is_deleted) {
    return (
      <div className="detail-actions">
        <Button writes icon="restore" onClick={() => run(actions.restore(ids))}>
          Restore
        </Button>
        <Button
          writes
          icon="trash"
          kind="quiet"
          onClick={() => requestDeletion({ ids, isPermanent: true })}
        >
          Delete permanently
        </Button>
      </div>
    );
  }
  const isProtected = memory.protection_level !== 'none';
  const remove = () => {
    if (isProtected) requestDeletion({ ids, isPermanent: false });
    else run(actions.remove(ids, false));
  };
  return (
    <div className="detail-actions">
      <Button writes icon="edit" onClick={() => setIsEditing(true)}>
        Edit
      </Button>
      <IconButton
        writes
        icon="pin"
        label={memory.is_pinned ? 'Unpin' : 'Pin: exempt it from decay'}
        aria-pressed={memory.is_pinned}
        onClick={() => run(actions.setPinned(memory, !memory.is_pinned))}
      />
      <IconButton
        writes
        icon="lock"
        label={isProtected ? 'Remove protection' : 'Protect against deletion'}
        aria-pressed={isProtected}
        onClick={() => run(actions.setProtection(memory, isProtected ? 'none' : 'soft'))}
      />
      <IconButton writes icon="trash" label="Delete" onClick={remove} />
    </div>
  );
}

function DetailContent(props: MemoryDetailProps & { memory: Memory; etag: string | null }) {
  const { memory, etag, spaces, isEditing, setIsEditing, onOpen } = props;
  if (isEditing && !memory.is_deleted) {
    return (
      <MemoryEditor
        memory={memory}
        etag={etag}
        spaces={spaces}
        onClose={() => setIsEditing(false)}
      />
    );
  }
  return (
    <>
      {memory.outdated_by !== null && <OutdatedNote id={memory.outdated_by} onOpen={onOpen} />}
      <Content key={memory.updated_at} text={memory.content} />
      <Tabs
        label="About this memory"
        tabs={[
          {
            id: 'properties',
            label: 'Properties',
            content: () => <MemoryProperties memory={memory} spaces={spaces} />,
          },
          {
            id: 'links',
            label: 'Links',
            content: () => <MemoryLinks id={memory.id} onOpen={onOpen} />,
          },
          { id: 'facts', label: 'Facts', content: () => <MemoryFacts id={memory.id} /> },
          { id: 'changes', label: 'Changes', content: () => <MemoryChanges memory={memory} /> },
          {
            id: 'json',
            label: 'JSON',
            content: () => <Code>{JSON.stringify(memory, null, 2)}</Code>,
          },
        ]}
      />
      <p className="hint">
        Not found when it should be?{' '}
        <Link to="/search" search={{ why: memory.id }}>
          See why in a search
        </Link>
      </p>
    </>
  );
}

const OutdatedNote = ({ id, onOpen }: { id: string; onOpen: (id: string) => void }) => (
  <p className="outdated">
    <span className="tag" data-tone="warn">
      outdated
    </span>{' '}
    A newer memory replaces this one.{' '}
    <button type="button" className="link" onClick={() => onOpen(id)}>
      Open the newer one
    </button>
  </p>
);

/** Long texts are shown in part, so that a page with a megabyte stays fast. */
const shownCharactersMax = 4_000;

function Content({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > shownCharactersMax;
  return (
    <div className="content">
      <p dir="auto">{isLong && !isWhole ? `${text.slice(0, shownCharactersMax)}…` : text}</p>
      {isLong && (
        <button type="button" className="link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`}
        </button>
      )}
    </div>
  );
}

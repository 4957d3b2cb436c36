import type { Memory } from '@mneme/sdk';
import { memo } from 'react';
import { Icon } from '../ui/icons.tsx';
import { useIsReadOnly } from '../ui/read-only.ts';
import { Time } from '../ui/time.tsx';

/** A row shows two lines; a text can have a megabyte. */
const shownCharactersMax = 400;
const shownTagsMax = 4;

interface MemoryRowProps {
  readonly memory: Memory;
  readonly id: string;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly spaceName: string | undefined;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onOpen: (index: number) => void;
  readonly onSelect: (index: number, isRange: boolean) => void;
}

export const MemoryRow = memo((props: MemoryRowProps) => {
  const isReadOnly = useIsReadOnly();
  const { memory, id, index, count, top, spaceName, isActive, isSelected } = props;
  const { content, tags } = memory;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of its options.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="row"
      data-active={isActive || undefined}
      data-deleted={memory.is_deleted || undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={({ target, shiftKey }) => {
        if ((target as Element).closest('[data-check]')) props.onSelect(index, shiftKey);
        else props.onOpen(index);
      }}
    >
      {!isReadOnly && (
        <span className="row-check" data-check="">
          <i>{isSelected && <Icon name="check" size={12} />}</i>
        </span>
      )}
      <span className="row-text" dir="auto">
        {content.slice(0, shownCharactersMax)}
      </span>
      <span className="row-facts">
        {memory.is_deleted && (
          <span className="tag" data-tone="danger">
            deleted
          </span>
        )}
        {memory.outdated_by !== null && (
          <span className="tag" data-tone="warn">
            outdated
          </span>
        )}
        {memory.is_pinned && <Icon name="pin" size={13} />}
        {memory.protection_level !== 'none' && <Icon name="lock" size={13} />}
        {tags.slice(0, shownTagsMax).map((tag) => (
          <span key={tag} className="tag">
            <span>{tag}</span>
          </span>
        ))}
        {tags.length > shownTagsMax && <span className="hint">+{tags.length - shownTagsMax}</span>}
        <span className="row-place">
          {memory.content_type !== 'text' && <span>{memory.content_type}</span>}
          {spaceName !== undefined && <span className="row-space">{spaceName}</span>}
          <Time value={memory.created_at} isRelative />
        </span>
      </span>
    </div>
  );
});

import type { MemoryFacets, Space } from '@mneme/sdk';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { FilterSelect, type Option } from '../ui/filter-select.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import {
  type Age,
  ageNames,
  type ContentType,
  contentTypeName,
  contentTypes,
  countFilters,
  leastPriorities,
  type MemoryFilters,
  type Sort,
  sorts,
} from './filters.ts';

interface FilterBarProps {
  readonly filters: MemoryFilters;
  readonly spaces: readonly Space[];
  /** Undefined: not counted yet. */
  readonly facets: MemoryFacets | undefined;
  readonly onChange: (filters: MemoryFilters) => void;
}

const sortNames: Readonly<Record<Sort, string>> = {
  created_at: 'Newest first',
  updated_at: 'Last changed',
  occurred_at: 'Time of the content',
  priority: 'Priority',
  salience: 'Salience',
};

/** Counts of options; values that no memory has count 0. */
function countsOf(facets: MemoryFacets | undefined) {
  if (facets === undefined) {
    return { ofSpace: () => undefined, ofType: () => undefined, ofPriority: () => undefined };
  }
  const spaces = new Map(facets.spaces.map(({ space_id, count }) => [space_id, count]));
  const types = new Map(facets.content_types.map((each) => [each.content_type, each.count]));
  return {
    ofSpace: (id: string | null) => spaces.get(id) ?? 0,
    ofType: (type: ContentType) => types.get(type) ?? 0,
    ofPriority: (least: number) =>
      facets.priorities.reduce(
        (sum, { priority, count }) => sum + (priority >= least ? count : 0),
        0,
      ),
  };
}

/** Filters of the list; on narrow screens behind a button. */
export function FilterBar(props: FilterBarProps) {
  const { filters, facets, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  const set = (change: Partial<MemoryFilters>) => onChange({ ...filters, ...change });
  const count = countFilters(filters);
  return (
    <>
      <div className="filter-toggle">
        <Button icon="filter" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Filters{count > 0 && ` (${count})`}
        </Button>
      </div>
      <fieldset className="filters" data-open={isOpen || undefined} aria-label="Filters">
        <FilterSelects {...props} set={set} />
        <div className="filter-tags">
          <TagInput
            label="Tags"
            placeholder="Tags"
            suggestions={facets?.tags ?? []}
            value={filters.tags ?? []}
            onChange={(tags) => set({ tags: tags.length > 0 ? tags : undefined })}
          />
        </div>
        <FilterButtons filters={filters} onChange={onChange} />
        <FilterSelect
          label="Order"
          value={filters.sort ?? 'created_at'}
          options={sorts.map((sort) => [sort, sortNames[sort]])}
          onChange={(sort) => set({ sort: sort === 'created_at' ? undefined : (sort as Sort) })}
        />
      </fieldset>
    </>
  );
}

interface FilterSelectsProps extends FilterBarProps {
  readonly set: (change: Partial<MemoryFilters>) => void;
}

function FilterSelects({ filters, spaces, facets, set }: FilterSelectsProps) {
  const { ofSpace, ofType, ofPriority } = countsOf(facets);
  const ofSpaces = spaces.map(({ id, name }): Option => [id, name, ofSpace(id)]);
  return (
    <>
      <FilterSelect
        label="Space"
        empty="All spaces"
        value={filters.space}
        options={[['default', 'No space', ofSpace(null)], ...ofSpaces]}
        onChange={(space) => set({ space })}
      />
      <FilterSelect
        label="Type"
        empty="All types"
        value={filters.type}
        options={contentTypes.map((type) => [type, contentTypeName(type), ofType(type)])}
        onChange={(type) => set({ type: type as ContentType | undefined })}
      />
      <FilterSelect
        label="Time"
        empty="Any time"
        value={filters.age}
        options={Object.entries(ageNames)}
        onChange={(age) => set({ age: age as Age | undefined })}
      />
      <FilterSelect
        label="Priority"
        empty="Any priority"
        value={filters.priority?.toString()}
        options={leastPriorities.map((priority) => [
          String(priority),
          `Priority ${priority} or more`,
          ofPriority(priority),
        ])}
        onChange={(priority) => set({ priority: priority ? Number(priority) : undefined })}
      />
    </>
  );
}

type FilterButtonsProps = Pick<FilterBarProps, 'filters' | 'onChange'>;

const FilterButtons = ({ filters, onChange }: FilterButtonsProps) => (
  <>
    <Button
      aria-pressed={filters.pinned === true}
      onClick={() => onChange({ ...filters, pinned: filters.pinned ? undefined : true })}
    >
      Pinned
    </Button>
    <Button
      aria-pressed={filters.deleted === true}
      onClick={() => onChange({ ...filters, deleted: filters.deleted ? undefined : true })}
    >
      With deleted
    </Button>
    {countFilters(filters) > 0 && (
      <Button kind="quiet" onClick={() => onChange({ sort: filters.sort, id: filters.id })}>
        Clear
      </Button>
    )}
  </>
);

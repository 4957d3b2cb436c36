import type { Space } from '@mneme/sdk';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TagInput } from '../ui/tag-input.tsx';
import {
  type Age,
  type ContentType,
  contentTypes,
  countFilters,
  type MemoryFilters,
  type Sort,
  sorts,
} from './filters.ts';

interface FilterBarProps {
  readonly filters: MemoryFilters;
  readonly spaces: readonly Space[];
  readonly onChange: (filters: MemoryFilters) => void;
}

const ageNames: Readonly<Record<Age, string>> = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last year',
};
const sortNames: Readonly<Record<Sort, string>> = {
  created_at: 'Newest first',
  updated_at: 'Last changed',
  occurred_at: 'Time of the content',
  priority: 'Priority',
  salience: 'Salience',
};

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly empty?: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string | undefined) => void;
}

const Select = ({ label, value, empty, options, onChange }: SelectProps) => (
  <select
    className="select"
    aria-label={label}
    value={value ?? ''}
    data-set={(value !== undefined && empty !== undefined) || undefined}
    onChange={(event) => onChange(event.target.value || undefined)}
  >
    {empty !== undefined && <option value="">{empty}</option>}
    {options.map(([key, name]) => (
      <option key={key} value={key}>
        {name}
      </option>
    ))}
  </select>
);

/** Filters of the list; on narrow screens behind a button. */
export function FilterBar({ filters, spaces, onChange }: FilterBarProps) {
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
        <Select
          label="Space"
          empty="All spaces"
          value={filters.space}
          options={[['default', 'No space'], ...spaces.map(({ id, name }) => [id, name] as const)]}
          onChange={(space) => set({ space })}
        />
        <Select
          label="Type"
          empty="All types"
          value={filters.type}
          options={contentTypes.map((type) => [type, type[0]?.toUpperCase() + type.slice(1)])}
          onChange={(type) => set({ type: type as ContentType | undefined })}
        />
        <Select
          label="Time"
          empty="Any time"
          value={filters.age}
          options={Object.entries(ageNames)}
          onChange={(age) => set({ age: age as Age | undefined })}
        />
        <Select
          label="Priority"
          empty="Any priority"
          value={filters.priority?.toString()}
          options={[3, 5, 7, 9].map((priority) => [
            String(priority),
            `Priority ${priority} or more`,
          ])}
          onChange={(priority) => set({ priority: priority ? Number(priority) : undefined })}
        />
        <div className="filter-tags">
          <TagInput
            label="Tags"
            placeholder="Tags"
            value={filters.tags ?? []}
            onChange={(tags) => set({ tags: tags.length > 0 ? tags : undefined })}
          />
        </div>
        <FilterButtons filters={filters} onChange={onChange} />
        <Select
          label="Order"
          value={filters.sort ?? 'created_at'}
          options={sorts.map((sort) => [sort, sortNames[sort]])}
          onChange={(sort) => set({ sort: sort === 'created_at' ? undefined : (sort as Sort) })}
        />
      </fieldset>
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

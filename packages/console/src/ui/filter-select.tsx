/** A value, its name, and how many memories the list would have with it. */
export type Option = readonly [value: string, name: string, count?: number | undefined];

interface FilterSelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly empty?: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string | undefined) => void;
}

/** A filter that is a choice; without a value it filters nothing. */
export const FilterSelect = ({ label, value, empty, options, onChange }: FilterSelectProps) => (
  <select
    className="select"
    aria-label={label}
    value={value ?? ''}
    data-set={(value !== undefined && empty !== undefined) || undefined}
    onChange={(event) => onChange(event.target.value || undefined)}
  >
    {empty !== undefined && <option value="">{empty}</option>}
    {options.map(([key, name, count]) => (
      <option key={key} value={key}>
        {count === undefined ? name : `${name} (${count.toLocaleString()})`}
      </option>
    ))}
  </select>
);

interface StatusSelectProps<T extends string> {
  /** Undefined: all. */
  readonly status: T | undefined;
  readonly statuses: readonly T[];
  readonly onChange: (status: T | undefined) => void;
}

/** Shows a list in one state, or in all. */
export const StatusSelect = <T extends string>({
  status,
  statuses,
  onChange,
}: StatusSelectProps<T>) => (
  <select
    className="select select-short"
    aria-label="State"
    value={status ?? ''}
    onChange={({ target }) => onChange(statuses.find((one) => one === target.value))}
  >
    <option value="">All states</option>
    {statuses.map((one) => (
      <option key={one} value={one}>
        {one.replaceAll('_', ' ')}
      </option>
    ))}
  </select>
);

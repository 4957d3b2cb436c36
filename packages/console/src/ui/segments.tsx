import { Button } from './button.tsx';

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
}

/** Buttons of which one is chosen. */
export const Segments = <T extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentsProps<T>) => (
  <fieldset className="segments" aria-label={label}>
    {options.map(([option, name]) => (
      <Button key={option} aria-pressed={option === value} onClick={() => onChange(option)}>
        {name}
      </Button>
    ))}
  </fieldset>
);

import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icons.tsx';

type ButtonKind = 'primary' | 'danger' | 'quiet' | 'plain';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
}

export const Button = ({ kind = 'plain', icon, children, ...props }: ButtonProps) => (
  <button type="button" className="button" data-kind={kind} {...props}>
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly kind?: ButtonKind;
}

export const IconButton = ({ icon, label, kind = 'quiet', ...props }: IconButtonProps) => (
  <button
    type="button"
    className="button"
    data-kind={kind}
    data-icon=""
    aria-label={label}
    title={label}
    {...props}
  >
    <Icon name={icon} />
  </button>
);

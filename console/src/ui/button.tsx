import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type' | 'icon'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  /** Shows that an action is running, and ignores further presses. */
  busy?: boolean
  type?: 'button' | 'submit'
  children?: ComponentChildren
}

/** A button with words. */
export function Button({ look = 'plain', icon, busy = false, type = 'button', children, class: name, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${look}${name ? ` ${name}` : ''}`}
      aria-busy={busy || undefined}
      {...(onClick && { onClick: (event) => !busy && onClick(event) })}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

/** A button that is only a picture. Its label is read out, and shown as a hint. */
export function IconButton({ label, icon, busy = false, class: name, ...rest }: ButtonProps & { label: string; icon: IconName }) {
  return (
    <button
      {...rest}
      type="button"
      class={`icon-button${name ? ` ${name}` : ''}`}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
    >
      <Icon name={icon} />
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  look = 'plain',
  icon,
  class: name,
  children,
}: {
  href: string
  look?: 'primary' | 'plain' | 'quiet'
  icon?: IconName
  class?: string
  children: ComponentChildren
}) {
  return (
    <a class={`button ${look}${name ? ` ${name}` : ''}`} href={href}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}

interface SwitchProps {
  label: string
  id: string
  checked: boolean
  /** The request that turns it off, or on. */
  put: string
  values: Record<string, string>
  target: string
  disabled?: boolean
}

/** Saved at once. */
export const Switch = ({ label, id, checked, put, values, target, disabled }: SwitchProps) => (
  <input
    class="switch"
    type="checkbox"
    role="switch"
    id={id}
    aria-label={label}
    checked={checked}
    disabled={disabled}
    hx-put={put}
    hx-trigger="change"
    hx-vals={JSON.stringify(values)}
    hx-target={target}
    hx-swap="outerMorph"
    hx-sync="this:drop"
  />
)

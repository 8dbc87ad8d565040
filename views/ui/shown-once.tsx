import { Button, ButtonLink } from './button.tsx'
import { Notice } from './feedback.tsx'

interface ShownOnceProps {
  /** Missing in a response that was replayed by its idempotency key. */
  secret?: string
  title?: string
  label: string
  copyLabel: string
  warning: { title: string; text: string }
  alreadyShown: { title: string; text: string }
  done: string
  children: JSX.Element
}

export const ShownOnce = ({
  secret,
  title,
  label,
  copyLabel,
  warning,
  alreadyShown,
  done,
  children,
}: ShownOnceProps) => (
  <made-key data-title={title}>
    <div class="body">
      {secret ? (
        <>
          <Notice tone="warning" {...warning} />
          <output class="mono" aria-label={label} safe>
            {secret}
          </output>
          <p class="muted small">{children}</p>
        </>
      ) : (
        <Notice {...alreadyShown} />
      )}
    </div>
    <footer>
      <span hidden hx-get={done} hx-trigger="done" hx-target="#main" hx-swap="innerMorph" />
      <span class="muted small" role="status" />
      <ButtonLink label="Done" variant="ghost" href={done} />
      {secret ? <Button label={copyLabel} icon="copy" variant="primary" autofocus data-copy /> : null}
    </footer>
  </made-key>
)

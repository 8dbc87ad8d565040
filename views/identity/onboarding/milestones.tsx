import type { Onboarding } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'

interface MilestonesProps {
  steps: Onboarding['steps']
  /** The step that is shown; null for none. */
  current: string | null
}

export const Milestones = ({ steps, current }: MilestonesProps) => (
  <ol class="milestones" aria-label="Steps">
    {steps.map(({ step, title, done, skipped }, at) => (
      <li
        data-state={done && step !== current ? 'done' : undefined}
        aria-current={step === current ? 'step' : undefined}
      >
        <span class="mark" aria-hidden="true">
          {done && step !== current ? <Icon name="check" /> : at + 1}
        </span>
        <span>
          {done ? <span class="visually-hidden">Done: </span> : null}
          {skipped ? <span class="visually-hidden">Skipped: </span> : null}
          <span safe>{title}</span>
        </span>
      </li>
    ))}
  </ol>
)

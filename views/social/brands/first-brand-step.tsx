import type { Brand } from '#social/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Form, ReadOnlyField, TextField, ZoneField } from '#views/ui/form.tsx'
import { StepCard, StepFooter, StepLinks } from '#views/ui/step-card.tsx'

interface FirstBrandStepProps {
  /** The one that exists. */
  brand: Pick<Brand, 'name' | 'timeZone'> | null
  /** Of the organization. */
  timeZone: string | null
  frame: StepFrame
}

export const FirstBrandStep = ({ brand, timeZone, frame }: FirstBrandStepProps) =>
  brand ? (
    <StepCard
      title="Your first brand is created"
      lead="Posts, accounts and the calendar belong to a brand."
      frame={frame}
    >
      <div class="form">
        <ReadOnlyField label="Name" id="onboarding-brand" value={brand.name} />
        <ReadOnlyField label="Time zone" id="onboarding-zone" value={brand.timeZone} />
        <StepLinks frame={frame} />
      </div>
    </StepCard>
  ) : (
    <StepCard title="Create your first brand" lead="Posts, accounts and the calendar belong to a brand." frame={frame}>
      <Form hx-post="/api/brands">
        <div class="stack">
          <TextField
            label="Name"
            name="name"
            id="onboarding-brand"
            required
            autofocus
            maxlength={80}
            autocomplete="off"
          />
          <ZoneField
            label="Time zone"
            name="timeZone"
            id="onboarding-zone"
            hint="Posts are scheduled in it."
            value={timeZone ?? undefined}
          />
        </div>
        <StepFooter frame={frame} submit="Create brand" />
      </Form>
    </StepCard>
  )

import type { Children } from '@kitajs/html'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Button, ButtonLink } from './button.tsx'
import { Form } from './form.tsx'

interface StepCardProps {
  title: string
  lead: string
  frame: StepFrame
  children: Children
}

/** The card of a step. Skipping is a form of its own, so that it sends nothing that is typed. */
export const StepCard = ({ title, lead, frame: { skip }, children }: StepCardProps) => (
  <div class="card">
    <header>
      <h1 safe>{title}</h1>
      <p class="muted" safe>
        {lead}
      </p>
    </header>
    {children}
    {skip === null ? null : (
      <Form id={skipForm} hx-put={skip}>
        <input type="hidden" name="outcome" value="skipped" />
      </Form>
    )}
  </div>
)

const skipForm = 'skip-step'

/** The end of a step's form. */
export const StepFooter = ({ frame: { back, skip }, submit }: { frame: StepFrame; submit: string }) => (
  <footer>
    <Back href={back} />
    {skip === null ? null : <Button label="Skip" variant="ghost" type="submit" form={skipForm} formnovalidate />}
    <Button label={submit} variant="primary" type="submit" />
  </footer>
)

/** Of a step with nothing left to enter. */
export const StepLinks = ({ frame: { back, next } }: { frame: StepFrame }) => (
  <footer>
    <Back href={back} />
    <ButtonLink label="Continue" variant="primary" href={next} />
  </footer>
)

const Back = ({ href }: { href: string | null }) => (
  <>
    {href === null ? null : <ButtonLink label="Back" icon="chevron-left" variant="ghost" href={href} />}
    <span class="push" />
  </>
)

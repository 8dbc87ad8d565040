import { FirstSteps, type FirstStepsProps } from '../first-steps.tsx'
import { CommentRules } from './composer-comment.tsx'
import { Counts } from './composer-editor.tsx'
import { ComposerPreview } from './composer-preview.tsx'
import { Targets, type TargetsProps } from './composer-targets.tsx'

/** After an account was connected: also what else the composer shows of the accounts. */
export const ChangedTargets = ({
  steps,
  ...targets
}: Omit<TargetsProps, 'isFixed'> & { steps: FirstStepsProps | null }) => (
  <>
    <Targets {...targets} isFixed={false} />
    <hx-partial hx-target="#counts" hx-swap="outerHTML">
      <Counts accounts={targets.accounts} />
    </hx-partial>
    <hx-partial hx-target="#comment-rules" hx-swap="outerHTML">
      <CommentRules accounts={targets.accounts} post={null} />
    </hx-partial>
    <hx-partial hx-target="#preview" hx-swap="outerHTML">
      <ComposerPreview accounts={targets.accounts} brand={targets.brand} post={null} />
    </hx-partial>
    <hx-partial hx-target="#first-steps" hx-swap="innerHTML">
      {steps ? <FirstSteps {...steps} /> : null}
    </hx-partial>
  </>
)

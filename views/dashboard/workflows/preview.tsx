import type { WorkflowPreview } from '#dashboard/types'
import { stepLabels } from './step-labels.ts'

/** The texts of the steps with the fields of an example event filled in. */
export const Preview = ({ preview }: { preview: WorkflowPreview }) => (
  <ol class="list" data-settings aria-label="Steps with an example event">
    {preview.steps.map(({ type, input }, at) => (
      <li>
        <div class="grow">
          <small safe>{`${at + 1}. ${stepLabels[type]}`}</small>
          {Object.values(input).map((text) => (
            <p class="wrap-anywhere" safe>
              {text}
            </p>
          ))}
        </div>
      </li>
    ))}
  </ol>
)

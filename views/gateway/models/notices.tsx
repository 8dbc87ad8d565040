import type { Governance, UsedModel } from '#gateway/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { amount, dollars } from '../money.ts'
import { dayText, isEnding, modelHref } from './words.ts'

/** Models that need a decision: without a price, or ending. */
export const ModelNotices = ({ governance: { lifecycle, can } }: { governance: Governance }) => (
  <>
    {lifecycle
      .filter(({ priced, configured }) => configured && !priced)
      .map((model) => (
        <Notice tone="danger" title={`${model.model} has no price`} text={unpricedText(model)}>
          <ModelLink model={model} label={can.update ? 'Set price' : 'View'} />
        </Notice>
      ))}
    {lifecycle
      .filter((model) => isEnding(model))
      .map((model) => (
        <Notice
          tone="warning"
          title={
            model.retiresOn ? `${model.model} retires on ${dayText(model.retiresOn)}` : `${model.model} is retired`
          }
          text={endingText(model)}
        >
          <ModelLink model={model} label="View" />
        </Notice>
      ))}
  </>
)

const ModelLink = ({ model: { provider, model }, label }: { model: UsedModel; label: string }) => {
  const href = modelHref(provider, model)
  return href ? (
    <div class="actions">
      <ButtonLink label={label} size="sm" href={href} />
    </div>
  ) : (
    <></>
  )
}

const callsText = ({ calls, costNanoUsd }: UsedModel): string =>
  `${amount(calls)} ${calls === 1 ? 'call' : 'calls'} in the last 30 days, ${dollars(costNanoUsd)}`

const unpricedText = (model: UsedModel): string =>
  `Hard budgets refuse it until it has a price.${model.calls > 0 ? ` ${callsText(model)}.` : ''}`

const endingText = (model: UsedModel): string =>
  [
    model.calls > 0 ? `Still in use: ${callsText(model)}.` : 'No calls in the last 30 days.',
    model.replacement ? `Its replacement is ${model.replacement}.` : '',
  ].join(' ')

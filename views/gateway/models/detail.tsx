import type { ModelDetails, ModelPrice, ProviderTelemetry } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { amount, dollars } from '../money.ts'
import { providerName } from '../provider-name.ts'
import { Chain } from './chain.tsx'
import { LatencyByDay } from './latency.tsx'
import { priceDialog, PriceDialog } from './price-dialog.tsx'
import { lifecycleText } from './used-models.tsx'
import { dayText, isEnding, modelOf, priceText, useCaseNames } from './words.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

export interface ModelPageProps {
  details: ModelDetails
  prices: ModelPrice[]
  days: ProviderTelemetry[]
}

export const ModelPage = ({ details, prices, days }: ModelPageProps) => {
  const { model, can } = details
  return (
    <>
      <PageHeader
        title={model.model}
        crumbs={[{ href: '/gateway/models', label: 'Models' }]}
        status={<Badge label={lifecycleText(model)} tone={isEnding(model) ? 'warning' : undefined} />}
      >
        {can.setPrice ? (
          <div class="actions">
            <Button label="Set price" icon="tag" commandfor={priceDialog} command="show-modal" />
          </div>
        ) : null}
      </PageHeader>
      <div class="page stack" style="--measure: none">
        <ModelState details={details} />
        <LatencyByDay items={days} />
        <ModelPrices prices={prices} />
      </div>
      {can.setPrice ? <PriceDialog provider={model.provider} model={model.model} /> : null}
    </>
  )
}

/** Its lifecycle, its chains, and which apps use it. */
export const ModelState = ({ details: { model, usage, routes } }: { details: ModelDetails }) => (
  <div id="model" class="stack">
    {model.priced ? null : (
      <Notice tone="danger" title="This model has no price" text="Hard budgets refuse its calls until it has one." />
    )}
    {isEnding(model) ? (
      <Notice
        tone="warning"
        title={model.retiresOn ? `This model retires on ${dayText(model.retiresOn)}` : 'This model is retired'}
        text={model.replacement ? `Its replacement is ${model.replacement}.` : 'Choose another model before then.'}
      />
    ) : null}
    <div class="sides">
      <section class="card" aria-labelledby="lifecycle">
        <header>
          <h2 id="lifecycle">Lifecycle</h2>
        </header>
        <div class="body">
          <dl class="facts">
            <dt>Provider</dt>
            <dd safe>{providerName(model.provider)}</dd>
            <dt>State</dt>
            <dd safe>{lifecycleText(model)}</dd>
            <dt>Price today</dt>
            <dd>{model.price ? priceText(model.price) : 'None'}</dd>
            {model.deprecatedOn ? (
              <>
                <dt>Deprecated</dt>
                <dd safe>{dayText(model.deprecatedOn)}</dd>
              </>
            ) : null}
            {model.replacement ? (
              <>
                <dt>Replacement</dt>
                <dd class="wrap-anywhere" safe>
                  {modelOf(model.replacement)}
                </dd>
              </>
            ) : null}
            {model.source === 'none' ? null : (
              <>
                <dt>Source</dt>
                <dd safe>{model.source}</dd>
              </>
            )}
          </dl>
        </div>
      </section>
      <section class="card" aria-labelledby="fallbacks">
        <header>
          <h2 id="fallbacks">Fallback order</h2>
        </header>
        {routes.length === 0 ? (
          <p class="body muted">It isn’t part of a use case. Calls that name it have no fallback.</p>
        ) : (
          <ul class="list" style="--pad: 1rem">
            {routes.map(({ useCase, models }) => (
              <li>
                <span class="grow">
                  <span safe>{useCaseNames[useCase].name}</span>
                  <Chain models={models} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
    <section class="card" aria-labelledby="model-usage">
      <header>
        <h2 id="model-usage">Usage</h2>
        <small>Last 30 days</small>
      </header>
      {usage.length === 0 ? (
        <p class="body muted">No calls in the last 30 days.</p>
      ) : (
        <DataTable caption="Usage by app" columns={['App', number('Calls'), number('Cost')]}>
          <tbody>
            {usage.map(({ applicationId, calls, costNanoUsd }) => (
              <tr>
                <td data-at="title" class="wrap-anywhere" safe>
                  {applicationId ?? 'No app'}
                </td>
                <td data-num data-at="sub" safe>
                  {amount(calls)}
                </td>
                <td data-num data-at="end" safe>
                  {dollars(costNanoUsd)}
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  </div>
)

const levels: Record<ModelPrice['level'], string> = {
  organization: 'Set by your organization',
  platform: 'Set by the platform',
  catalog: 'From the price catalog',
}

/** Calls keep the price that applied at their time. */
export const ModelPrices = ({ prices }: { prices: ModelPrice[] }) => (
  <section class="card" id="prices" aria-labelledby="prices-title">
    <header>
      <h2 id="prices-title">Price history</h2>
      <small>Calls keep the price that applied at the time</small>
    </header>
    {prices.length === 0 ? (
      <p class="body muted">No price is known.</p>
    ) : (
      <ul class="list" style="--pad: 1rem">
        {prices.map((price) => (
          <li>
            <span class="grow">
              <b safe>{priceText(price)}</b>
              <small class="block wrap-anywhere">
                <span safe>{levels[price.level]}</span>
                {price.createdAt ? (
                  <>
                    {' '}
                    on <Time at={price.createdAt} form="shortDay" />
                  </>
                ) : null}
                {price.reason ? <span safe>{`. ${price.reason}`}</span> : null}
              </small>
            </span>
            <small class="nowrap">{price.since ? `since ${dayText(price.since)}` : 'since the beginning'}</small>
          </li>
        ))}
      </ul>
    )}
  </section>
)

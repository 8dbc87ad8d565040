import type { UsedModel } from '#gateway/types'
import { Empty } from '#views/ui/feedback.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { amount, dollars } from '../money.ts'
import { providerName } from '../provider-name.ts'
import { dayText, lifecycleNames, modelHref, modelOf, shortPriceText } from './words.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

export const UsedModels = ({ models }: { models: UsedModel[] }) => (
  <section class="card" aria-labelledby="used-models">
    <header>
      <h2 id="used-models">Models in use</h2>
      <Badge label={models.length} count />
    </header>
    {models.length === 0 ? (
      <Empty icon="boxes" title="No models yet" text="Models that are configured or called appear here." small />
    ) : (
      <DataTable
        name="model-table"
        caption="Models with their price, use and lifecycle"
        columns={['Model', 'Price', number('Calls, 30 days'), number('Cost, 30 days'), 'Lifecycle', 'Replacement']}
      >
        <tbody>
          {models.map((model) => (
            <Row model={model} />
          ))}
        </tbody>
      </DataTable>
    )}
  </section>
)

const Row = ({ model }: { model: UsedModel }) => (
  <tr>
    <td data-at="title">
      <ModelName model={model} />
      <small class="wrap-anywhere" safe>
        {providerName(model.provider)}
      </small>
    </td>
    <td class="wide-only">{model.price ? <span safe>{shortPriceText(model.price)}</span> : <b>No price</b>}</td>
    <td class="wide-only" data-num safe>
      {amount(model.calls)}
    </td>
    <td data-num data-at="end" safe>
      {dollars(model.costNanoUsd)}
    </td>
    <td data-at="sub">
      <span safe>{lifecycleText(model)}</span>
    </td>
    <td class="wide-only">
      {model.replacement ? (
        <code class="wrap-anywhere" safe>
          {modelOf(model.replacement)}
        </code>
      ) : (
        <span class="muted">–</span>
      )}
    </td>
  </tr>
)

/** Such as `Retires 15 Jan 2027`. */
export const lifecycleText = ({ status, retiresOn }: UsedModel): string =>
  status !== 'retired' && retiresOn ? `Retires ${dayText(retiresOn)}` : lifecycleNames[status]

const ModelName = ({ model: { provider, model } }: { model: UsedModel }) => {
  const href = modelHref(provider, model)
  return href ? (
    <a class="row-link wrap-anywhere" href={href} safe>
      {model}
    </a>
  ) : (
    <b class="wrap-anywhere" safe>
      {model}
    </b>
  )
}

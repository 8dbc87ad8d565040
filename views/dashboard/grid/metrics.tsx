import { currentFormats } from '#lib/jsx/jsx-runtime.ts'
import { Currency } from '#lib/money.ts'
import { Icon } from '#views/ui/icon.tsx'
import { hrefIn } from './links.ts'
import type { WidgetItem } from './types.ts'

type Metric = WidgetItem['payload']['metrics'][number]

const maxShown = 4

export const Metrics = ({ item: { payload, href } }: { item: WidgetItem }) => (
  <dl class="stats">
    {payload.metrics.slice(0, maxShown).map((metric) => (
      <MetricStat metric={metric} href={hrefIn(href, metric.href)} />
    ))}
  </dl>
)

const MetricStat = ({ metric, href }: { metric: Metric; href: string }) => {
  const value = valueText(metric)
  const detail = metric.detail ?? ''
  return (
    <div class="stat">
      <dt safe>{metric.label}</dt>
      <dd>
        <a href={href} safe>
          {value}
        </a>
      </dd>
      {metric.trend !== null || detail ? (
        <dd>
          {metric.trend === null ? null : <Trend percent={metric.trend} />} <span safe>{detail}</span>
        </dd>
      ) : null}
    </div>
  )
}

const Trend = ({ percent }: { percent: number }) => {
  const text = `${percent < 0 ? '−' : '+'}${Math.abs(percent).toLocaleString(currentFormats().language)}%`
  return (
    <span class="trend">
      <Icon name={percent < 0 ? 'arrow-down-right' : 'arrow-up-right'} />
      <span safe>{text}</span>
    </span>
  )
}

function valueText({ value, unit }: Pick<Metric, 'value' | 'unit'>): string {
  const { language } = currentFormats()
  const currency = Currency.safeParse(unit)
  const format = currency.success
    ? { style: 'currency' as const, currency: currency.data, currencyDisplay: 'narrowSymbol' as const }
    : {}
  const text = new Intl.NumberFormat(language, format).format(Number(value)).replace('-', '−')
  return currency.success || unit === null ? text : `${text} ${unit}`
}

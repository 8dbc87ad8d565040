type Labels = Record<string, string | number>

interface Counter {
  add(labels: Labels): void
}

interface Histogram {
  observe(labels: Labels, value: number): void
}

interface Sample {
  labels?: Labels
  value: number
}

export interface Metrics {
  counter(name: string, help: string): Counter
  histogram(name: string, help: string, bounds: readonly number[]): Histogram
  /** A counter when its name ends in `_total`. `read` is called at each scrape; when it fails, the metric is left out. */
  gauge(name: string, help: string, read: () => readonly Sample[] | Promise<readonly Sample[]>): void
  text(): Promise<string>
}

type Lines = () => Promise<string[]> | string[]

export function createMetrics(): Metrics {
  const all: { name: string; head: string; lines: Lines }[] = []
  const declare = (name: string, help: string, type: string, lines: Lines) =>
    void all.push({ name, head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines })
  const metrics: Metrics = {
    counter: (name, help) => {
      const values = new Map<string, number>()
      declare(name, help, 'counter', () => [...values].map(([labels, value]) => formatLine(name, labels, value)))
      return {
        add: (labels) => {
          const key = formatLabels(labels)
          values.set(key, (values.get(key) ?? 0) + 1)
        },
      }
    },
    histogram: (name, help, bounds) => {
      const series = new Map<string, Buckets>()
      declare(name, help, 'histogram', () =>
        [...series].flatMap(([labels, one]) => bucketLines(name, labels, one, bounds)),
      )
      return { observe: (labels, value) => observe(series, formatLabels(labels), value, bounds) }
    },
    gauge: (name, help, read) =>
      declare(name, help, name.endsWith('_total') ? 'counter' : 'gauge', async () =>
        (await read()).map(({ labels = {}, value }) => formatLine(name, formatLabels(labels), value)),
      ),
    text: async () => {
      const parts = all.map(async ({ name, head, lines }) => {
        const found = await Promise.resolve()
          .then(lines)
          .catch(() => failed.add({ metric: name }))
        return found ? [head, ...found].join('\n') : head
      })
      return `${(await Promise.all(parts)).join('\n')}\n`
    },
  }
  const failed = metrics.counter('atrium_scrape_failures_total', 'Metrics that could not be read during a scrape.')
  return metrics
}

interface Buckets {
  counts: number[]
  sum: number
  count: number
}

function observe(series: Map<string, Buckets>, labels: string, value: number, bounds: readonly number[]): void {
  const one = series.get(labels) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 }
  series.set(labels, one)
  const at = bounds.findIndex((bound) => value <= bound)
  if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
  one.sum += value
  one.count += 1
}

function bucketLines(name: string, labels: string, { counts, sum, count: all }: Buckets, bounds: readonly number[]) {
  const upTo = (le: string | number) => (labels ? `${labels},le="${le}"` : `le="${le}"`)
  let below = 0
  return [
    ...bounds.map((bound, at) => formatLine(`${name}_bucket`, upTo(bound), (below += counts[at] ?? 0))),
    formatLine(`${name}_bucket`, upTo('+Inf'), all),
    formatLine(`${name}_sum`, labels, sum),
    formatLine(`${name}_count`, labels, all),
  ]
}

const formatLine = (name: string, labels: string, value: number): string => `${name}${labels && `{${labels}}`} ${value}`

function formatLabels(labels: Labels): string {
  let text = ''
  for (const name of Object.keys(labels)) {
    const value = labels[name] ?? ''
    text += `${text && ','}${name}="${typeof value === 'number' ? value : escapeLabel(value)}"`
  }
  return text
}

const escapeLabel = (text: string): string =>
  /[\\"\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text

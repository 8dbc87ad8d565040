import type { ProviderCircuit } from '#gateway/types'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { amount } from './money.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

interface CircuitsProps {
  items: ProviderCircuit[]
}

/** Whether models can be called, as this server sees it. */
export const Circuits = ({ items }: CircuitsProps) => {
  const open = items.filter(({ state }) => state === 'open').length
  return (
    <section class="card" id="circuits" aria-labelledby="circuits-title">
      <header>
        <h2 id="circuits-title">Circuits</h2>
        {open > 0 ? <Badge tone="danger" label={`${amount(open)} open`} /> : null}
        <small class="push muted">Open after 5 failures in a row, for 10 seconds. Then one call tries again.</small>
      </header>
      {items.length > 0 ? (
        <DataTable caption="Circuits" columns={['Model', 'State', number('Failures in a row'), 'Next call']}>
          <tbody>
            {items.map((item) => (
              <CircuitRow item={item} />
            ))}
          </tbody>
        </DataTable>
      ) : (
        <p class="body muted">No models were called in the last 7 days.</p>
      )}
    </section>
  )
}

const looks = {
  closed: { icon: 'circle-check', state: 'published', word: 'Closed' },
  open: { icon: 'circle-alert', state: 'failed', word: 'Open' },
  probing: { icon: 'circle-dot', state: 'waiting', word: 'Probing' },
  limited: { icon: 'pause', state: 'waiting', word: 'Rate limited' },
} as const

const keys = { organization: 'own key', platform: 'platform’s key', practice: 'no key' }

const CircuitRow = ({ item }: { item: ProviderCircuit }) => (
  <tr>
    <td class="wrap-anywhere" data-at="title">
      <b safe>{item.model}</b>{' '}
      <small class="muted" safe>
        {`${item.provider}, ${keys[item.credential]}`}
      </small>
    </td>
    <td data-at="sub">
      <StatusMark {...looks[item.state]} />{' '}
      {item.openedAt === null ? null : (
        <small class="muted">
          Since <Time at={item.openedAt} form="moment" />
        </small>
      )}
    </td>
    <td data-num data-at="end" safe>
      {amount(item.failures)}
    </td>
    <td class="nowrap" data-at="time">
      {item.nextCallAt === null ? 'Now' : <Time at={item.nextCallAt} form="moment" />}
    </td>
  </tr>
)

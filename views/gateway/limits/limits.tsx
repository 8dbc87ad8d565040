import type { SpendLimit, SpendLimitList } from '#gateway/types'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time, timeText, viewerZone } from '#views/ui/time.tsx'
import { dollars } from '../money.ts'
import { DeleteLimitDialog, deleteDialog, EditLimitDialog, editDialog } from './dialogs.tsx'
import { LimitMeter } from './meter.tsx'
import { modeNames } from '../words.ts'
import { budgetName, coverage, scopeLabel } from './words.ts'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'

/** `near`: those of which at least 80 % are used. */
export type Shown = 'all' | 'near'

interface LimitsProps {
  list: SpendLimitList
  shown?: Shown
}

const nearShare = 0.8
const usedOf = ({ spentNanoUsd, reservedNanoUsd }: SpendLimit): number => spentNanoUsd + reservedNanoUsd
const isNear = (limit: SpendLimit): boolean => usedOf(limit) >= limit.limitNanoUsd * nearShare
const isBlocking = (limit: SpendLimit): boolean => limit.mode === 'hard' && usedOf(limit) >= limit.limitNanoUsd

/** What is blocked now, and the limits with what changes them. */
export const LimitsCard = ({ list: { items }, shown = 'all' }: LimitsProps) => {
  const rows = shown === 'near' ? items.filter(isNear) : items
  return (
    <div id="limits" class="stack">
      {items.filter(isBlocking).map((limit) => (
        <Blocking limit={limit} />
      ))}
      {items.length === 0 ? (
        <Empty
          icon="piggy-bank"
          title="No budgets yet"
          text="Spending is recorded and nothing is refused. A budget limits what an app or the organization can spend."
        />
      ) : (
        <section class="card" aria-labelledby="limits-title">
          <header>
            <h2 id="limits-title">Budgets</h2>
            <nav class="segments push" aria-label="Show">
              <a href="/gateway/limits" aria-current={shown === 'all' ? 'true' : undefined}>
                All
              </a>
              <a href="/gateway/limits?show=near" aria-current={shown === 'near' ? 'true' : undefined}>
                Near or over limit
              </a>
            </nav>
          </header>
          {rows.length > 0 ? (
            <LimitTable limits={rows} />
          ) : (
            <p class="body muted">Every budget has more than 20% left.</p>
          )}
          <footer>
            <span class="small muted">
              Solid: spent. Lighter: held for running calls. Line: forecast for the period.
            </span>
          </footer>
        </section>
      )}
      {items
        .filter(({ can }) => can.update)
        .map((limit) => (
          <>
            <EditLimitDialog limit={limit} />
            <DeleteLimitDialog limit={limit} />
          </>
        ))}
    </div>
  )
}

/** One alone. */
export const LimitView = ({ limit }: { limit: SpendLimit }) => (
  <section class="card" aria-label={budgetName(limit)}>
    <LimitTable limits={[limit]} withoutActions />
  </section>
)

const Blocking = ({ limit }: { limit: SpendLimit }) => (
  <Notice
    tone="danger"
    title={`The ${budgetName(limit)} is used up`}
    text={`Calls are refused before they cost anything. ${resetText(limit)}`}
  >
    {limit.can.update ? (
      <div class="actions">
        <Button
          label="Raise limit"
          variant="primary"
          size="sm"
          commandfor={editDialog(limit.id)}
          command="show-modal"
        />
      </div>
    ) : null}
  </Notice>
)

const resetText = ({ resetsAt }: SpendLimit): string =>
  resetsAt ? `It resets ${timeText(resetsAt, viewerZone(), 'full')}.` : 'It never resets.'

const groups = [
  { type: 'platform', label: 'Platform' },
  { type: 'organization', label: 'Organization' },
  { type: 'application', label: 'Applications' },
] as const

const LimitTable = ({ limits, withoutActions }: { limits: SpendLimit[]; withoutActions?: true }) => (
  <DataTable
    name="budgets"
    caption="Budgets"
    columns={['Scope', 'Spent and held', number('Amount'), 'Forecast', 'Mode', 'Resets', actions]}
  >
    <tbody>
      {groups.map(({ type, label }) => {
        const rows = limits.filter(({ scope_type: scope }) => scope === type)
        return rows.length === 0 ? (
          <></>
        ) : (
          <>
            <tr data-group>
              <th scope="rowgroup" colspan="7">
                {label}
              </th>
            </tr>
            {rows.map((limit) => (
              <LimitRow limit={limit} withoutActions={withoutActions} />
            ))}
          </>
        )
      })}
    </tbody>
  </DataTable>
)

const LimitRow = ({ limit, withoutActions }: { limit: SpendLimit; withoutActions?: true }) => (
  <tr id={`limit-${limit.id}`}>
    <td data-at="title">
      <b class="wrap-anywhere" safe>
        {scopeLabel(limit)}
      </b>
      <small safe>{coverage(limit)}</small>
    </td>
    <td data-at="sub">
      <LimitMeter limit={limit} />
    </td>
    <td data-num data-at="end">
      <span class="nowrap">
        <span safe>{dollars(limit.spentNanoUsd)}</span>{' '}
        <span class="muted" safe>{`/ ${dollars(limit.limitNanoUsd)}`}</span>
      </span>
      {limit.reservedNanoUsd > 0 ? <small class="why" safe>{`${dollars(limit.reservedNanoUsd)} held`}</small> : null}
    </td>
    <td class="wide-only">
      <Forecast limit={limit} />
    </td>
    <td class="wide-only">
      <Badge label={modeNames[limit.mode]} tone={limit.mode === 'hard' ? 'accent' : undefined} />
    </td>
    <td data-at="time">
      {isBlocking(limit) ? (
        <StatusMark state="failed" icon="circle-slash" word="Blocking" />
      ) : (
        <span class="narrow-only" safe>
          {`${modeNames[limit.mode]} · `}
        </span>
      )}{' '}
      <span class={isBlocking(limit) ? 'wide-only' : undefined}>
        {limit.resetsAt ? <Time at={limit.resetsAt} form="moment" /> : 'Never resets'}
      </span>
    </td>
    <td data-at="menu">{limit.can.update && !withoutActions ? <LimitMenu limit={limit} /> : null}</td>
  </tr>
)

const Forecast = ({ limit: { period, forecastNanoUsd, limitNanoUsd } }: { limit: SpendLimit }) => {
  if (period === 'total') return <span class="muted">–</span>
  if (forecastNanoUsd <= limitNanoUsd) return <span safe>{dollars(forecastNanoUsd)}</span>
  return <b safe>{`${dollars(forecastNanoUsd)} (${dollars(forecastNanoUsd - limitNanoUsd)} over)`}</b>
}

const LimitMenu = ({ limit }: { limit: SpendLimit }) => {
  const menu = `limit-${limit.id}-menu`
  return (
    <RowMenu id={menu} label={`Actions for the ${budgetName(limit)}`}>
      <MenuItem label="Edit" icon="pen-line" commandfor={editDialog(limit.id)} command="show-modal" />
      <MenuItem label="Delete" icon="trash-2" danger commandfor={deleteDialog(limit.id)} command="show-modal" />
    </RowMenu>
  )
}

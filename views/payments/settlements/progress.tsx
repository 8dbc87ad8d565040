import type { Settlement } from '#payments/types'
import { StatusMark } from '#views/ui/marks.tsx'
import { money } from '../money.ts'
import { itemOrder, itemStates } from './words.ts'

interface OfBatch {
  batch: Pick<Settlement, 'totals' | 'itemCount' | 'currency'>
}

const present = ({ totals }: OfBatch['batch']) => itemOrder.toReversed().filter((status) => totals[status].items > 0)

/** How many items have which state, as a bar. */
export const Strip = ({ batch }: OfBatch) => (
  <span
    class="strip"
    role="img"
    aria-label={present(batch)
      .map((status) => `${batch.totals[status].items} ${itemStates[status].word.toLowerCase()}`)
      .join(', ')}
  >
    {present(batch).map((status) => (
      <i
        class="status"
        data-state={itemStates[status].state}
        style={`--w: ${(100 * batch.totals[status].items) / batch.itemCount}%`}
      />
    ))}
  </span>
)

export const Progress = ({ batch }: OfBatch) => (
  <div class="stack" style="--gap: var(--space-2)">
    <Strip batch={batch} />
    <ul class="row" data-wrap style="--gap: var(--space-1) var(--space-5)" aria-label="Items by state">
      {present(batch).map((status) => (
        <li class="row">
          <StatusMark
            {...itemStates[status]}
            word={`${batch.totals[status].items.toLocaleString('en')} ${itemStates[status].word.toLowerCase()}`}
          />
          <b safe>{money(batch.totals[status].amount, batch.currency)}</b>
        </li>
      ))}
    </ul>
  </div>
)

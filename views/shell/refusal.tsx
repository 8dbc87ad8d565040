import type { ProblemDocument } from '#lib/errors.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'

interface Refusal {
  /** Such as `mail`, `your organization` or `the platform`. */
  whose: string
  limitNanoUsd: number
  spentNanoUsd: number
  reservedNanoUsd: number
  neededNanoUsd: number
  /** Null when it never resets. */
  resetsAt: string | null
  /** With which the request would fit. */
  cheaperModel: string | null
}

/** Null unless a budget refused the request. */
export function readRefusal(problem: ProblemDocument): Refusal | null {
  if (problem.code !== 'budget_exceeded') return null
  const { scope, resetsAt, cheaperModel } = problem
  const amountOf = (name: string): number => (typeof problem[name] === 'number' ? problem[name] : 0)
  return {
    whose: nameOf(scope),
    limitNanoUsd: amountOf('limitNanoUsd'),
    spentNanoUsd: amountOf('spentNanoUsd'),
    reservedNanoUsd: amountOf('reservedNanoUsd'),
    neededNanoUsd: amountOf('neededNanoUsd'),
    resetsAt: typeof resetsAt === 'string' ? resetsAt : null,
    cheaperModel: typeof cheaperModel === 'string' ? cheaperModel : null,
  }
}

function nameOf(scope: unknown): string {
  if (typeof scope !== 'object' || scope === null) return 'your organization'
  if ('scope_type' in scope && scope.scope_type === 'platform') return 'the platform'
  return 'scope_type' in scope && scope.scope_type === 'application' && 'scope_value' in scope
    ? String(scope.scope_value)
    : 'your organization'
}

const format = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
})
const dollars = (nanoUsd: number): string => format.format(nanoUsd / 1e9)

interface BudgetRefusalProps {
  refusal: Refusal
  heading: 'h1' | 'h2'
}

/** Not an error: it says what is left, what fits, and who can raise the limit (GTW-33). */
export const BudgetRefusal = ({ refusal, heading }: BudgetRefusalProps) => (
  <section class="card" role="alert">
    <header>
      <Icon name="circle-slash" />
      <tag of={heading} class="wrap-anywhere" safe>
        {`This would exceed the budget of ${refusal.whose}`}
      </tag>
    </header>
    <div class="body stack">
      <p safe>
        {`It can cost ${dollars(refusal.neededNanoUsd)}, and ${dollars(leftOf(refusal))} is left. Nothing was sent to a provider, and nothing was charged.`}
      </p>
      <dl class="facts">
        <dt>Spent</dt>
        <dd safe>{`${dollars(refusal.spentNanoUsd)} of ${dollars(refusal.limitNanoUsd)}`}</dd>
        {refusal.reservedNanoUsd > 0 ? (
          <>
            <dt>Held for running calls</dt>
            <dd safe>{dollars(refusal.reservedNanoUsd)}</dd>
          </>
        ) : null}
        <dt>Resets</dt>
        <dd>{refusal.resetsAt ? <Time at={refusal.resetsAt} /> : 'Never'}</dd>
        {refusal.cheaperModel ? (
          <>
            <dt>Model that fits</dt>
            <dd class="wrap-anywhere" safe>
              {refusal.cheaperModel}
            </dd>
          </>
        ) : null}
        <dt>Who can raise it</dt>
        <dd>
          {refusal.whose === 'the platform' ? 'The platform’s super admins' : 'Owners and admins of your organization'}
        </dd>
      </dl>
    </div>
    <footer>
      <ButtonLink label="View budgets" variant="primary" href="/gateway/limits" />
    </footer>
  </section>
)

const leftOf = ({ limitNanoUsd, spentNanoUsd, reservedNanoUsd }: Refusal): number =>
  Math.max(0, limitNanoUsd - spentNanoUsd - reservedNanoUsd)

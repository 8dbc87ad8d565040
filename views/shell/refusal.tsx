import type { ProblemDocument } from '#lib/errors.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'

interface Refusal {
  /** Such as `mail`, `your organization` or `the platform`. */
  whose: string
  /** Null for the amounts of several organizations together. */
  limitNanoUsd: number | null
  spentNanoUsd: number
  reservedNanoUsd: number
  neededNanoUsd: number
  /** Null when it never resets. */
  resetsAt: string | null
  /** With which the request would fit. */
  cheaperModel: string | null
}

interface Unpriced {
  provider: string
  model: string | null
  /** At which the price would count. */
  level: 'platform' | 'organization'
}

interface RefusalCardProps {
  problem: ProblemDocument
  heading: 'h1' | 'h2'
}

/** Whether a budget refused the request. */
export const isRefusal = ({ code }: ProblemDocument): boolean => code === 'budget_exceeded' || code === 'model_unpriced'

export const RefusalCard = ({ problem, heading }: RefusalCardProps) =>
  problem.code === 'budget_exceeded' ? (
    <BudgetRefusal refusal={readRefusal(problem)} heading={heading} />
  ) : (
    <UnpricedModel unpriced={readUnpriced(problem)} heading={heading} />
  )

function readUnpriced({ provider, model, level }: ProblemDocument): Unpriced {
  return {
    provider: typeof provider === 'string' ? provider : 'The model',
    model: typeof model === 'string' ? model : null,
    level: level === 'organization' ? level : 'platform',
  }
}

function readRefusal(problem: ProblemDocument): Refusal {
  const { scope, resetsAt, cheaperModel } = problem
  const amountOf = (name: string): number => (typeof problem[name] === 'number' ? problem[name] : 0)
  return {
    whose: nameOf(scope),
    limitNanoUsd: problem['limitNanoUsd'] === null ? null : amountOf('limitNanoUsd'),
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

const admins = { platform: 'The platform’s super admins', organization: 'Owners and admins of your organization' }

interface BudgetRefusalProps {
  refusal: Refusal
  heading: 'h1' | 'h2'
}

/** Not an error: it says what is left, what fits, and who can raise the limit (GTW-33). */
const BudgetRefusal = ({ refusal, heading }: BudgetRefusalProps) => (
  <section class="card" role="alert">
    <header>
      <Icon name="circle-slash" />
      <tag of={heading} class="wrap-anywhere" safe>
        {`This would exceed the budget of ${refusal.whose}`}
      </tag>
    </header>
    <div class="body stack">
      <p safe>
        {`It can cost ${dollars(refusal.neededNanoUsd)}, and ${leftOf(refusal)} is left. Nothing was sent to a provider, and nothing was charged.`}
      </p>
      <dl class="facts">
        {refusal.limitNanoUsd === null ? null : (
          <>
            <dt>Spent</dt>
            <dd safe>{`${dollars(refusal.spentNanoUsd)} of ${dollars(refusal.limitNanoUsd)}`}</dd>
          </>
        )}
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
        <dd safe>{refusal.whose === 'the platform' ? admins.platform : admins.organization}</dd>
      </dl>
    </div>
    <footer>
      <ButtonLink label="View budgets" variant="primary" href="/gateway/limits" />
    </footer>
  </section>
)

const leftOf = ({ limitNanoUsd, spentNanoUsd, reservedNanoUsd }: Refusal): string =>
  limitNanoUsd === null ? 'less' : dollars(Math.max(0, limitNanoUsd - spentNanoUsd - reservedNanoUsd))

interface UnpricedModelProps {
  unpriced: Unpriced
  heading: 'h1' | 'h2'
}

const UnpricedModel = ({ unpriced: { provider, model, level }, heading }: UnpricedModelProps) => (
  <section class="card" role="alert">
    <header>
      <Icon name="circle-slash" />
      <tag of={heading} class="wrap-anywhere" safe>
        {`${model ?? provider} has no price`}
      </tag>
    </header>
    <div class="body stack">
      <p>
        A hard budget applies, and it can’t be kept with a model of unknown cost. Nothing was sent to a provider, and
        nothing was charged. Choose a model that has a price, or ask for one to be set.
      </p>
      <dl class="facts">
        <dt>Provider</dt>
        <dd class="wrap-anywhere" safe>
          {provider}
        </dd>
        <dt>Who can set the price</dt>
        <dd safe>{admins[level]}</dd>
      </dl>
    </div>
    <footer>
      <ButtonLink label="View models" variant="primary" href="/gateway/models" />
    </footer>
  </section>
)

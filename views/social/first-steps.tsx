import { Icon } from '#views/ui/icon.tsx'

export interface FirstStepsProps {
  /** The composer has no links, which would leave what the person types. */
  page: Step | 'composer'
  brand: { id: string } | null
  hasAccount: boolean
}

type Step = keyof typeof labels

const labels = {
  brand: 'Create a brand',
  account: 'Connect an account',
  post: 'Write your first post',
}

const steps = ['brand', 'account', 'post'] as const

const paths = { brand: '/workspace/brands', account: '/workspace/accounts', post: '/workspace/posts/new' }

/** From sign-up to the first post. The current step is the one of the page, or the next one when that is done. */
export const FirstSteps = ({ page, brand, hasAccount }: FirstStepsProps) => {
  const done = { brand: brand !== null, account: hasAccount, post: false }
  const own = page === 'composer' ? 'post' : page
  const current = done[own] ? steps.find((step) => !done[step]) : own
  return (
    <ol class="milestones" data-first-steps aria-label="Getting started">
      {steps.map((step, at) => (
        <li data-state={done[step] ? 'done' : undefined} aria-current={step === current ? 'step' : undefined}>
          <span class="mark" aria-hidden="true">
            {done[step] ? <Icon name="check" /> : at + 1}
          </span>
          <span>
            {done[step] ? <span class="visually-hidden">Done: </span> : null}
            {brand && !done[step] && step !== own && page !== 'composer' ? (
              <a class="link" href={`${paths[step]}?brandId=${brand.id}`} safe>
                {labels[step]}
              </a>
            ) : (
              <span safe>{labels[step]}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

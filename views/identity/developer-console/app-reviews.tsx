import type { Children } from '@kitajs/html'
import type { AppReview, DeveloperApp } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { RejectionNotice } from './app-overview.tsx'
import { ReviewHistory } from './review-history.tsx'

export interface AppReviewsProps {
  app: DeveloperApp
  reviews: AppReview[]
  notice?: Children
}

export const AppReviews = ({ app, reviews, notice }: AppReviewsProps) => (
  <div class="page split">
    <div class="stack" style="--gap: var(--space-8)">
      {notice}
      <Milestones app={app} />
      {app.status === 'rejected' && reviews[0] ? <RejectionNotice rejection={reviews[0]} /> : null}
      <section class="section" aria-labelledby="next">
        <h2 id="next">Next steps</h2>
        <p class="prose" safe>
          {words[app.status]}
        </p>
      </section>
    </div>
    <aside>
      <ReviewHistory reviews={reviews} />
    </aside>
  </div>
)

const words: Record<DeveloperApp['status'], string> = {
  draft: 'Submit the app and its actions for review. You can’t edit it during the review.',
  submitted: 'A super admin reviews the app. Owners get an email with the decision.',
  approved: 'Publish the app to add it to the registry and its actions to the catalog.',
  rejected: 'Make the requested changes and submit the app again.',
  published: 'The app is published. If you edit it, it returns to draft, but the published version stays live.',
}

const steps = ['Draft', 'Review', 'Approved', 'Published'] as const

/** The step that an app has reached. */
const reached: Record<DeveloperApp['status'], number> = {
  draft: 0,
  submitted: 1,
  rejected: 1,
  approved: 2,
  published: 3,
}

const Milestones = ({ app: { status, publishedAt } }: Pick<AppReviewsProps, 'app'>) => (
  <ol class="milestones" aria-label="From draft to published">
    {steps.map((step, at) => {
      const isCurrent = at === reached[status]
      const hasFailed = isCurrent && status === 'rejected'
      const isDone = at < reached[status] || (isCurrent && (status === 'approved' || status === 'published'))
      return (
        <li
          data-state={hasFailed ? 'failed' : isDone ? 'done' : undefined}
          aria-current={isCurrent ? 'step' : undefined}
        >
          <span class="mark" aria-hidden="true">
            {hasFailed ? <Icon name="x" /> : isDone ? <Icon name="check" /> : at + 1}
          </span>
          <span>
            {isDone ? <span class="visually-hidden">Done: </span> : null}
            {step}
            {hasFailed ? <small>Rejected</small> : null}
            {step === 'Published' && publishedAt && status !== 'published' ? (
              <small>An earlier version is live</small>
            ) : null}
          </span>
        </li>
      )
    })}
  </ol>
)

import type { AppReview, DeveloperApp, DeveloperWorkspace } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { ReviewHistory } from './review-history.tsx'

export interface AppReviewsProps {
  app: DeveloperApp
  workspace: DeveloperWorkspace
  reviews: AppReview[]
}

export const AppReviews = ({ app, workspace, reviews }: AppReviewsProps) => (
  <>
    <section class="section" aria-labelledby="next">
      <h2 id="next">Next steps</h2>
      <p class="prose" safe>
        {words[app.status]}
      </p>
      {workspace.status === 'active' ? <Actions app={app} /> : null}
    </section>
    {reviews.length > 0 ? <ReviewHistory reviews={reviews} /> : null}
  </>
)

const words: Record<DeveloperApp['status'], string> = {
  draft: 'Submit the app and its actions for review. You can’t edit it during the review.',
  submitted: 'A super admin reviews the app. Owners get an email with the decision.',
  approved: 'Publish the app to add it to the registry and its actions to the catalog.',
  rejected: 'Make the requested changes and submit the app again.',
  published: 'The app is published. If you edit it, it returns to draft, but the published version stays live.',
}

const Actions = ({ app }: Pick<AppReviewsProps, 'app'>) => {
  const path = `/api/developers/apps/${app.id}`
  return (
    <div class="row">
      {app.status === 'draft' || app.status === 'rejected' ? (
        <Form hx-post={`${path}/submission`}>
          <Button label="Submit for review" icon="send" variant="primary" type="submit" />
        </Form>
      ) : null}
      {app.status === 'submitted' ? (
        <Form hx-delete={`${path}/submission`}>
          <Button label="Withdraw" icon="undo-2" type="submit" />
        </Form>
      ) : null}
      {app.status === 'approved' ? (
        <Form hx-post={`${path}/publication`}>
          <Button label="Publish" icon="upload" variant="primary" type="submit" />
        </Form>
      ) : null}
      {app.publishedAt ? (
        <Form hx-delete={`${path}/publication`}>
          <Button label="Unpublish" type="submit" />
        </Form>
      ) : null}
    </div>
  )
}

import type { AppReview, DeveloperApp, DeveloperWorkspace } from '#identity'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { ReviewHistory } from './review-history.tsx'

export interface AppReviewsProps {
  app: DeveloperApp
  workspace: DeveloperWorkspace
  reviews: AppReview[]
}

/** Where an app stands on its way into the registry, and what comes next. */
export const AppReviews = ({ app, workspace, reviews }: AppReviewsProps) => (
  <>
    <section class="section" aria-labelledby="next">
      <h2 id="next">What comes next</h2>
      <p class="prose" safe>
        {words[app.status]}
      </p>
      {workspace.status === 'active' ? <Acts app={app} /> : null}
    </section>
    {reviews.length > 0 ? <ReviewHistory reviews={reviews} /> : null}
  </>
)

const words: Record<DeveloperApp['status'], string> = {
  draft: 'Submit the app with its actions. Until it is decided on, nothing of it can be changed.',
  submitted: 'A platform administrator looks at the app. The workspace’s owners get a mail with the decision.',
  approved: 'Publish the app: it then stands in the registry, and its actions in the catalog.',
  rejected: 'Change what was named, and submit the app again.',
  published: 'The app stands in the registry. A change takes it back to draft; what is published stays meanwhile.',
}

const Acts = ({ app }: Pick<AppReviewsProps, 'app'>) => {
  const path = `/developers/apps/${app.id}`
  return (
    <div class="row">
      {app.status === 'draft' || app.status === 'rejected' ? (
        <Form hx-post={`${path}/submission`}>
          <Button label="Submit for review" icon="send" variant="primary" type="submit" />
        </Form>
      ) : null}
      {app.status === 'submitted' ? (
        <Form hx-delete={`${path}/submission`}>
          <Button label="Take back" icon="undo-2" type="submit" />
        </Form>
      ) : null}
      {app.status === 'approved' ? (
        <Form hx-post={`${path}/publication`}>
          <Button label="Publish" icon="upload" variant="primary" type="submit" />
        </Form>
      ) : null}
      {app.publishedAt ? (
        <Form hx-delete={`${path}/publication`}>
          <Button label="Withdraw from the registry" type="submit" />
        </Form>
      ) : null}
    </div>
  )
}

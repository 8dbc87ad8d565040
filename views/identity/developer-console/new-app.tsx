import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { AppFields, type AskableScope } from './app-fields.tsx'
import { DevelopersCrumb } from './crumb.tsx'

/** Asks what a new app is. */
export const NewApp = ({ askable }: { askable: AskableScope[] }) => (
  <>
    <header class="page-header">
      <DevelopersCrumb />
      <h1>New app</h1>
    </header>
    <div class="page stack" style="--measure: 40rem">
      <Form hx-post="/developers/apps" class="stack">
        <AppFields askable={askable} />
        <div class="row">
          <Button label="Create app" variant="primary" type="submit" />
          <ButtonLink label="Cancel" variant="ghost" href="/developers" />
        </div>
      </Form>
    </div>
  </>
)

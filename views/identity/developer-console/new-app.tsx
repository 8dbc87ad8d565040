import type { RequestableScope } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { AppFields } from './app-fields.tsx'
import { DevelopersCrumb } from './crumb.tsx'

export const NewApp = ({ requestable }: { requestable: RequestableScope[] }) => (
  <>
    <header class="page-header">
      <DevelopersCrumb />
      <h1>New app</h1>
    </header>
    <div class="page stack" style="--measure: 40rem">
      <Form hx-post="/api/developers/apps" class="stack">
        <AppFields requestable={requestable} />
        <div class="row">
          <Button label="Create app" variant="primary" type="submit" />
          <ButtonLink label="Cancel" variant="ghost" href="/developers" />
        </div>
      </Form>
    </div>
  </>
)

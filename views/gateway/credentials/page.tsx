import type { CredentialList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { AddButton, AddDialogs } from './add-dialogs.tsx'
import { changesCredentials } from './secret-fields.tsx'
import { Credentials } from './credentials.tsx'

export const CredentialsPage = ({ list }: { list: CredentialList }) => (
  <>
    <PageHeader title="Credentials">
      {list.can.update ? (
        <div class="actions">
          {list.items.some(({ isCheckable, can }) => isCheckable && can.update) ? (
            <Button label="Check all" icon="rotate-cw" hx-post="/api/credential-checks" {...changesCredentials} />
          ) : null}
          <AddButton />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Credentials list={list} />
    </div>
    {list.can.update ? <AddDialogs canUpdatePlatform={list.can.updatePlatform} /> : null}
  </>
)

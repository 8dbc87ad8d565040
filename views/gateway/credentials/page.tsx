import type { CredentialList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { addDialog, AddDialog } from './add-dialog.tsx'
import { Credentials } from './credentials.tsx'

export const CredentialsPage = ({ list }: { list: CredentialList }) => (
  <>
    <PageHeader title="Credentials">
      {list.can.update ? (
        <div class="actions">
          <Button label="Add credential" icon="plus" variant="primary" commandfor={addDialog} command="show-modal" />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Credentials list={list} />
    </div>
    {list.can.update ? <AddDialog canUpdatePlatform={list.can.updatePlatform} /> : null}
  </>
)

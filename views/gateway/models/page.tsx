import type { Governance } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { changesModels } from './chain-dialog.tsx'
import { Models } from './models.tsx'

export const ModelsPage = ({ governance }: { governance: Governance }) => (
  <>
    <PageHeader title="Models">
      {governance.can.sync ? (
        <div class="actions">
          <Button label="Refresh" icon="rotate-cw" hx-post="/api/models/sync" {...changesModels} />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <Models governance={governance} />
    </div>
  </>
)
